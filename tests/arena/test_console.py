"""Where commands print: text of others, consoles of other encodings, and outputs that nobody reads any more."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena import console
from arena.console import SafeConsole, prepare_streams, stdout_console
from arena.log.events import RunEnded
from tests.arena.events import read_log

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name == "nt", reason="closing a stream is the shell's")
MATCH = "match --game gomoku --engine player=greedy,name=A --engine player=greedy,name=B --games 2 --tc N=10 --seed 1"


def run(arguments: str, out: Path, closing: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a match in a shell that ends the command by `closing`."""
    command = f'"$PYTHON" -c "from arena.cli.main import main; main()" {arguments} --out "$OUT" {closing}'
    names = {"PYTHON": sys.executable, "OUT": str(out), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["sh", "-c", command], env={**os.environ, **names, **environment}, capture_output=True, check=False
    )


def test_text_of_others_cannot_command_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stdout", shown)
    stdout_console().print("a\x1b[31mb\x07c\td\ne", markup=False)
    assert shown.getvalue() == "a?[31mb?c       d\ne\n"


def test_what_a_console_cannot_show_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows a pipe has cp1252, and an engine's name of other letters ended the run."""
    out, err = io.BytesIO(), io.BytesIO()
    for name, shown in (("stdout", out), ("stderr", err)):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(shown, encoding="cp1252", write_through=True))
    prepare_streams()
    stdout_console().print("五子 ± x", markup=False)
    print("五", file=sys.stderr)
    assert out.getvalue() == "?? ± x\n".encode("cp1252")
    assert err.getvalue() == b"?\n"


def test_closed_output_is_told_once_and_a_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich ended the process without a word: no result, no stop in the log."""
    read, write = os.pipe()
    os.close(read)
    told = io.StringIO()
    monkeypatch.setattr(sys, "stdout", os.fdopen(write, "w"))
    monkeypatch.setattr(sys, "stderr", told)
    out = stdout_console(goes_on=True)
    for _ in range(3):
        out.print("x")
    message = "pentad: standard output is closed; the run goes on and writes its files"
    assert " ".join(told.getvalue().split()) == message
    sys.stdout.close()


def test_other_commands_stop_when_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    monkeypatch.setattr(sys, "stdout", os.fdopen(write, "w"))
    with pytest.raises(BrokenPipeError):
        stdout_console().print("x")
    sys.stdout.close()
    assert isinstance(console.stderr_console(), SafeConsole)


@POSIX
@pytest.mark.parametrize("closing", ['| "$PYTHON" -c "import sys; sys.stdin.readline()"', ">&-"])
def test_run_without_output_plays_to_its_end(closing: str, tmp_path: Path) -> None:
    done = run(MATCH, tmp_path / "run", closing)
    assert b"Traceback" not in done.stderr
    [*_, last] = read_log(tmp_path / "run")
    assert last == RunEnded(2, 2, "")
    assert len((tmp_path / "run" / "results.csv").read_text(encoding="utf-8").splitlines()) == 3


@POSIX
def test_match_prints_into_a_console_of_few_letters(tmp_path: Path) -> None:
    done = run(MATCH.replace("name=B", "name=五子"), tmp_path / "run", PYTHONIOENCODING="cp1252")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert b"(A v ??)" in done.stdout
    assert "五子" in (tmp_path / "run" / "results.csv").read_text(encoding="utf-8")
