"""Tests of engine limits (memory, suspension, processors, threads) and of the environment of programs."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import psutil
import pytest

from arena.cli import main as cli
from arena.console import ExitCode
from arena.terms.clock import TimeControl
from arena.terms.ending import Ending
from arena.terms.engine_limits import EngineLimits
from core.native.machine import list_processors
from tests.arena.fakes import PILE_GAME
from tests.arena.mock_match import DEADLINES, PROTOCOLS, ended_games, list_mocks, play
from tests.waiting import wait_until

MIB = 1 << 20
PATIENT_CONTROL = TimeControl(move_ms=4000)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_program_above_the_memory_limit_is_killed_and_loses(protocol: str, tmp_path: Path) -> None:
    """The loss counts as `Ending.MEMORY`, not as a crash. `memory=200` makes the mock allocate 200 MiB."""
    engine_limits = EngineLimits(DEADLINES, memory_bytes=120 * MIB)
    result = play(tmp_path, protocol, "memory=200", engine_limits=engine_limits, control=PATIENT_CONTROL)
    games = ended_games(tmp_path)
    assert [(game.ending, game.blamed) for game in games] == [(Ending.MEMORY, "mock")] * 2
    assert games[0].detail.startswith("held ")
    assert games[0].detail.endswith("MiB of at most 120 MiB")
    assert result.statistics.engines[0].faults[Ending.MEMORY] == 2
    assert result.statistics.engines[0].faults[Ending.DISCONNECT] == 0
    assert not list_mocks(tmp_path)


def test_program_that_repeatedly_exceeds_the_memory_limit_stops_the_run(tmp_path: Path) -> None:
    engine_limits = EngineLimits(DEADLINES, memory_bytes=100 * MIB)
    result = play(
        tmp_path, "gomocup", "memory=200", engine_limits=engine_limits, control=PATIENT_CONTROL, games=6, max_faults=2
    )
    assert (result.statistics.played, result.exit_code) == (2, ExitCode.FAILURE)
    assert result.stopped.startswith("mock failed in 2 consecutive games: held ")


def test_program_within_the_limit_plays_on(tmp_path: Path) -> None:
    result = play(tmp_path, "uhp", engine_limits=EngineLimits(DEADLINES, memory_bytes=200 * MIB))
    assert result.statistics.endings == {Ending.WIN: 2}


def is_stopped(process: psutil.Process) -> bool:
    return bool(process.status() == psutil.STATUS_STOPPED)


@pytest.mark.skipif(os.name == "nt", reason="a suspended process looks like a running one there")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("suspend", [True, False])
def test_program_is_suspended_during_the_opponents_turn_if_requested(
    protocol: str, suspend: bool, tmp_path: Path
) -> None:
    seen_states: set[str] = set()
    others = psutil.Process().children(recursive=True)  # of earlier tests, such as multiprocessing's resource tracker

    def record_states() -> None:
        """Record the states of the mock's processes. On a busy machine they stop some time after the signal."""
        for process in set(psutil.Process().children(recursive=True)) - set(others):
            if suspend:
                wait_until(partial(is_stopped, process))
            seen_states.add(process.status())

    engine_limits = EngineLimits(DEADLINES, suspend=suspend)
    child = f"child={tmp_path / 'child'}"
    result = play(
        tmp_path / "run",
        protocol,
        child,
        engine_limits=engine_limits,
        control=PATIENT_CONTROL,
        watch=record_states,
    )
    assert (psutil.STATUS_STOPPED in seen_states) == suspend
    assert not suspend or seen_states == {psutil.STATUS_STOPPED}
    assert result.statistics.endings[Ending.WIN] + result.statistics.endings.get(Ending.MOVE_CAP, 0) == 2
    assert not list_mocks(tmp_path / "run")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs os.sched_getaffinity")
def test_program_stays_on_its_processors(tmp_path: Path) -> None:
    seen_affinities: list[list[int]] = []

    def record_affinities() -> None:
        seen_affinities.extend(process.cpu_affinity() for process in list_mocks(tmp_path))

    play(tmp_path, "uhp", engine_limits=EngineLimits(DEADLINES, affinity=True), watch=record_affinities)
    assert seen_affinities
    assert all(processors == list_processors()[:1] for processors in seen_affinities)
    assert EngineLimits(affinity=True, engine_threads=2).processors(1) == tuple(list_processors()[2:4])
    assert EngineLimits().processors(0) == ()


def test_environment_has_game_and_slot(tmp_path: Path) -> None:
    """A program can name its files after the game and the slot that it is started for; game 0 is the trial start.

    `crash=2` makes it restart.
    """
    environment = tmp_path / "env"
    play(tmp_path / "run", "gomocup", f"env={environment}", "crash=2", games=4)
    lines = environment.read_text(encoding="utf-8").splitlines()
    assert lines == [f"PENTAD_GAME={game} PENTAD_SLOT=1" for game in range(5)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--concurrency", "1000"], "--concurrency must be 1.."),
        (["--engine-threads", "1000", "--concurrency", "2"], "--engine-threads must be 1.."),
        (["--engine-threads", "1000"], "processors, not 1000; --force plays anyway"),
        (["--force", "--affinity", "--concurrency", "1000"], "--concurrency must be 1.."),
        (["--memory", "-1"], "--memory must be 0 or more MiB, not -1"),
    ],
)
def test_impossible_limits_are_refused_and_force_allows_more_threads_than_processors(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    command = ["match", "--game", "pile", "--engine", "player=one", "--engine", "player=perfect"]
    command += ["--out", str(tmp_path / "run")]
    assert cli.run([*command, *arguments]) == 2
    assert message in capsys.readouterr().err
    assert cli.run([*command, "--engine-threads", "1000", "--concurrency", "2", "--force"]) == 0
