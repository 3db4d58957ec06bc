"""Tests of `pentad report` and `pentad resume`: same games as without the interruption, checks of engines and trust."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from msgspec import structs

from arena.cli import main as cli
from arena.engines.spec import EngineSpec
from arena.log.events import EngineEntry, GameEnded, RunResumed
from arena.log.file import LOG_NAME, LogWriter, read_run
from arena.run.provenance import read_versions
from arena.run.trusted_runs import is_trusted_run, trust_run
from arena.terms.ending import Ending
from bots.registry import GAMES
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME
from tests.arena.web.runs import make_header
from tests.waiting import wait_until

# Runs `pentad` in another process, with the pile game (tests/arena/fakes.py) as the only game.
RUN_PENTAD = """
import sys
import arena.terms.arguments
from arena.cli.main import main
from tests.arena.fakes import PILE_GAME
arena.terms.arguments.list_games = lambda: {"pile": PILE_GAME}
main(sys.argv[1:])
"""
ENGINES = ("dice", "dice,name=other", "dice,name=third")  # `dice` plays at random
DERIVED_FILES = ("results.csv", "summary.json", "crosstable.txt", "games.txt")


@pytest.fixture(autouse=True)
def register_test_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """Return the command of a reproducible tournament of three random players, two games at a time."""
    book = tmp_path / "book.txt"
    book.write_text("1\n2\n3\n1 1\n2 2\n", encoding="utf-8")
    engines = [part for engine in ENGINES for part in ("--engine", f"player={engine}")]
    fixed = ["--nodes", "100", "--seed", "5", "--concurrency", "2", "--openings", str(book)]
    return ["match", "--game", "pile", *engines, *fixed]


def read_games_without_times(directory: Path) -> list[GameEnded]:
    """Return the games of complete pairs without their measured times, which differ between runs."""
    return [
        structs.replace(game, moves=tuple(structs.replace(entry, time_ms=0, overhead_us=0) for entry in game.moves))
        for game in read_run(directory).games
    ]


def read_derived(directory: Path) -> dict[str, bytes]:
    """Return the contents of all files of a run but the log and the lock, by path."""
    files = (path for path in directory.rglob("*") if path.is_file() and path.name not in (LOG_NAME, ".lock"))
    return {str(path): path.read_bytes() for path in files}


@pytest.mark.parametrize("min_pairs", [1, 12])
def test_killed_run_is_resumed_to_the_same_games(
    min_pairs: int, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGKILL allows no cleanup. Complete pairs must already be on disk, and an incomplete pair must not count."""
    command += ["--games", "60"]
    out = tmp_path / "killed"
    pentad = [sys.executable, "-c", RUN_PENTAD, *command, "--out", str(out)]
    process = subprocess.Popen(pentad, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until((out / LOG_NAME).exists)
    wait_until(lambda: (out / LOG_NAME).read_bytes().count(b'"event":"pair"') >= min_pairs)
    process.kill()
    process.wait()
    killed = read_run(out)
    assert 0 < len(killed.games) < 180
    assert killed.ended is None
    assert cli.run(["resume", str(out)]) == 0
    assert f"{len(killed.games)} of 180 games are already played" in capsys.readouterr().err
    uninterrupted = tmp_path / "uninterrupted"
    assert cli.run([*command, "--out", str(uninterrupted)]) == 0
    assert read_games_without_times(out) == read_games_without_times(uninterrupted)
    assert len(read_games_without_times(out)) == 180
    assert sum(isinstance(event, RunResumed) for event in read_log(out)) == 1


def test_complete_run_has_nothing_to_resume(command: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "2", "--out", str(out)]) == 0
    log = (out / LOG_NAME).read_bytes()
    assert cli.run(["resume", str(out)]) == 0
    assert (out / LOG_NAME).read_bytes() == log


def test_report_rebuilds_every_derived_file_byte_for_byte(command: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "4", "--out", str(out)]) == 0
    old_files = read_derived(out)
    assert {Path(name).name for name in old_files} > {*DERIVED_FILES, "00012.txt"}
    for name in old_files:
        Path(name).unlink()
    assert cli.run(["report", str(out)]) == 0
    assert read_derived(out) == old_files


