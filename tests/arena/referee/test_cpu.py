"""Tests of the CPU time of engines. It shows whether they use several threads or think in the opponent's time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.log.file import LOG_NAME, read_run
from arena.results.run_statistics import compute_statistics
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from tests.arena.mock_match import ended_games, play

# Switches of the mock, which tests/mocks/misbehaviour.py explains: `burn=30` uses 30 ms of CPU time before each move,
# `toil=30` does so in a child process.
PATIENT_CONTROL = TimeControl(move_ms=10_000)
TICK_MS = 20  # two ticks of 10 ms, the resolution of the system's count


@pytest.mark.parametrize(
    ("protocol", "switch", "restart"),
    [("gomocup", "burn=30", False), ("uhp", "burn=30", True), ("gtp", "toil=30", False), ("gtp", "toil=30", True)],
)
def test_cpu_time_is_counted_per_game(protocol: str, switch: str, restart: bool, tmp_path: Path) -> None:
    """The time of a game includes that of child processes that have ended, but not that of earlier games."""
    result = play(tmp_path, protocol, switch, control=PATIENT_CONTROL, restart=restart)
    for game in ended_games(tmp_path):
        side = 0 if game.first == "mock" else 1
        moves, cpu_ms = len(game.moves_of(side)), game.cpu_ms[side]
        assert cpu_ms is not None
        assert moves * 30 - TICK_MS <= cpu_ms < moves * 300
        assert game.cpu_ms[1 - side] is None  # this player runs in the process of the test
    mock, good = result.statistics.engines
    assert mock.cpu_ms is not None
    assert mock.cpu_ms >= 30 - TICK_MS
    assert good.cpu_ms is None


@pytest.mark.parametrize(("switch", "ending"), [("crash=3", Ending.DISCONNECT), ("stall=3", Ending.STALL)])
def test_cpu_time_of_a_program_that_failed_is_known(switch: str, ending: Ending, tmp_path: Path) -> None:
    play(tmp_path, "gomocup", switch, "burn=100", games=1, control=TimeControl(move_ms=2000))
    (game,) = ended_games(tmp_path)
    assert game.ending is ending
    assert (game.cpu_ms[0] or 0) >= 200 - TICK_MS


def test_log_of_an_older_version_has_no_cpu_time(tmp_path: Path) -> None:
    play(tmp_path, "gtp", "burn=20", control=PATIENT_CONTROL)
    log = tmp_path / LOG_NAME
    text = log.read_text(encoding="utf-8")
    old, left_out = re.subn(r',"cpu_ms":[^]]*]', "", text)
    assert left_out == 2
    log.write_text(old, encoding="utf-8")
    games = read_run(tmp_path).games
    assert [game.cpu_ms for game in games] == [(None, None)] * 2
    assert compute_statistics(("mock", "good"), games).engines[0].cpu_ms is None
