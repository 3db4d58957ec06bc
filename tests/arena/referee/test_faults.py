"""Tests of faulty engines under each protocol: ending, loser, the next game, and no process left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.console import ExitCode
from arena.terms.ending import FAULTS, Ending
from protocols.driving.deadlines import Deadlines
from tests.arena.mock_match import LATE, PROTOCOLS, ended_games, list_mocks, play, wait_gone

# An unrequested answer: in Gomocup it counts as the next move, in UHP as the answer to `play`; in GTP it has no id.
OUT_OF_TURN = {"gomocup": Ending.ILLEGAL, "uhp": Ending.REFUSED, "gtp": None}

# Switches, then how both games end: a fault that the mock is to blame for, or None for a game played to its end.
VICES: list[tuple[str, Ending | None]] = [
    ("", None),
    ("stall=2", Ending.STALL),
    ("late", Ending.TIME),
    ("illegal", Ending.ILLEGAL),
    ("garbage=1", None),
    ("stderr=1000000", None),
    ("twice=1", None),
    ("unasked=1", None),
    ("child deaf=1", None),
    ("child crash=2", Ending.DISCONNECT),
    ("slow=400", None),
]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("vice", "ending"), VICES)
def test_faulty_engine(protocol: str, vice: str, ending: Ending | None, tmp_path: Path) -> None:
    ending = OUT_OF_TURN[protocol] if vice == "unasked=1" else ending
    child_file = tmp_path / "child"
    words = {"late": LATE, "illegal": PROTOCOLS[protocol].illegal}
    words |= {"child": f"child={child_file}"}
    result = play(tmp_path / "run", protocol, *(words.get(word, word) for word in vice.split()))
    games = ended_games(tmp_path / "run")
    mock, good = result.statistics.engines
    assert (result.statistics.played, result.exit_code, result.stopped) == (2, ExitCode.SUCCESS, "")
    assert [game.first for game in games] == ["mock", "good"]
    if ending is None:
        assert {game.ending for game in games} <= {Ending.WIN, Ending.MOVE_CAP}, games
        assert {game.blamed for game in games} == {""}
    else:
        assert [(game.ending, game.blamed, game.winner) for game in games] == [(ending, "mock", "good")] * 2, games
        assert all(game.detail for game in games)
    assert {fault: mock.faults[fault] for fault in FAULTS} == {fault: 2 * (fault is ending) for fault in FAULTS}
    assert not any(good.faults.values())
    assert not list_mocks(tmp_path / "run")
    assert not child_file.exists() or wait_gone(int(child_file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("vice", ["slow=2000", "refuse", "crash on start"])
def test_engine_that_cannot_begin_makes_the_game_void_and_stops_the_run(
    protocol: str, vice: str, tmp_path: Path
) -> None:
    switches = {"refuse": PROTOCOLS[protocol].refuse, "crash on start": "stderr=no number"}
    result = play(tmp_path, protocol, switches.get(vice, vice), deadlines=Deadlines(0.7, 5, 5, 0.2), games=4)
    assert (result.statistics.played, result.exit_code) == (0, ExitCode.FAILURE)
    assert result.stopped.startswith("mock could not start: ")
    assert [(game.ending, game.blamed, game.winner) for game in ended_games(tmp_path)] == [(Ending.VOID, "mock", "")]
    assert not list_mocks(tmp_path)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("vice", "played", "stopped"),
    [
        ("crash=2", 2, "mock failed in 2 consecutive games: exited with status 3: Traceback: out of ideas"),
        ("stall=1", 2, "mock failed in 2 consecutive games: no move within"),
        ("errors", 2, "mock failed in 2 consecutive games: "),
        ("illegal", 2, "mock failed in 2 consecutive games: "),
    ],
)
def test_engine_that_keeps_failing_stops_the_run(
    protocol: str, vice: str, played: int, stopped: str, tmp_path: Path
) -> None:
    """Errors or illegal moves in every game stop the run just as crashes do."""
    switches = {"errors": PROTOCOLS[protocol].error, "illegal": PROTOCOLS[protocol].illegal}
    result = play(tmp_path, protocol, switches.get(vice, vice), games=6, max_faults=2)
    assert (result.statistics.played, result.exit_code) == (played, ExitCode.FAILURE)
    assert result.stopped.startswith(stopped)
    assert result.stopped.endswith("; use --recover to play on after failures")
    assert not list_mocks(tmp_path)


def test_engine_that_is_late_loses_and_plays_the_next_game(tmp_path: Path) -> None:
    """All other faults show a broken program, a late answer does not."""
    result = play(tmp_path, "gomocup", LATE, games=4, max_faults=2)
    assert (result.statistics.played, result.exit_code) == (4, ExitCode.SUCCESS)
    assert result.statistics.endings == {Ending.TIME: 4}
