"""Tests of time controls: parsing of `--tc`, defaults per game, and how long the arena waits for a move."""

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
def test_valid_time_controls(text: str, control: TimeControl) -> None:
    """`3+0.1` is 3 s per game plus 0.1 s per move, as in other match managers; a single number is a time per move."""
    assert parse_control(text) == control


@pytest.mark.parametrize("text", ["", " ", "+0.1", "+5", "/", "fast", "1/", "3+", "-1", "40/60:00", "nan", "1e400"])
def test_invalid_times(text: str) -> None:
    with pytest.raises(ValueError, match="MOVE, MOVE/GAME, /GAME or GAME"):
        parse_control(text)


@pytest.mark.parametrize("text", ["N=", "N=x", "N=-5", "N=1.5", "1 N=5", "N=5/60", "n=5"])
def test_invalid_node_limits(text: str) -> None:
    with pytest.raises(ValueError, match="or N=NODES, not"):
        parse_control(text)


@pytest.mark.parametrize("text", ["0", "0.0", "0/0", "0/180", "30/0", "/0", "0+1", "0.0004", "5+0.0004", "N=0"])
def test_zero_limits_are_refused(text: str) -> None:
    """No first move could keep the limit. Times are rounded to milliseconds, so 0.0004 s is zero, too."""
    with pytest.raises(ValueError, match=r"time control must be (0.001 seconds or more|above 0 nodes), not"):
        parse_control(text)


@pytest.mark.parametrize("text", ["180/30", "60/59.9", "1/0.5"])
def test_move_longer_than_its_game_is_refused(text: str) -> None:
    """Such a time control is probably an error in the order of the two numbers."""
    with pytest.raises(ValueError, match=r"s is longer than its game in .*: the order is MOVE/GAME, both in"):
        parse_control(text)


def test_time_control_is_described_in_words() -> None:
    """Users of cutechess-cli would read `40/60` as 40 moves in 60 s; the description shows the meaning here."""
    assert describe_limits(parse_control("40/60")) == "40 s per move, 60 s per game"
    assert describe_limits(parse_control("30/30+0.05")) == "30 s per move, 30 s per game, 0.05 s increment"
    assert describe_limits(parse_control("2000/1000000")) == "2000 s per move, 1000000 s per game"
    assert describe_limits(parse_control("7/5+3")) == "7 s per move, 5 s per game, 3 s increment"  # the clock may grow
    config = configure_match(MatchOptions(game="gomoku", engine=ENGINES, tc="40/60"))
    assert "40 s per move, 60 s per game" in describe_match(config).splitlines()[0]


def test_move_without_a_clock_has_a_timeout() -> None:
    """Without a clock the maximum wait is `--move-timeout`, by default 60 s; else it is limit, margin and a second."""
    assert SideClock(TimeControl(depth=2)).max_wait_ms() == 60_000
    assert SideClock(TimeControl(depth=2), move_timeout_s=0.5).max_wait_ms() == 500
    assert SideClock(TimeControl(move_ms=100, depth=2, margin_ms=0), move_timeout_s=0.5).max_wait_ms() == 1100


@pytest.mark.parametrize("text", ["9" * 5000, "1000001", "1/" + "9" * 400, "1+1000000.5", "/" + "1" * 5000 + ".5"])
def test_huge_times_are_refused_with_a_short_message(text: str) -> None:
    """Python converts a number of 400 digits to infinity, which cannot be rounded to milliseconds."""
    with pytest.raises(ValueError, match="must be at most 1000000 seconds") as error:
        parse_control(text)
    assert len(str(error.value)) < 120


@pytest.mark.parametrize(
    ("game", "control"),
    [
        ("gomoku", TimeControl(move_ms=30_000, game_ms=180_000, margin_ms=1000)),
        ("hive", TimeControl(move_ms=1000, margin_ms=250)),
    ],
)
def test_default_time_control(game: str, control: TimeControl) -> None:
    """The default of Gomoku is that of Gomocup tournaments."""
    assert configure_match(MatchOptions(game=game, engine=ENGINES)).control == control


def test_node_limit_replaces_the_default_time_control() -> None:
    options = MatchOptions(game="gomoku", engine=ENGINES, nodes=100, margin_ms=0)
    assert configure_match(options).control == TimeControl(margin_ms=0, nodes=100)


def test_nodes_option_takes_precedence_over_nodes_in_the_time_control() -> None:
    options = MatchOptions(game="gomoku", engine=ENGINES, tc="N=100", margin_ms=0)
    assert configure_match(options).control == TimeControl(margin_ms=0, nodes=100)
    options = MatchOptions(game="gomoku", engine=ENGINES, tc="N=100", nodes=50, margin_ms=0)
    assert configure_match(options).control == TimeControl(margin_ms=0, nodes=50)
