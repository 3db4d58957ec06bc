"""Tests of faulty engines under each protocol: ending, loser, the next game, and no process left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.console import ExitCode
from arena.errors import CommandFailedError
from arena.terms.clock import TimeControl
from arena.terms.ending import FAULTS, Ending
from protocols.driving.deadlines import Deadlines
from tests.arena.mock_match import DEADLINES, LATE, PROTOCOLS, ended_games, list_mocks, play, wait_until_gone

SHORT_DEADLINES = Deadlines(start_s=0.7, new_game_s=5, ping_s=5, quit_s=0.2)

# How the games end after an unrequested answer. In Gomocup it counts as the next move, and in UHP as the answer to
# `play`. In GTP it is ignored, because it has no id.
OUT_OF_TURN = {"gomocup": Ending.ILLEGAL, "uhp": Ending.REFUSED, "gtp": None}

# Switches of the mock (tests/mocks/misbehaviour.py; `late`, `illegal` and `child` are replaced in the test), and the
# fault of the mock by which both games end; None if it plays them to their end.
FAULTS_AND_ENDINGS: list[tuple[str, Ending | None]] = [
    ("", None),  # no fault
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
@pytest.mark.parametrize(("fault", "ending"), FAULTS_AND_ENDINGS)
def test_faulty_engine(protocol: str, fault: str, ending: Ending | None, tmp_path: Path) -> None:
    ending = OUT_OF_TURN[protocol] if fault == "unasked=1" else ending
    child_file = tmp_path / "child"
    switches = {"late": LATE, "illegal": PROTOCOLS[protocol].illegal, "child": f"child={child_file}"}
    result = play(tmp_path / "run", protocol, *(switches.get(word, word) for word in fault.split()))
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
    assert {kind: mock.faults[kind] for kind in FAULTS} == {kind: 2 * (kind is ending) for kind in FAULTS}
    assert not any(good.faults.values())
    assert not list_mocks(tmp_path / "run")
    assert not child_file.exists() or wait_until_gone(int(child_file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", ["slow=2000", "refuse", "crash on start"])
def test_engine_that_cannot_begin_is_refused_before_the_first_game(protocol: str, fault: str, tmp_path: Path) -> None:
    # With `stderr=no number` the mock fails to convert the number, before it reads anything.
    switches = {"refuse": PROTOCOLS[protocol].refuse, "crash on start": "stderr=no number"}
    deadlines = SHORT_DEADLINES if fault == "slow=2000" else DEADLINES
    with pytest.raises(CommandFailedError, match=r"^mock could not start: ") as refusal:
        play(tmp_path / "run", protocol, switches.get(fault, fault), deadlines=deadlines, games=4)
    assert ("\n  ValueError: invalid literal for int()" in str(refusal.value)) == (fault == "crash on start")
    assert not (tmp_path / "run").exists()
    assert not list_mocks(tmp_path / "run")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_engine_that_no_longer_starts_loses_its_games(protocol: str, tmp_path: Path) -> None:
    """It starts in the trial and for the first pair; without a clock engines start anew for each pair."""
    starts = f"starts={tmp_path / 'starts'}:2"
    result = play(tmp_path / "run", protocol, starts, games=6, control=TimeControl(nodes=9))
    games = ended_games(tmp_path / "run")
    assert (result.statistics.played, result.stopped, result.exit_code) == (6, "", ExitCode.SUCCESS)
    assert {game.blamed for game in games[:2]} == {""}
    detail = "could not start: exited with status 3: Traceback: license has expired"
    lost = [(Ending.DISCONNECT, "mock", "good", detail)] * 4
    assert [(game.ending, game.blamed, game.winner, game.detail) for game in games[2:]] == lost
    assert all("license has expired" in "".join(game.stderr) for game in games[2:])
    assert result.statistics.engines[0].faults[Ending.DISCONNECT] == 4


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("fault", "played", "stopped"),
    [
        ("crash=2", 2, "mock failed in 2 consecutive games: exited with status 3: Traceback: out of ideas"),
        ("stall=1", 2, "mock failed in 2 consecutive games: no move within"),
        ("errors", 2, "mock failed in 2 consecutive games: "),
        ("illegal", 2, "mock failed in 2 consecutive games: "),
        ("starts", 2, "mock failed in 2 consecutive games: could not start: exited with status 3"),
    ],
)
def test_engine_that_keeps_failing_stops_the_run(
    protocol: str, fault: str, played: int, stopped: str, tmp_path: Path
) -> None:
    """Errors, illegal moves or a failed start in every game stop the run just as crashes do."""
    switches = {
        "starts": f"starts={tmp_path / 'starts'}:1",
        "errors": PROTOCOLS[protocol].error,
        "illegal": PROTOCOLS[protocol].illegal,
    }
    result = play(tmp_path, protocol, switches.get(fault, fault), games=6, max_faults=2)
    assert (result.statistics.played, result.exit_code) == (played, ExitCode.FAILURE)
    assert result.stopped.startswith(stopped)
    assert result.stopped.endswith("; use --recover to play on after failures")
    assert not list_mocks(tmp_path)


def test_engine_that_is_late_loses_and_plays_the_next_game(tmp_path: Path) -> None:
    """A late answer does not count towards `max_faults`, because the program is slow but not broken."""
    result = play(tmp_path, "gomocup", LATE, games=4, max_faults=2)
    assert (result.statistics.played, result.exit_code) == (4, ExitCode.SUCCESS)
    assert result.statistics.endings == {Ending.TIME: 4}
