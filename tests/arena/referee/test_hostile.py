"""Tests of hostile programs under each protocol: the game ends in time, the verdict is right, no process is left.

The program is a mock whose switches are explained in tests/mocks/misbehaviour.py. For example `pour=think:50:x` prints
`x` every 50 ms instead of answering a request for a move; 0 ms is as fast as it can.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

import psutil
import pytest

from arena.console import ExitCode
from arena.errors import CommandFailedError
from arena.run.config import MatchResult
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.terms.engine_limits import EngineLimits
from protocols.driving.deadlines import Deadlines
from protocols.driving.orphans import adopt_orphans
from tests.arena.mock_match import DEADLINES, PROTOCOLS, ended_games, is_running, list_mocks, play
from tests.timing import check_ratio

HURRIED_CONTROL = TimeControl(move_ms=100, margin_ms=200)
SHORT_DEADLINES = Deadlines(start_s=0.7, new_game_s=5, ping_s=5, quit_s=0.2)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the mocks use POSIX calls")


@pytest.fixture(autouse=True)
def shorten_grace_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time that the client waits for a late answer."""
    monkeypatch.setattr("tests.arena.mock_match.GRACE_MS", 500)


def play_once(out: Path, protocol: str, *switches: str, **changes: object) -> MatchResult:
    """Play one game in which the mock moves first; none of its processes may be left."""
    result = play(out, protocol, *switches, **({"games": 1, "control": HURRIED_CONTROL} | changes))  # type: ignore[arg-type]
    assert not list_mocks(out)
    return result


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "switch",
    [
        r"pour=think:0:MESSAGE Depth 3 | Eval 7\n",
        r"pour=think:0:SUGGEST 7,7\n",
        r"pour=think:0:\n",
        r"pour=think:0:= x\n",  # an answer in GTP that never ends
        "pour=think:0:x",
        r"pour=think:50:x\n",
        "pour=think:50:x",
        "freeze=1",
    ],
)
def test_program_that_runs_without_answering_a_move_request_is_a_stall(
    protocol: str, switch: str, tmp_path: Path
) -> None:
    """The deadline holds while output keeps arriving, and the output does not fill the log."""
    result = play_once(tmp_path, protocol, switch, engine_limits=EngineLimits(DEADLINES, io_log=True))
    (game,) = ended_games(tmp_path)
    assert (game.ending, game.blamed, game.winner) == (Ending.STALL, "mock", "good")
    assert (result.statistics.played, result.exit_code) == (1, ExitCode.SUCCESS)
    assert (tmp_path / "log.jsonl").stat().st_size < 100_000


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("switch", [r"pour=start:0:MESSAGE x\n", "pour=start:0:x", r"pour=start:50:x\n", "blind=1"])
def test_program_that_does_not_answer_at_the_start_is_refused(protocol: str, switch: str, tmp_path: Path) -> None:
    with pytest.raises(CommandFailedError, match=r"^mock could not start: "):
        play_once(tmp_path, protocol, switch, deadlines=SHORT_DEADLINES)
    assert not list_mocks(tmp_path)


@pytest.mark.parametrize("protocol", ["gomocup", "gtp"])
def test_output_between_answers_is_no_fault(protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program plays on although its answers arrive behind its output; the log keeps only the last lines."""
    monkeypatch.setattr("tests.arena.mock_match.GRACE_MS", 10_000)
    play_once(tmp_path, protocol, r"pour=idle:0:MESSAGE x\n", control=TimeControl(move_ms=100, margin_ms=9000))
    (game,) = ended_games(tmp_path)
    assert game.blamed == "", game
    assert all(entry.messages[0].startswith("[... ") for entry in game.moves[2::2])


@pytest.mark.timing
@pytest.mark.parametrize("protocol", ["gomocup", "gtp"])
def test_output_between_answers_does_not_delay_the_opponent(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.arena.mock_match.GRACE_MS", 10_000)
    run_numbers = count()

    def measure_longest_move() -> float:
        """Return the longest time of the opponent's moves as a share of the time limit."""
        out = tmp_path / str(next(run_numbers))
        play_once(out, protocol, r"pour=idle:0:MESSAGE x\n", control=TimeControl(move_ms=500, margin_ms=9000))
        (game,) = ended_games(out)
        return max(entry.time_ms for entry in game.moves if entry.side == 1) / 500

    check_ratio(measure_longest_move, minimum=0, limit=1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_program_that_closes_its_output_and_runs_on_is_disconnected(protocol: str, tmp_path: Path) -> None:
    play_once(tmp_path, protocol, "mute=1", "undying=1")
    (game,) = ended_games(tmp_path)
    assert (game.ending, game.blamed, game.detail) == (Ending.DISCONNECT, "mock", "closed its output")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux hands orphans to a subreaper")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "switch",
    ["", "freeze=1", "undying=1|crash=1", r"pour=think:0:x\n"],
    ids=["plays", "does not answer", "crashes", "prints without end"],
)
def test_forked_processes_are_gone_after_the_run(protocol: str, switch: str, tmp_path: Path) -> None:
    # Files of process ids. The daemons with an empty environment lack the variable that marks descendants of engines.
    daemons, unmarked_daemons = tmp_path / "daemons", tmp_path / "unmarked_daemons"
    with adopt_orphans():
        play_once(
            tmp_path / "run", protocol, f"daemon={daemons}", f"bare_daemon={unmarked_daemons}", *switch.split("|")
        )
        assert not any(map(is_running, map(int, daemons.read_text(encoding="utf-8").split())))
    assert not any(map(psutil.pid_exists, map(int, unmarked_daemons.read_text(encoding="utf-8").split())))
    assert not [child for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE]