def truncate_log(out: Path) -> None:
    """Cut the log after its first complete pair."""
    lines = (out / LOG_NAME).read_bytes().splitlines(keepends=True)
    end = next(number for number, line in enumerate(lines) if b'"event":"pair"' in line)
    (out / LOG_NAME).write_bytes(b"".join(lines[: end + 1]))


def test_changed_program_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The log of this test names a program with a hash that its file does not have."""
    engine = tmp_path / "engine"
    engine.write_text("first", encoding="utf-8")
    out = tmp_path / "run"
    command = ["match", "--game", "pile", "--engine", "player=one,name=A", "--engine", "player=dice", "--games", "4"]
    assert cli.run([*command, "--out", str(out)]) == 0
    truncate_log(out)
    header = read_run(out).header
    changed = structs.replace(header.engines[0], player="", command=str(engine), file_hash="00", protocol="gomocup")
    (out / LOG_NAME).unlink()
    with LogWriter(out) as log:
        log.write(structs.replace(header, engines=(changed, header.engines[1])))
    assert cli.run(["resume", str(out), "--yes"]) == 2
    assert "the program of A has changed since the run started; --force continues anyway" in capsys.readouterr().err
    assert len(read_log(out)) == 1


def test_missing_program_is_reported_as_missing(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message must not say that it has changed, because --force does not help."""
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "2", "--out", str(out)]) == 0
    header = read_run(out).header
    missing = structs.replace(
        header.engines[0], player="", command="/no/such/engine", file_hash="00", protocol="gomocup"
    )
    (out / LOG_NAME).unlink()
    with LogWriter(out) as log:
        log.write(structs.replace(header, engines=(missing, *header.engines[1:])))
    assert cli.run(["resume", str(out), "--yes"]) == 2
    assert "no program to start in '/no/such/engine'" in capsys.readouterr().err


def test_player_of_another_version_is_refused_unless_forced(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "2", "--out", str(out)]) == 0
    truncate_log(out)
    monkeypatch.setattr("arena.run.resume.read_versions", lambda: {"pentad": "another"})
    assert cli.run(["resume", str(out)]) == 2
    assert "--force continues anyway" in capsys.readouterr().err
    assert cli.run(["resume", str(out), "--force"]) == 0
    assert [event.forced for event in read_log(out) if isinstance(event, RunResumed)] == [True]


def test_folder_in_use_is_refused(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "2", "--out", str(out)]) == 0
    truncate_log(out)
    with FileLock(out / ".lock"):
        assert cli.run(["resume", str(out)]) == 2
    assert "another run is using" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["resume", "report"])
