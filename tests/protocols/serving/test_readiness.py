"""An engine must be ready for the next command when it writes an answer, because a fast host sends it at once.

The tests use real processes, without a pause between an answer and the next command. If a command were lost, the host
would wait for ever.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MODULES = {"gomocup": "tests.mocks.served_brain", "uhp": "tests.mocks.served_hive", "gtp": "tests.mocks.served_gtp"}
STUCK_S = 60.0  # an engine that does not answer within this time has lost a command

TURN_COUNTS = [pytest.param(200, id="200"), pytest.param(10_000, id="10000", marks=pytest.mark.slow)]


class Host:
    """A host with an engine process. It kills an engine that has lost a command."""

    def __init__(self, module: str, think_ms: int) -> None:
        self.engine = subprocess.Popen(
            [sys.executable, "-S", "-m", module, str(think_ms)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self.engine.stdout is not None
        self._reader = open(self.engine.stdout.fileno(), "rb", closefd=False)  # noqa: SIM115 - closed by `close`

    def say(self, *lines: str) -> None:
        """Send lines in a single write."""
        assert self.engine.stdin is not None
        self.engine.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def expect(self, *lines: str) -> None:
        """Read lines and check that they are the expected ones."""
        watchdog = threading.Timer(STUCK_S, self.engine.kill)
        watchdog.daemon = True
        watchdog.start()
        for line in lines:
            assert self._reader.readline().decode().rstrip("\r\n") == line
        watchdog.cancel()

    def close(self) -> None:
        """Kill the engine and close its pipes."""
        self.engine.kill()
        self.engine.wait()
        self._reader.close()
        for stream in (self.engine.stdin, self.engine.stdout):
            assert stream is not None
            stream.close()


@pytest.fixture
def make_host() -> Iterator[Callable[..., Host]]:
    """Return a function that makes a host for an engine of a protocol; close all hosts at the end."""
    hosts: list[Host] = []

    def make(protocol: str, think_ms: int = 0) -> Host:
        hosts.append(Host(MODULES[protocol], think_ms))
        return hosts[-1]

    yield make
    for host in hosts:
        host.close()


@pytest.mark.parametrize("turn_count", TURN_COUNTS)
def test_gomoku_answers_a_command_sent_at_once_after_its_move(make_host: Callable[..., Host], turn_count: int) -> None:
    """A BOARD, a TURN, and a TURN with a STOP right after it, in rotation; each is answered once."""
    host = make_host("gomocup")
    host.say("START 15")
    host.expect("OK")
    for turn in range(turn_count):
        if turn % 3 == 0:
            host.say("BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE")
            host.expect("0,0")
        elif turn % 3 == 1:
            host.say("TURN 14,14")
            host.expect("1,0")
        else:
            host.say("TURN 14,13", "STOP")
            host.expect("2,0")
    host.say("RESTART")
    host.expect("OK")  # and no other line before it


@pytest.mark.parametrize("turn_count", TURN_COUNTS)
def test_gomoku_loses_no_stop_sent_with_the_turn(make_host: Callable[..., Host], turn_count: int) -> None:
    """Without the STOP the search would run for two minutes."""
    host = make_host("gomocup", think_ms=120_000)
    host.say("INFO timeout_turn 120000", "START 15")
    host.expect("OK")
    for _ in range(turn_count):
        host.say("BOARD", "7,7,2", "DONE", "STOP")
        host.expect("0,0")


@pytest.mark.parametrize("turn_count", TURN_COUNTS)
def test_hive_answers_a_command_sent_at_once_after_its_move(make_host: Callable[..., Host], turn_count: int) -> None:
    host = make_host("uhp")
    host.expect("id Served 1.0", "", "ok")
    for _ in range(turn_count):
        host.say("newgame")
        host.expect("Base;NotStarted;White[1]", "ok")
        host.say("bestmove depth 1")
        host.expect("wS1", "ok")
        host.say("play wS1")
        host.expect("Base;InProgress;Black[1];wS1", "ok")


@pytest.mark.parametrize("turn_count", TURN_COUNTS)
def test_hive_loses_no_line_sent_with_an_endless_search(make_host: Callable[..., Host], turn_count: int) -> None:
    """The line that stops the search is answered after the move."""
    host = make_host("uhp", think_ms=120_000)
    host.expect("id Served 1.0", "", "ok")
    host.say("newgame")
    host.expect("Base;NotStarted;White[1]", "ok")
    for _ in range(turn_count):
        host.say("bestmove", "help undo")
        host.expect("wS1", "ok", "undo [N] - take back the last move or the last N", "ok")


@pytest.mark.parametrize("turn_count", TURN_COUNTS)
def test_gtp_answers_a_command_sent_at_once_after_its_move(make_host: Callable[..., Host], turn_count: int) -> None:
    host = make_host("gtp")
    for turn in range(turn_count):
        host.say("clear_board")
        host.expect("=", "")
        host.say(f"{turn} genmove black")
        host.expect(f"={turn} a1", "")
        host.say("play white b1")
        host.expect("=", "")


@pytest.mark.parametrize("turn_count", TURN_COUNTS)
def test_gtp_loses_no_interrupt_sent_with_the_command(make_host: Callable[..., Host], turn_count: int) -> None:
    host = make_host("gtp", think_ms=120_000)
    host.say("param_gtp move_time 120")
    host.expect("=", "")
    for _ in range(turn_count):
        host.say("reg_genmove black", "# interrupt")
        host.expect("= a1", "")
