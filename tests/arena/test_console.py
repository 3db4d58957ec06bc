"""Tests of the output of commands: control characters in foreign text, other encodings, and closed pipes."""

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
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell, which closes the stream")
MATCH = "match --game gomoku --engine player=greedy,name=A --engine player=greedy,name=B --games 2 --tc N=10 --seed 1"


def run(arguments: str, out: Path, shell_suffix: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run `pentad` in a shell; `shell_suffix` follows the command, such as `>&-`, which closes its output."""
    command = f'"$PYTHON" -c "from arena.cli.main import main; main()" {arguments} --out "$OUT" {shell_suffix}'
    variables = {"PYTHON": sys.executable, "OUT": str(out), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["sh", "-c", command], env={**os.environ, **variables, **environment}, capture_output=True, check=False
    )


def test_control_characters_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)
    stdout_console().print("a\x1b[31mb\x07c\td\ne", markup=False)
    assert output.getvalue() == "a?[31mb?c       d\ne\n"


def test_characters_outside_the_encoding_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: pipes on Windows use cp1252, so an engine name in Chinese used to end the run."""
    out, err = io.BytesIO(), io.BytesIO()
    for name, stream in (("stdout", out), ("stderr", err)):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(stream, encoding="cp1252", write_through=True))
    prepare_streams()
    stdout_console().print("五子 ± x", markup=False)
    print("五", file=sys.stderr)
    assert out.getvalue() == "?? ± x\n".encode("cp1252")
    assert err.getvalue() == b"?\n"


def test_closed_output_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: Rich used to end the process without a message, so the log had no end of the run."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stdout", os.fdopen(write_end, "w"))
    monkeypatch.setattr(sys, "stderr", errors)
    out = stdout_console(ignores_closed_pipe=True)
    for _ in range(3):
        out.print("x")
    message = "pentad: standard output is closed; the run continues and writes its files"
    assert " ".join(errors.getvalue().split()) == message
    sys.stdout.close()


def test_other_commands_stop_at_a_closed_output(monkeypatch: pytest.MonkeyPatch) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    monkeypatch.setattr(sys, "stdout", os.fdopen(write_end, "w"))
    with pytest.raises(BrokenPipeError):
        stdout_console().print("x")
    sys.stdout.close()
    assert isinstance(console.stderr_console(), SafeConsole)


@posix_only
@pytest.mark.parametrize("shell_suffix", ['| "$PYTHON" -c "import sys; sys.stdin.readline()"', ">&-"])
def test_run_without_output_plays_to_its_end(shell_suffix: str, tmp_path: Path) -> None:
    done = run(MATCH, tmp_path / "run", shell_suffix)
    assert b"Traceback" not in done.stderr
    [*_, last] = read_log(tmp_path / "run")
    assert last == RunEnded(2, 2, "")
    assert len((tmp_path / "run" / "results.csv").read_text(encoding="utf-8").splitlines()) == 3


@posix_only
def test_match_with_a_name_outside_the_encoding_is_played(tmp_path: Path) -> None:
    done = run(MATCH.replace("name=B", "name=五子"), tmp_path / "run", PYTHONIOENCODING="cp1252")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert b"(A v ??)" in done.stdout
    assert "五子" in (tmp_path / "run" / "results.csv").read_text(encoding="utf-8")
