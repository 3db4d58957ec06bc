"""A run that was broken off goes on as if it never had been, and every file but the log can be made anew."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from msgspec import structs

from arena import cli
from arena.log import LOG_NAME, GameEnded, LogWriter, RunResumed, read_log, read_run
from tests.arena.fakes import PILE_GAME

RUN_ALONE = """
import sys
import arena.choose
from arena.cli import main
from tests.arena.fakes import PILE_GAME
arena.choose.list_games = lambda: {"pile": PILE_GAME}
main(sys.argv[1:])
"""
ENGINES = ("dice", "dice,name=other", "dice,name=third")
DERIVED = ("results.csv", "summary.json", "crosstable.txt", "games.txt")


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.choose.list_games", lambda: {"pile": PILE_GAME})


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """A tournament of three by chance, two games at a time, with a fixed number of nodes."""
    book = tmp_path / "book.txt"
    book.write_text("1\n2\n3\n1 1\n2 2\n", encoding="utf-8")
    engines = [part for engine in ENGINES for part in ("--engine", f"player={engine}")]
    fixed = ["--nodes", "100", "--seed", "5", "--concurrency", "2", "--openings", str(book)]
    return ["match", "--game", "pile", *engines, *fixed]


def played(directory: Path) -> list[GameEnded]:
    """The games that count, without the times, which no two runs have alike."""
    return [
        structs.replace(game, moves=tuple(structs.replace(entry, time_ms=0, own_us=0) for entry in game.moves))
        for game in read_run(directory).games
    ]


def read_derived(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file() and path.name not in (LOG_NAME, ".lock"))
    return {str(path): path.read_bytes() for path in files}


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_run_is_resumed_to_the_same_games(
    seed: int, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGKILL leaves no chance to tidy up: what counts must be on disk before, and half a pair must not count."""
    command += ["--games", "60"]
    out = tmp_path / "killed"
    alone = [sys.executable, "-c", RUN_ALONE, *command, "--out", str(out)]
    process = subprocess.Popen(alone, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until((out / LOG_NAME).exists)
    wait_until(lambda: b'"pair"' in (out / LOG_NAME).read_bytes())
    time.sleep(random.Random(seed).uniform(0.0, 0.4))
    process.kill()
    process.wait()
    left = read_run(out)
    assert 0 < len(left.games) < 180
    assert left.ended is None
    assert cli.run(["resume", str(out)]) == 0
    assert f"{len(left.games)} of 180 games are on record" in capsys.readouterr().err
    whole = tmp_path / "whole"
    assert cli.run([*command, "--out", str(whole)]) == 0
    assert played(out) == played(whole)
    assert len(played(out)) == 180
    assert sum(isinstance(event, RunResumed) for event in read_log(out)) == 1


def test_complete_run_has_nothing_to_resume(command: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "2", "--out", str(out)]) == 0
    log = (out / LOG_NAME).read_bytes()
    assert cli.run(["resume", str(out)]) == 0
    assert (out / LOG_NAME).read_bytes() == log


def test_every_derived_file_is_made_anew_byte_for_byte(command: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "4", "--out", str(out)]) == 0
    before = read_derived(out)
    assert {Path(name).name for name in before} > {*DERIVED, "00012.txt"}
    for name in before:
        Path(name).unlink()
    assert cli.run(["report", str(out)]) == 0
    assert read_derived(out) == before


def break_off(out: Path) -> None:
    """Cut the log after its first pair."""
    lines = (out / LOG_NAME).read_bytes().splitlines(keepends=True)
    end = next(number for number, line in enumerate(lines) if b'"event":"pair"' in line)
    (out / LOG_NAME).write_bytes(b"".join(lines[: end + 1]))


def test_changed_engine_is_refused_unless_forced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The header tells of another content of its program's file."""
    engine = tmp_path / "engine"
    engine.write_text("first", encoding="utf-8")
    out = tmp_path / "run"
    command = ["match", "--game", "pile", "--engine", "player=one,name=A", "--engine", "player=dice", "--games", "4"]
    assert cli.run([*command, "--out", str(out)]) == 0
    break_off(out)
    header = read_run(out).header
    changed = structs.replace(header.engines[0], player="", command=str(engine), file_hash="00", protocol="gomocup")
    (out / LOG_NAME).unlink()
    with LogWriter(out) as log:
        log.write(structs.replace(header, engines=(changed, header.engines[1])))
    assert cli.run(["resume", str(out)]) == 2
    assert "the program of A is not the one that the run began with; --force plays on" in capsys.readouterr().err
    assert len(list(read_log(out))) == 1


def test_player_of_another_version_is_refused_unless_forced(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "2", "--out", str(out)]) == 0
    break_off(out)
    monkeypatch.setattr("arena.resume.read_versions", lambda: {"pentad": "another"})
    assert cli.run(["resume", str(out)]) == 2
    assert "--force plays on" in capsys.readouterr().err
    assert cli.run(["resume", str(out), "--force"]) == 0
    assert [event.forced for event in read_log(out) if isinstance(event, RunResumed)] == [True]


def test_folder_in_use_is_refused(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert cli.run([*command, "--games", "2", "--out", str(out)]) == 0
    break_off(out)
    with FileLock(out / ".lock"):
        assert cli.run(["resume", str(out)]) == 2
    assert "another run is using" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["resume", "report"])
def test_folder_without_a_run(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([command, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"pentad: there is no run in {tmp_path}: no log.jsonl\n"
