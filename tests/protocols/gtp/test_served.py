"""A mock GTP engine as a process: bytes of the responses, interrupts, and the end of the process.

tests/mocks/served_gtp.py explains its arguments.
"""

from __future__ import annotations

import pytest

from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking
from tests.protocols.mock_processes import Engine, StartMock, read_line, send


def ask(engine: Engine, data: bytes) -> bytes:
    """Send bytes and return the next response."""
    send(engine, data)
    return read_response(engine)


def read_response(engine: Engine) -> bytes:
    """Return the next response with the empty line at its end; b"" after the last one."""
    lines = [read_line(engine)]
    while lines[-1] not in (b"\n", b""):
        lines.append(read_line(engine))
    return b"".join(lines)


def test_answers_have_these_bytes(start_mock: StartMock) -> None:
    engine = start_mock("served_gtp")
    assert ask(engine, b"\r\n1 name\r\n\n# nothing\n") == b"=1 Served\n\n"
    assert ask(engine, b"boardsize 2\n") == b"=\n\n"
    assert ask(engine, b"showboard\n") == b"=\n. .\n . .\n\n"
    assert ask(engine, b"genmove\tblack\n") == b"= a1\n\n"
    assert ask(engine, b"play black a1\n") == b"? illegal move: black a1 (occupied)\n\n"


def test_quit_is_answered_and_exits_with_0(start_mock: StartMock) -> None:
    engine = start_mock("served_gtp")
    assert ask(engine, b"7 quit\n") == b"=7\n\n"
    assert engine.wait(30) == 0
    assert read_response(engine) == b""


def test_script_that_ends_its_input_gets_all_answers(start_mock: StartMock) -> None:
    """All lines are sent at once, then the input ends. The searches before quit are not stopped."""
    engine = start_mock("served_gtp", "300")
    output, errors = engine.communicate(b"1 clear_board\n2 genmove b\n3 genmove w\n4 quit\n5 name\n", timeout=30)
    assert output == b"=1\n\n=2 a1\n\n=3 b1\n\n=4\n\n"
    assert errors.count(b"\nnot stopped\n") == 2
    assert engine.returncode == 0


@pytest.mark.parametrize("command", [b"genmove b", b"reg_genmove w", b"analyze", b"solve 20", b"dfpn-solve-state b"])
def test_interrupt_ends_a_search_which_then_answers(start_mock: StartMock, command: bytes) -> None:
    engine = start_mock("served_gtp", str(UNTIL_STOPPED_MS))
    assert ask(engine, b"time_settings 1000 0 0\n") == b"=\n\n"
    send(engine, command + b"\n")
    wait_until_thinking(engine.stderr)
    answer = ask(engine, b"# interrupt\n")
    assert answer.startswith(b"= ")
    assert ask(engine, b"name\n") == b"= Served\n\n"


def test_interrupt_right_after_the_command_is_not_lost(start_mock: StartMock) -> None:
    engine = start_mock("served_gtp", str(UNTIL_STOPPED_MS))
    for number in range(20):
        send(engine, b"# interrupt\n%d reg_genmove b\n# interrupt\n" % number)
        assert read_response(engine) == b"=%d a1\n\n" % number


@pytest.mark.parametrize("player_kind", ["attentive", "deaf"])
@pytest.mark.parametrize("command", [b"genmove b\nname\n", b"solve 1\nname\n", b"analyze 1\nname\n"])
def test_search_is_not_stopped_by_the_end_of_input(start_mock: StartMock, player_kind: str, command: bytes) -> None:
    engine = start_mock("served_gtp", "600", player_kind)
    send(engine, command)
    wait_until_thinking(engine.stderr)
    output, errors = engine.communicate(timeout=30)
    assert output.startswith(b"= ")
    assert output.endswith(b"\n\n= Served\n\n")
    assert errors == b"not stopped\n"
    assert engine.returncode == 0
