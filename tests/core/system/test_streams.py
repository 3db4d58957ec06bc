"""Programs that are started with closed standard streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
POSIX = pytest.mark.skipif(os.name == "nt", reason="closing a stream is the shell's")
CLOSED = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]
REPORT = """
import os, sys
from core.system.streams import open_missing_streams
open_missing_streams()
first = os.open(os.devnull, os.O_RDONLY)
told = [first > 2, os.fstat(0).st_mode > 0]
try:
    os.write(1, b"x")
    told.append(True)
except OSError:
    told.append(False)
os.write(2, b"x")
open(sys.argv[1], "w").write(repr(told))
"""


def run(command: list[str], closed: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(shell, env=environment, input=lines, capture_output=True, text=True, check=False)


@POSIX
@pytest.mark.parametrize("closed", CLOSED)
def test_closed_streams_become_the_null_device(closed: str, tmp_path: Path) -> None:
    """The first file that was opened got the number of standard output, and the protocol was written into it."""
    file = tmp_path / "told"
    done = run([sys.executable, "-c", REPORT, str(file)], closed)
    assert done.returncode == 0, done.stderr
    assert file.read_text() == repr([True, True, ">&-" not in closed.split()])


@POSIX
@pytest.mark.parametrize("closed", CLOSED)
def test_bot_without_streams_ends_without_a_traceback(closed: str) -> None:
    done = run([sys.executable, "-m", "bots.gomoku", "--player", "greedy"], closed, "START 15\nEND\n")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ("OK\n" if closed == "2>&-" else "")
