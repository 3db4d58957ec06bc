"""Programs that are started with closed standard streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
POSIX = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell closes the streams")
CLOSED = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]  # shell redirections that close standard input, output and error
# Writes to a file whether each of these is true: the next file gets a descriptor above 2; standard input is open;
# standard output can be written to
REPORT = """
import os, sys
from core.system.streams import open_missing_streams
open_missing_streams()
first = os.open(os.devnull, os.O_RDONLY)
report = [first > 2, os.fstat(0).st_mode > 0]
try:
    os.write(1, b"x")
    report.append(True)
except OSError:
    report.append(False)
os.write(2, b"x")
open(sys.argv[1], "w").write(repr(report))
"""


def run_with_closed(closed: str, command: list[str], lines: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command with streams closed by the shell redirections `closed`; `lines` is its standard input."""
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(shell, env=environment, input=lines, capture_output=True, text=True, check=False)


@POSIX
@pytest.mark.parametrize("closed", CLOSED)
def test_closed_streams_become_the_null_device(closed: str, tmp_path: Path) -> None:
    """Regression: the first file that was opened used to get the descriptor of standard output, and so the answers."""
    file = tmp_path / "report"
    done = run_with_closed(closed, [sys.executable, "-c", REPORT, str(file)])
    assert done.returncode == 0, done.stderr
    assert file.read_text() == repr([True, True, ">&-" not in closed.split()])


@POSIX
@pytest.mark.parametrize("closed", CLOSED)
def test_a_bot_with_closed_streams_ends_without_a_traceback(closed: str) -> None:
    done = run_with_closed(closed, [sys.executable, "-m", "bots.gomoku", "--player", "greedy"], "START 15\nEND\n")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ("OK\n" if closed == "2>&-" else "")


@POSIX
@pytest.mark.parametrize("argument", ["--help", "--tunable"])
def test_a_bot_whose_output_is_not_read_ends_without_a_traceback(argument: str) -> None:
    """Regression: `pentad-hex --tunable | head` printed a traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as output:
        command = [sys.executable, "-m", "bots.gomoku", argument]
        done = subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