def test_folder_without_a_run_is_refused(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([command, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"pentad: there is no run in {tmp_path}: no log.jsonl\n"


def test_engine_without_a_hash_counts_as_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The check must not be avoidable by deleting the hash from the log."""
    out = tmp_path / "run"
    (tmp_path / "engine").write_text("a program", encoding="utf-8")
    write_foreign_run(out, EngineEntry("A", command=str(tmp_path / "engine"), protocol="gomocup"))
    assert cli.run(["resume", str(out), "--yes"]) == 2
    assert "the program of A has changed since the run started; --force continues anyway" in capsys.readouterr().err


def test_player_without_a_version_counts_as_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    write_foreign_run(out, EngineEntry("A", player="one"), versions={})
    assert cli.run(["resume", str(out)]) == 2
    assert (
        "A ran in an unknown version of Pentad when the run started; --force continues anyway"
        in capsys.readouterr().err
    )


PILE_BOARD = {"game": "pile", "width": 9, "height": 1, "variant": "normal"}
GOMOKU_BOARD = {"game": "gomoku", "width": 15, "height": 15, "variant": "freestyle"}


def write_foreign_run(out: Path, engine: EngineEntry, **changes: object) -> None:
    """Write the log of a run that is not in this user's list of trusted runs and has no games.

    `changes` are header fields.
    """
    out.mkdir()
    opponent = EngineEntry("B", player="random" if changes.get("game") == "gomoku" else "one")
    fields: dict[str, Any] = {"versions": read_versions()} | PILE_BOARD | changes
    with LogWriter(out) as log:
        log.write(make_header("AB", **fields, engines=(engine, opponent), planned=2))


@pytest.fixture
def foreign_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return the folder of an untrusted run, and a file that exists once the engine of the run has been started."""
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: GAMES)
    trace_file, program = tmp_path / "trace", tmp_path / "run" / "engine"
    entry = EngineEntry("A", f"{program} --now", protocol="gomocup", environment=(("TOKEN", "\x1b[2J1"),))
    write_foreign_run(tmp_path / "run", entry, **GOMOKU_BOARD)
    program.write_text(f"#!/bin/sh\ntouch {trace_file}\n", encoding="utf-8")
    program.chmod(0o755)
    return tmp_path / "run", trace_file


def test_foreign_commands_are_shown_and_not_run(
    foreign_run: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody who sends a folder must not be able to have a program executed by `pentad resume`."""
    out, trace_file = foreign_run
    assert cli.run(["resume", str(out), "--force"]) == 2
    error = capsys.readouterr().err
    assert error == (
        f"pentad: you did not begin the run in {out} on this machine, and resuming it runs A: TOKEN=?[2J1 "
        f"{out}/engine --now: give --yes if you trust it\n"
    )
    assert not trace_file.exists()
    assert cli.run(["resume", str(out), "--force", "--yes"]) == 1  # the script is started, but is not an engine
    assert trace_file.exists()


def test_error_with_a_huge_foreign_command_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: GAMES)
    write_foreign_run(tmp_path / "run", EngineEntry("A", "x" * 50_000, protocol="gomocup"), **GOMOKU_BOARD)
    assert cli.run(["resume", str(tmp_path / "run"), "--force"]) == 2
    error = capsys.readouterr().err
    assert len(error) < 1500
    assert error.endswith("x...: give --yes if you trust it\n")


@pytest.mark.parametrize(("answer", "is_started"), [("", False), ("n\n", False), ("y\n", True)])
def test_user_is_asked_before_foreign_commands_are_run(
    answer: str,
    is_started: bool,
    foreign_run: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, trace_file = foreign_run
    keyboard = io.StringIO(answer)
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli.run(["resume", str(out), "--force"]) == 1
    assert f"A: TOKEN=?[2J1 {out}/engine --now" in capsys.readouterr().err
    assert trace_file.exists() is is_started


@pytest.mark.parametrize("player", ["{0}/custom.py:Custom", "installed"])
def test_foreign_python_code_is_not_run(player: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "custom.py").write_text(f"open({str(tmp_path / 'trace')!r}, 'w')", encoding="utf-8")
    write_foreign_run(tmp_path / "run", EngineEntry("A", player=player.format(tmp_path)))
    assert cli.run(["resume", str(tmp_path / "run"), "--force"]) == 2
    assert "and resuming it runs A: Python code, " in capsys.readouterr().err
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("command", [["report"], ["report", "--html"]])
def test_report_runs_no_engine(
    command: list[str], foreign_run: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, trace_file = foreign_run
    (tmp_path / "custom.py").write_text(f"open({str(trace_file)!r}, 'w')", encoding="utf-8")
    header = read_run(out).header
    entry = EngineEntry("C", player=f"{tmp_path / 'custom.py'}:Custom")
    (out / LOG_NAME).unlink()
    with LogWriter(out) as log:
        log.write(structs.replace(header, engines=(header.engines[0], entry)))
    cli.run(["report", str(out)])  # this first call may start a compiler for the kernels of the rules
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a program was started"))
    assert cli.run([*command[:1], str(out), *command[1:]]) == 0
    assert not trace_file.exists()


def test_trusted_run_is_resumed_without_asking_unless_its_header_is_edited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "custom.py").write_text(CUSTOM_PLAYER, encoding="utf-8")
    out = tmp_path / "run"
    engines = ["--engine", f"player={tmp_path / 'custom.py'}:Custom", "--engine", "player=one"]
    assert cli.run(["match", "--game", "pile", *engines, "--games", "4", "--out", str(out)]) == 0
    truncate_log(out)
    log = (out / LOG_NAME).read_bytes()
    assert cli.run(["resume", str(out)]) == 0
    (out / LOG_NAME).write_bytes(log.replace(b'"seed":', b'"seed":1', 1))
    assert cli.run(["resume", str(out)]) == 2
    assert "you did not begin the run" in capsys.readouterr().err


CUSTOM_PLAYER = """
from tests.arena.fakes import Taker

class Custom(Taker):
    def __init__(self, options):
        super().__init__(options=options)
"""


def test_list_of_trusted_runs_is_ignored_if_others_can_write_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    trust_run("ab12")
    trust_run("cd34")
    assert is_trusted_run("ab12")
    assert is_trusted_run("cd34")
    assert not is_trusted_run("ab1")
    (tmp_path / "pentad" / "runs.txt").chmod(0o666)
    assert not is_trusted_run("ab12")


def test_run_is_played_although_it_cannot_be_recorded_as_trusted(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert cli.run([*command, "--games", "2", "--out", str(tmp_path / "run")]) == 0
    assert "`pentad resume` will ask before it resumes this run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        (EngineEntry("A", player="nobody"), "line 1: engines[0], 'A': unknown player 'nobody'"),
        (EngineEntry("A"), "line 1: engines[0], 'A': give either cmd=COMMAND or player=NAME"),
        (EngineEntry("A", "true", protocol="uhp"), "engines[0], 'A': Pile is played over proto=gomocup, not 'uhp'"),
    ],
)
def test_engine_with_wrong_settings_is_reported_before_the_first_game(
    engine: EngineEntry, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_foreign_run(tmp_path / "run", engine)
    assert cli.run(["resume", str(tmp_path / "run"), "--yes", "--force"]) == 2
    assert message in capsys.readouterr().err


def test_missing_program_loses_its_games_only_in_a_forced_resumption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else a program that has been deleted, or was withdrawn, would end a tournament for all others."""
    out = tmp_path / "run"
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: GAMES)
    write_foreign_run(out, EngineEntry("A", "./nothing", protocol="gomocup"), **GOMOKU_BOARD)
    assert cli.run(["resume", str(out), "--yes"]) == 2
    error = capsys.readouterr().err
    assert "engines[0], 'A': no program to start in './nothing'" in error
    assert f"`pentad resume {out} --force` plays on without it: an engine that cannot start loses its games" in error
    assert not read_run(out).games
    assert cli.run(["resume", str(out), "--yes", "--force"]) == 1
    output = capsys.readouterr().out
    assert "stopped: A failed in 2 consecutive games: could not start: cannot start ./nothing: " in output
    assert [(game.ending, game.winner) for game in read_run(out).games] == [(Ending.DISCONNECT, "B")] * 2


def test_engine_that_fails_its_trial_start_is_reported_before_a_resumed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: GAMES)
    out = tmp_path / "run"
    brain = EngineSpec("A", f"{sys.executable} -c 'import sys; sys.exit(\"no license\")'", protocol="gomocup")
    write_foreign_run(out, brain.log_entry(GAMES["gomoku"]), **GOMOKU_BOARD)
    old_log = (out / LOG_NAME).read_bytes()
    assert cli.run(["resume", str(out), "--yes"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "0 of 2 games are already played",
        "pentad: A could not start: exited with status 1: no license",
        "  no license",
        f"`pentad resume {out} --force` plays on without it: an engine that cannot start loses its games",
    ]
    assert (out / LOG_NAME).read_bytes() == old_log


def test_reports_can_be_written_at_the_same_time(command: list[str], tmp_path: Path) -> None:
    """Each process needs its own names of temporary files, or one process would rename those of another."""
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "20", "--out", str(out)]) == 0
    old_files = read_derived(out)
    report = [sys.executable, "-c", RUN_PENTAD, "report", str(out)]
    reports = [subprocess.Popen(report, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in reports] == [(b"", 0)] * 3
    assert read_derived(out) == old_files
