"""What `pentad match` makes of its options."""

from __future__ import annotations

import sys

import pytest

from arena.errors import UsageError
from arena.options.match import MatchOptions, configure_match


def test_matches_begun_at_once_have_folders_of_their_own() -> None:
    """Of two that a script began in one second, the second was refused: "another run is using runs/match-..."."""
    options = MatchOptions(engine=["player=random", "player=greedy"])
    assert configure_match(options).out != configure_match(options).out


@pytest.mark.parametrize(("tc", "own"), [("5", ""), ("/60", ""), (None, ",tc=5")])
def test_depth_and_time_at_once_are_refused_for_uhp(tc: str | None, own: str) -> None:
    """The program was told the depth alone and lost on a clock of which it knew nothing."""
    engine = [f"cmd={sys.executable},name=A{own}", "player=alphabeta"]
    options = MatchOptions(game="hive", engine=engine, tc=tc, depth=3)
    with pytest.raises(UsageError, match=r"^A: UHP sends a depth or a time, not both: leave --tc or --depth out$"):
        configure_match(options)


@pytest.mark.parametrize(("tc", "depth"), [("5", None), (None, 3), ("N=70", 3)])
def test_depth_or_time_is_taken_for_uhp(tc: str | None, depth: int | None) -> None:
    engine = [f"cmd={sys.executable},name=A", "player=alphabeta"]
    assert configure_match(MatchOptions(game="hive", engine=engine, tc=tc, depth=depth)).control.depth == depth
