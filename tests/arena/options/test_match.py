"""Tests that the options of `pentad match` become a run, and that options that exclude each other are refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec import structs

from arena.errors import UsageError
from arena.options.match import MatchOptions, configure_match
from arena.run.match import LOCK_NAME


def test_matches_started_in_the_same_second_have_different_folders() -> None:
    """Regression: the second of two matches of a script used to be refused as "another run is using runs/match-..."."""
    options = MatchOptions(engine=["player=random", "player=greedy"])
    assert configure_match(options).out != configure_match(options).out


@pytest.mark.parametrize(("tc", "engine_tc"), [("5", ""), ("/60", ""), (None, ",tc=5")])
def test_depth_together_with_time_is_refused_for_uhp(tc: str | None, engine_tc: str) -> None:
    """Regression: the program used to get the depth only, and lost on a clock that it did not know."""
    engine = [f"cmd={sys.executable},name=A{engine_tc}", "player=alphabeta"]
    options = MatchOptions(game="hive", engine=engine, tc=tc, depth=3)
    option = "tc=" if engine_tc else "--tc"
    with pytest.raises(UsageError, match=f"^A: UHP sends a depth or a time, not both: leave {option} or --depth out$"):
        configure_match(options)


@pytest.mark.parametrize(("tc", "depth"), [("5", None), (None, 3), ("N=70", 3)])
def test_depth_or_time_alone_is_accepted_for_uhp(tc: str | None, depth: int | None) -> None:
    engine = [f"cmd={sys.executable},name=A", "player=alphabeta"]
    assert configure_match(MatchOptions(game="hive", engine=engine, tc=tc, depth=depth)).control.depth == depth


def test_only_a_folder_without_other_files_is_accepted(tmp_path: Path) -> None:
    """Regression: a run whose engine did not start left its lock, and the same command was refused from then on."""
    options = MatchOptions(engine=["player=random", "player=greedy"], out=tmp_path)
    (tmp_path / LOCK_NAME).touch()
    assert configure_match(options).out == tmp_path
    (tmp_path / "crosstable.txt").touch()
    with pytest.raises(UsageError, match=r"^--out must be a new folder, not '.*', which holds other files$"):
        configure_match(options)
    with pytest.raises(UsageError, match=r"^--out must be a new folder, not '.*crosstable\.txt', which is a file$"):
        configure_match(structs.replace(options, out=tmp_path / "crosstable.txt"))
