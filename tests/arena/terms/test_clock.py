"""Time controls: what each form means, and that a slip is refused and not guessed at."""

from __future__ import annotations

import pytest

from arena.options.match import MatchOptions, configure_match, describe_match
from arena.terms.clock import SideClock, TimeControl, describe_limits, parse_control

ENGINES = ["player=random,name=a", "player=random,name=b"]


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("1", TimeControl(move_ms=1000)),
        ("0.05", TimeControl(move_ms=50)),
        ("30/180", TimeControl(move_ms=30_000, game_ms=180_000)),
        ("/60", TimeControl(game_ms=60_000)),
        ("/60+0.5", TimeControl(game_ms=60_000, increment_ms=500)),
        ("3+0.1", TimeControl(game_ms=3000, increment_ms=100)),
        ("1/60+0.5", TimeControl(move_ms=1000, game_ms=60_000, increment_ms=500)),
        ("N=20000", TimeControl(nodes=20_000)),
    ],
)
def test_forms(text: str, control: TimeControl) -> None:
    """`3+0.1` is what users of other runners write: a clock of three seconds, not three seconds a move."""
    assert parse_control(text) == control


@pytest.mark.parametrize("text", ["", " ", "+0.1", "+5", "/", "fast", "1/", "3+", "-1", "40/60:00", "nan", "1e400"])
def test_slips(text: str) -> None:
    with pytest.raises(ValueError, match="MOVE, MOVE/GAME, /GAME or GAME"):
        parse_control(text)


@pytest.mark.parametrize("text", ["N=", "N=x", "N=-5", "N=1.5", "1 N=5", "N=5/60", "n=5"])
def test_slips_in_nodes(text: str) -> None:
    with pytest.raises(ValueError, match="or N=NODES, is wanted, not"):
        parse_control(text)


@pytest.mark.parametrize("text", ["0", "0.0", "0/0", "0/180", "30/0", "/0", "0+1", "0.0004", "N=0"])
def test_no_time_is_refused(text: str) -> None:
    """Every first move was late. Less than half a millisecond is none."""
    with pytest.raises(ValueError, match=r"a limit above 0 (seconds|nodes) is wanted, not"):
        parse_control(text)


@pytest.mark.parametrize("text", ["180/30", "60/59.9", "1/0.5"])
def test_order_of_other_programs_is_refused_where_it_makes_no_sense(text: str) -> None:
    """Others write the game before the move: a move of 180 s in a game of 30 s was played without a word."""
    with pytest.raises(ValueError, match=r"s is longer than its game in .*: the order is MOVE/GAME, both in"):
        parse_control(text)


def test_what_was_understood_is_told_in_words() -> None:
    """Of cutechess' `40/60`, 40 moves in a minute, only words can say that it is taken for something else."""
    assert describe_limits(parse_control("40/60")) == "40 s per move, 60 s per game"
    assert describe_limits(parse_control("30/30+0.05")) == "30 s per move, 30 s per game, 0.05 s increment"
    assert describe_limits(parse_control("2000/1000000")) == "2000 s per move, 1000000 s per game"
    assert describe_limits(parse_control("7/5+3")) == "7 s per move, 5 s per game, 3 s increment"  # the clock may grow
    config = configure_match(MatchOptions(game="gomoku", engine=ENGINES, tc="40/60"))
    assert "40 s per move, 60 s per game" in describe_match(config).splitlines()[0]


def test_move_without_a_clock_has_a_time_out() -> None:
    assert SideClock(TimeControl(depth=2)).max_wait_ms() == 60_000
    assert SideClock(TimeControl(depth=2), 0.5).max_wait_ms() == 500
    assert SideClock(TimeControl(move_ms=100, depth=2, margin_ms=0), 0.5).max_wait_ms() == 1100


@pytest.mark.parametrize("text", ["9" * 5000, "1000001", "1/" + "9" * 400, "1+1000000.5", "/" + "1" * 5000 + ".5"])
def test_more_than_protocols_can_say_is_refused_in_one_short_line(text: str) -> None:
    """A number of 400 digits is an infinity to Python, which it could not round."""
    with pytest.raises(ValueError, match="at most 1000000 seconds are wanted") as told:
        parse_control(text)
    assert len(str(told.value)) < 120


@pytest.mark.parametrize(
    ("game", "wanted"),
    [("gomoku", TimeControl(30_000, 180_000, margin_ms=1000)), ("hive", TimeControl(1000, margin_ms=250))],
)
def test_usual_limits(game: str, wanted: TimeControl) -> None:
    """Gomoku's are Gomocup's, which brains are made for."""
    assert configure_match(MatchOptions(game=game, engine=ENGINES)).control == wanted


def test_given_limits_replace_the_usual_ones() -> None:
    request = MatchOptions(game="gomoku", engine=ENGINES, nodes=100, margin_ms=0)
    assert configure_match(request).control == TimeControl(margin_ms=0, nodes=100)


def test_nodes_are_a_time_control_of_their_own() -> None:
    """`--nodes` says the same; beside a number of nodes as time control it is the one that holds."""
    request = MatchOptions(game="gomoku", engine=ENGINES, tc="N=100", margin_ms=0)
    assert configure_match(request).control == TimeControl(margin_ms=0, nodes=100)
    request = MatchOptions(game="gomoku", engine=ENGINES, tc="N=100", nodes=50, margin_ms=0)
    assert configure_match(request).control == TimeControl(margin_ms=0, nodes=50)
