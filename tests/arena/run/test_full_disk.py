"""A disk that is full, and other refusals of the system: told with path and advice, and no finished pair is lost."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.engines.io_log import IoLog
from arena.errors import CommandFailedError, format_os_error
from arena.log.events import PairEnded, RunEnded
from arena.log.file import LOG_NAME, LogError, LogWriter, read_run
from core.system.files import naming_file
from tests.arena.events import read_log
from tests.arena.fakes import PILE_GAME
from tests.arena.web.runs import make_game, make_header

# RLIMIT_FSIZE stands for the disk: a file that would be larger than so many bytes is cut at that length
RUN_SMALL = """
import resource, sys
import arena.terms.arguments
from arena.cli.main import main
from tests.arena.fakes import PILE_GAME
arena.terms.arguments.list_games = lambda: {"pile": PILE_GAME}
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
main(sys.argv[2:])
"""
ENGINES = ["--engine", "player=perfect", "--engine", "player=one"]
posix = pytest.mark.skipif(os.name != "posix", reason="files cannot be limited")


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


def run_small(limit: int, *command: str) -> subprocess.CompletedProcess[str]:
    alone = [sys.executable, "-c", RUN_SMALL, str(limit), *command]
    return subprocess.run(alone, capture_output=True, text=True, check=False, timeout=120)


@posix
def test_a_run_stops_at_a_full_disk_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """Whatever line of the log finds no room."""
    out = tmp_path / "run"
    match = ["match", "--game", "pile", *ENGINES, "--games", "20", "--concurrency", "2", "--out", str(out)]
    done = run_small(9_000, *match)
    assert done.returncode == 1, done
    last = done.stderr.splitlines()[-1]
    assert last == (
        f"pentad: {out / LOG_NAME}: File too large; complete pairs are recorded; "
        f"once this is fixed, continue with `pentad resume {out}`"
    )
    left = read_run(out)
    assert 0 < len(left.games) < 20
    assert cli.run(["resume", str(out)]) == 0
    run = read_run(out)
    assert len(run.games) == 20
    assert set(run.games) > set(left.games)


@posix
def test_a_derived_file_without_room_is_named(tmp_path: Path) -> None:
    """The log fits, and one of the files beside it does not."""
    out = tmp_path / "run"
    assert cli.run(["match", "--game", "pile", *ENGINES, "--games", "4", "--out", str(out)]) == 0
    before = (out / "summary.json").read_bytes()
    done = run_small(400, "report", str(out))
    assert done.returncode == 1
    assert done.stderr == f"pentad: {out / 'games.txt'}: File too large; free some space and try again\n"
    assert (out / "summary.json").read_bytes() == before
    assert not list(out.glob(".*.part"))


def test_a_line_that_fails_leaves_no_half_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker would write its own line after the half, and the log could not be read any more."""
    with LogWriter(tmp_path) as log:
        log.write(make_header("AB"))
        whole = (tmp_path / LOG_NAME).read_bytes()
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(LogError, match=f"{LOG_NAME}: No space left on device; .*pentad resume {tmp_path}"):
            log.write(PairEnded(1))
        assert (tmp_path / LOG_NAME).read_bytes() == whole
        monkeypatch.undo()
        with pytest.raises(LogError, match="No space left on device"):
            log.write(make_game(1, "A", "B"))
    assert (tmp_path / LOG_NAME).read_bytes() == whole
    with LogWriter(tmp_path) as log:
        log.write(RunEnded(0, 2, "full"))
    assert len(read_log(tmp_path)) == 2


def fail(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_lines_of_programs_without_room_stop_the_run_and_no_engine(tmp_path: Path) -> None:
    """They are written by the threads that answers come through: an engine would lose by a stall."""
    (tmp_path / "io").mkdir()
    (tmp_path / "io" / "A-1.log").symlink_to("/dev/full")
    log = IoLog(tmp_path, "A", 0)
    log.record("<", "OK", time.perf_counter_ns())
    with pytest.raises(OSError, match="No space left") as caught:
        log.write_heading("game 1")
    assert format_os_error(caught.value) == (
        f"{tmp_path}/io/A-1.log: No space left on device; free some space and try again"
    )
    log.close()


def test_a_game_whose_files_find_no_room_is_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    monkeypatch.setattr("arena.results.game_records.replace_text_file", lambda path, _: fail_at(path))
    assert cli.run(["match", "--game", "pile", *ENGINES, "--games", "4", "--out", str(out)]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"pentad: {out / 'games' / '00001.txt'}: No space left on device; free some space")
    assert error.endswith(f"once this is fixed, continue with `pentad resume {out}`")
    assert len(read_run(out).games) == 2
    monkeypatch.undo()
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    assert cli.run(["resume", str(out)]) == 0
    assert len(read_run(out).games) == 4
    assert (out / "games" / "00001.txt").exists()


def fail_at(path: Path) -> None:
    with naming_file(path):
        fail()


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (["match", "--game", "pile", *ENGINES, "--out", "{0}/file/run"], "pentad: {0}/file/run: Not a directory"),
        (["report", "{0}/run"], "pentad: {0}/run/games/00001.txt: Is a directory"),
        (["match", "--game", "pile", *ENGINES, "--openings", "{0}"], "pentad: openings {0}: Is a directory"),
    ],
)
def test_what_the_system_refuses_is_told_with_its_path(
    command: list[str], wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`[Errno 20] Not a directory` says neither what nor where."""
    (tmp_path / "file").touch()
    run = tmp_path / "run"
    assert cli.run(["match", "--game", "pile", *ENGINES, "--out", str(run)]) == 0
    (run / "games" / "00001.txt").unlink()
    (run / "games" / "00001.txt").mkdir()
    capsys.readouterr()
    assert cli.run([part.format(tmp_path) for part in command]) in (1, 2)
    assert capsys.readouterr().err.splitlines()[-1] == wanted.format(tmp_path)


def test_a_port_in_use_is_told_as_the_option() -> None:
    server = pytest.importorskip("arena.web.play.server")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandFailedError, match=f"--port {port}: Address already in use"):
            server.serve(None, port, browse=False, announce=print)
