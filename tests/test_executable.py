"""The real executable: what it weighs, how fast it starts, what it says, and how it ends without leaving anything.

Built once for each state of the sources, under dist/, which takes a minute.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.build import BuildPlan, build
from bots.registry import GAMES
from core.version import VERSION

SIZE_LIMIT_BYTES = 8 << 20  # of Gomocup's archives
START_S = 5.0  # about 0.2 where nothing else runs
END_S = 0.5
TRIES = 3  # another program may hold the processor for a while

Brain = subprocess.Popen[bytes]


@pytest.fixture(scope="session")
def built() -> Path:
    plan = BuildPlan((GAMES["gomoku"],))
    build(plan, lambda _: None)
    return plan.executable(GAMES["gomoku"])


@pytest.fixture
def executable(built: Path, tmp_path: Path) -> Path:
    """A copy in a folder of its own, so that a config file can stand beside it."""
    return Path(shutil.copy2(built, tmp_path))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder into which the executable unpacks itself."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(folder))
    return folder


def say(process: Brain, *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def ask(process: Brain, line: str, wanted: str) -> None:
    """Say a line and read the answer, passing over messages."""
    say(process, line)
    assert process.stdout
    answer = "MESSAGE"
    while answer.startswith("MESSAGE"):
        answer = process.stdout.readline().decode().strip()
    assert re.fullmatch(wanted, answer)


def run(executable: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [executable, *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=False)


def wait(process: Brain) -> float:
    """Seconds until the process and its output have ended."""
    start = time.monotonic()
    assert process.stdout
    process.stdout.read()
    process.wait(30)
    return time.monotonic() - start


def test_it_fits_the_archive(built: Path) -> None:
    assert built.stat().st_size <= SIZE_LIMIT_BYTES


def test_it_answers_soon_after_its_start(executable: Path) -> None:
    start = time.monotonic()
    assert run(executable, lines="START 15\nEND\n").stdout.splitlines()[-1] == "OK"
    assert time.monotonic() - start < START_S


def test_help_and_version(executable: Path) -> None:
    done = run(executable, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Pentad Gomoku, a brain for Gomocup managers {VERSION}\n"
    done = run(executable, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for kind in GAMES["gomoku"].players():
        assert kind.name in done.stdout
        assert all(f"--{option.name}" in done.stdout for option in kind.options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "11"], "pbrain-pentad: option level wants whole number from 1 to 10, not '11'"),
        (["--lvel", "1"], "pbrain-pentad: unknown option 'lvel'; known: level"),
        (["--player", "nobody"], "pbrain-pentad: unknown player 'nobody'; known: pentad"),
        (["15"], "pbrain-pentad: an option such as --player NAME is wanted, not '15'; --help lists them"),
    ],
)
def test_a_mistake_ends_it_with_2_and_a_reason(executable: Path, arguments: list[str], message: str) -> None:
    done = run(executable, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) == 1


def test_a_config_file_beside_it_is_read(executable: Path) -> None:
    config = executable.with_name("config.toml")
    config.write_text("level = 0\n")
    done = run(executable)
    assert (done.returncode, "option level wants" in done.stderr) == (2, True)
    assert run(executable, "--level", "3", lines="START 15\nEND\n").stdout.splitlines()[-1] == "OK"
    config.write_text("level = \n")
    done = run(executable)
    assert (done.returncode, str(config) in done.stderr) == (2, True)


def test_every_player_answers(executable: Path) -> None:
    for kind in GAMES["gomoku"].players():
        with subprocess.Popen(
            [executable, "--player", kind.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            ask(process, "START 15", "OK")
            say(process, "INFO timeout_turn 300")
            for line in ("BEGIN", "TURN 0,0"):
                ask(process, line, r"\d+,\d+")
            say(process, "END")
            wait(process)


def start_thinking(process: Brain) -> None:
    say(process, "INFO timeout_turn 60000", "INFO timeout_match 600000")
    say(process, "BOARD", "7,7,1", "8,8,2", "8,6,1", "9,5,2", "DONE")
    time.sleep(0.3)
    assert process.poll() is None


ENDINGS: dict[str, Callable[[Brain], None]] = {
    "END": lambda process: say(process, "END"),
    "end of input": lambda process: process.stdin.close() if process.stdin else None,
}
if sys.platform != "win32":
    ENDINGS["SIGTERM"] = lambda process: process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("thinking", [False, True], ids=["idle", "thinking"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_it_ends_soon_and_leaves_nothing(executable: Path, temporary: Path, ending: str, thinking: bool) -> None:
    delays = []
    for _ in range(TRIES):
        with subprocess.Popen([executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            ask(process, "START 15", "OK")
            assert [path.name[:4] for path in temporary.iterdir()] == ["_MEI"]
            if thinking:
                start_thinking(process)
            ENDINGS[ending](process)
            delays.append(wait(process))
        assert not list(temporary.iterdir())
        assert process.returncode in (0, -signal.SIGTERM)
        if delays[-1] < END_S:
            return
    pytest.fail(f"it ended only after {delays} s")


def test_it_needs_no_python_beside_it(executable: Path, temporary: Path) -> None:
    """Neither variables for Python nor a folder full of modules of the same names change anything."""
    (executable.parent / "core.py").write_text("raise RuntimeError")
    environment = {"PATH": "", "PYTHONHOME": "/nowhere", "PYTHONPATH": str(executable.parent), "TMPDIR": str(temporary)}
    done = subprocess.run(
        [executable],
        input="START 15\nEND\n",
        cwd=executable.parent,
        env=environment | {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "OK"
