"""`configure_match` turns the options of `pentad match` into a run, and refuses those that cannot go together."""

from __future__ import annotations

import sys

import pytest

from arena.errors import UsageError
from arena.options.match import MatchOptions, configure_match


def test_matches_started_in_the_same_second_have_different_folders() -> None:
    """The second of two matches of a script was once refused: "another run is using runs/match-..."."""
    options = MatchOptions(engine=["player=random", "player=greedy"])
    assert configure_match(options).out != configure_match(options).out


@pytest.mark.parametrize(("tc", "engine_tc"), [("5", ""), ("/60", ""), (None, ",tc=5")])
def test_depth_together_with_time_is_refused_for_uhp(tc: str | None, engine_tc: str) -> None:
    """The program was once sent the depth only, and lost on a clock that it did not know."""
    engine = [f"cmd={sys.executable},name=A{engine_tc}", "player=alphabeta"]
    options = MatchOptions(game="hive", engine=engine, tc=tc, depth=3)
    with pytest.raises(UsageError, match=r"^A: UHP sends a depth or a time, not both: leave --tc or --depth out$"):
        configure_match(options)


@pytest.mark.parametrize(("tc", "depth"), [("5", None), (None, 3), ("N=70", 3)])
def test_depth_or_time_alone_is_accepted_for_uhp(tc: str | None, depth: int | None) -> None:
    engine = [f"cmd={sys.executable},name=A", "player=alphabeta"]
    assert configure_match(MatchOptions(game="hive", engine=engine, tc=tc, depth=depth)).control.depth == depth
