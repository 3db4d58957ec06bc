"""A GTP engine as a process: bytes of the responses, interrupts, and the end of the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-S", "-m", "tests.mocks.served_gtp"]

Engine = subprocess.Popen[bytes]
MakeEngine = Callable[..., Engine]


@pytest.fixture
def make_engine() -> Iterator[MakeEngine]:
    """Start engines; none may be left at the end."""
    engines: list[Engine] = []

    def make(*arguments: str) -> Engine:
        engine = subprocess.Popen(
            [*COMMAND, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        engines.append(engine)
        return engine

    yield make
    for engine in engines:
        engine.kill()
        engine.communicate()


def ask(engine: Engine, data: bytes) -> bytes:
    """Send a line and return the answer up to its empty line."""
    send(engine, data)
    return read_answer(engine)


def send(engine: Engine, data: bytes) -> None:
    assert engine.stdin is not None
    engine.stdin.write(data)
    engine.stdin.flush()


def read_answer(engine: Engine) -> bytes:
    assert engine.stdout is not None
    lines = [engine.stdout.readline()]
    while lines[-1] not in (b"\n", b""):
        lines.append(engine.stdout.readline())
    return b"".join(lines)


def test_answers_on_the_wire(make_engine: MakeEngine) -> None:
    engine = make_engine()
    assert ask(engine, b"\r\n1 name\r\n\n# nothing\n") == b"=1 Served\n\n"
    assert ask(engine, b"boardsize 2\n") == b"=\n\n"
    assert ask(engine, b"showboard\n") == b"=\n. .\n . .\n\n"
    assert ask(engine, b"genmove\tblack\n") == b"= a1\n\n"
    assert ask(engine, b"play black a1\n") == b"? illegal move: black a1 (occupied)\n\n"


def test_quit_is_answered_and_exits_with_0(make_engine: MakeEngine) -> None:
    engine = make_engine()
    assert ask(engine, b"7 quit\n") == b"=7\n\n"
    assert engine.wait(30) == 0
    assert read_answer(engine) == b""


def test_a_script_gets_all_its_answers(make_engine: MakeEngine) -> None:
    """All lines at once and the end of input behind quit: the search before it has its time."""
    engine = make_engine("300")
    output, errors = engine.communicate(b"1 clear_board\n2 genmove b\n3 genmove w\n4 quit\n5 name\n", timeout=30)
    assert output == b"=1\n\n=2 a1\n\n=3 b1\n\n=4\n\n"
    assert errors.count(b"\nnot stopped\n") == 2
    assert engine.returncode == 0


@pytest.mark.parametrize("command", [b"genmove b", b"reg_genmove w", b"analyze", b"solve 20", b"dfpn-solve-state b"])
def test_interrupt_ends_a_search_which_then_answers(make_engine: MakeEngine, command: bytes) -> None:
    engine = make_engine(str(UNTIL_STOPPED_MS))
    assert ask(engine, b"time_settings 1000 0 0\n") == b"=\n\n"
    send(engine, command + b"\n")
    wait_until_thinking(engine.stderr)
    answer = ask(engine, b"# interrupt\n")
    assert answer.startswith(b"= ")
    assert ask(engine, b"name\n") == b"= Served\n\n"


def test_interrupt_right_behind_the_command_is_not_lost(make_engine: MakeEngine) -> None:
    engine = make_engine(str(UNTIL_STOPPED_MS))
    for number in range(20):
        send(engine, b"# interrupt\n%d reg_genmove b\n# interrupt\n" % number)
        assert read_answer(engine) == b"=%d a1\n\n" % number


@pytest.mark.parametrize("hearing", ["attentive", "deaf"])
@pytest.mark.parametrize("command", [b"genmove b\nname\n", b"solve 1\nname\n", b"analyze 1\nname\n"])
def test_end_of_input_leaves_a_search_its_time(make_engine: MakeEngine, hearing: str, command: bytes) -> None:
    engine = make_engine("600", hearing)
    send(engine, command)
    wait_until_thinking(engine.stderr)
    output, errors = engine.communicate(timeout=30)
    assert output.startswith(b"= ")
    assert output.endswith(b"\n\n= Served\n\n")
    assert errors == b"not stopped\n"
    assert engine.returncode == 0
