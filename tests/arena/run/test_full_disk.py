"""Tests of system errors, such as a full disk: messages name the path, and no complete pair is lost."""

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

# RLIMIT_FSIZE simulates a full disk: no file can grow beyond the given number of bytes.
RUN_WITH_FILE_LIMIT = """
import resource, sys
import arena.terms.arguments
from arena.cli.main import main
from tests.arena.fakes import PILE_GAME
arena.terms.arguments.list_games = lambda: {"pile": PILE_GAME}
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
main(sys.argv[2:])
"""
ENGINES = ["--engine", "player=perfect", "--engine", "player=one"]
posix_only = pytest.mark.skipif(os.name != "posix", reason="needs RLIMIT_FSIZE")


@pytest.fixture(autouse=True)
def register_test_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})


def run_with_file_limit(limit_bytes: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run `pentad` in a process whose files cannot grow beyond a limit."""
    process = [sys.executable, "-c", RUN_WITH_FILE_LIMIT, str(limit_bytes), *command]
    return subprocess.run(process, capture_output=True, text=True, check=False, timeout=120)


@posix_only
def test_run_stops_at_a_full_disk_and_can_be_resumed(tmp_path: Path) -> None:
    out = tmp_path / "a run"
    match = ["match", "--game", "pile", *ENGINES, "--games", "20", "--concurrency", "2", "--out", str(out)]
    finished = run_with_file_limit(9_000, *match)  # enough for some pairs, but not for all
    assert finished.returncode == 1, finished
    *_, games, error = finished.stderr.splitlines()
    assert error == (
        f"pentad: {out / LOG_NAME}: File too large; complete pairs are recorded; "
        f"once this is fixed, continue with `pentad resume '{out}'`"
    )
    stopped = read_run(out)
    assert games.startswith(f"played {len(stopped.games)} of 20 games")
    assert any(line.startswith("perfect ") for line in finished.stderr.splitlines())  # the standings so far
    assert 0 < len(stopped.games) < 20
    assert cli.run(["resume", str(out)]) == 0
    run = read_run(out)
    assert len(run.games) == 20
    assert set(run.games) > set(stopped.games)


@posix_only
def test_error_names_a_derived_file_that_does_not_fit(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert cli.run(["match", "--game", "pile", *ENGINES, "--games", "4", "--out", str(out)]) == 0
    old_content = (out / "summary.json").read_bytes()
    finished = run_with_file_limit(400, "report", str(out))  # too little for games.txt
    assert finished.returncode == 1
    assert finished.stderr == f"pentad: {out / 'games.txt'}: File too large; free some space and try again\n"
    assert (out / "summary.json").read_bytes() == old_content
    assert not list(out.glob(".*.part"))


def test_failed_write_leaves_no_incomplete_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread would append its line to an incomplete one, and the log could not be read."""
    with LogWriter(tmp_path) as log:
        log.write(make_header("AB"))
        old_content = (tmp_path / LOG_NAME).read_bytes()
        monkeypatch.setattr(os, "fsync", raise_disk_full)
        with pytest.raises(LogError, match=f"{LOG_NAME}: No space left on device; .*pentad resume {tmp_path}"):
            log.write(PairEnded(1))
        assert (tmp_path / LOG_NAME).read_bytes() == old_content
        monkeypatch.undo()
        with pytest.raises(LogError, match="No space left on device"):
            log.write(make_game(1, "A", "B"))
    assert (tmp_path / LOG_NAME).read_bytes() == old_content
    with LogWriter(tmp_path) as log:
        log.write(RunEnded(0, 2, "full"))
    assert len(read_log(tmp_path)) == 2


def raise_disk_full(*_: object) -> None:
    """Raise the error of a full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_error_of_the_io_log_is_raised_by_the_next_heading(tmp_path: Path) -> None:
    """An error raised by `record` would end the thread that reads the engine, and the engine would lose by a stall."""
    (tmp_path / "io").mkdir()
    (tmp_path / "io" / "A-1.log").symlink_to("/dev/full")
    log = IoLog(tmp_path, "A", 0)
    log.record("<", "OK", time.perf_counter_ns())
    with pytest.raises(OSError, match="No space left") as error:
        log.write_heading("game 1")
    assert format_os_error(error.value) == (
        f"{tmp_path}/io/A-1.log: No space left on device; free some space and try again"
    )
    log.close()


def test_games_count_although_their_records_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    monkeypatch.setattr("arena.results.game_records.replace_text_file", lambda path, _: raise_disk_full_at(path))
    assert cli.run(["match", "--game", "pile", *ENGINES, "--games", "4", "--out", str(out)]) == 1
    errors = capsys.readouterr().err.splitlines()
    *_, games, error = errors
    assert games.startswith("played 2 of 4 games")
    assert error.startswith(f"pentad: {out / 'games' / '00001.txt'}: No space left on device; free some space")
    assert error.endswith(f"once this is fixed, continue with `pentad resume {out}`")
    assert len(read_run(out).games) == 2
    monkeypatch.undo()
    monkeypatch.setattr("arena.terms.arguments.list_games", lambda: {"pile": PILE_GAME})
    assert cli.run(["resume", str(out)]) == 0
    assert len(read_run(out).games) == 4
    assert (out / "games" / "00001.txt").exists()


def raise_disk_full_at(path: Path) -> None:
    """Raise the error of a full disk for a path."""
    with naming_file(path):
        raise_disk_full()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["match", "--game", "pile", *ENGINES, "--out", "{0}/file/run"], "pentad: {0}/file/run: Not a directory"),
        (["report", "{0}/run"], "pentad: {0}/run/games/00001.txt: Is a directory"),
        (["match", "--game", "pile", *ENGINES, "--openings", "{0}"], "pentad: openings {0}: Is a directory"),
    ],
)
def test_errors_of_the_system_name_the_path(
    command: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The test inserts its folder for `{0}` in commands and messages."""
    (tmp_path / "file").touch()
    run = tmp_path / "run"
    assert cli.run(["match", "--game", "pile", *ENGINES, "--out", str(run)]) == 0
    (run / "games" / "00001.txt").unlink()
    (run / "games" / "00001.txt").mkdir()
    capsys.readouterr()
    assert cli.run([part.format(tmp_path) for part in command]) in (1, 2)
    assert capsys.readouterr().err.splitlines()[-1] == expected.format(tmp_path)


def test_error_names_the_option_of_a_port_in_use() -> None:
    server = pytest.importorskip("arena.web.play.server")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandFailedError, match=f"--port {port}: Address already in use"):
            server.serve(None, port, browse=False, announce=print)
