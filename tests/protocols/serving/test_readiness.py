"""An engine must be ready for the next command when it writes an answer, because fast hosts send it at once.

The tests use real processes, without a pause between an answer and the next command. A lost command would leave the
host waiting for ever.
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
STUCK_S = 60.0  # an engine that writes no line for this time has lost a command

LENGTHS = [pytest.param(200, id="200"), pytest.param(10_000, id="10000", marks=pytest.mark.slow)]


class Host:
    """A host that sends without delay; it kills an engine that has lost a command."""

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

    def hear(self, *wanted: str) -> None:
        """Read lines and check that they are the wanted ones."""
        watch = threading.Timer(STUCK_S, self.engine.kill)
        watch.daemon = True
        watch.start()
        for line in wanted:
            assert self._reader.readline().decode().rstrip("\r\n") == line
        watch.cancel()

    def close(self) -> None:
        """Kill the engine and close its pipes."""
        self.engine.kill()
        self.engine.wait()
        self._reader.close()
        for stream in (self.engine.stdin, self.engine.stdout):
            assert stream is not None
            stream.close()


@pytest.fixture
def meet() -> Iterator[Callable[..., Host]]:
    hosts: list[Host] = []

    def make(protocol: str, think_ms: int = 0) -> Host:
        hosts.append(Host(MODULES[protocol], think_ms))
        return hosts[-1]

    yield make
    for host in hosts:
        host.close()


@pytest.mark.parametrize("turns", LENGTHS)
def test_gomoku_hears_the_turn_that_follows_its_move_at_once(meet: Callable[..., Host], turns: int) -> None:
    """A BOARD, a TURN, and a TURN with a STOP right after it, in rotation; each is answered once."""
    host = meet("gomocup")
    host.say("START 15")
    host.hear("OK")
    for turn in range(turns):
        if turn % 3 == 0:
            host.say("BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE")
            host.hear("0,0")
        elif turn % 3 == 1:
            host.say("TURN 14,14")
            host.hear("1,0")
        else:
            host.say("TURN 14,13", "STOP")
            host.hear("2,0")
    host.say("RESTART")
    host.hear("OK")  # no other line is left over


@pytest.mark.parametrize("turns", LENGTHS)
def test_gomoku_loses_no_stop_sent_with_the_turn(meet: Callable[..., Host], turns: int) -> None:
    """Without the STOP the search would run for two minutes."""
    host = meet("gomocup", think_ms=120_000)
    host.say("INFO timeout_turn 120000", "START 15")
    host.hear("OK")
    for _ in range(turns):
        host.say("BOARD", "7,7,2", "DONE", "STOP")
        host.hear("0,0")


@pytest.mark.parametrize("turns", LENGTHS)
def test_hive_hears_the_play_that_follows_its_move_at_once(meet: Callable[..., Host], turns: int) -> None:
    host = meet("uhp")
    host.hear("id Served 1.0", "", "ok")
    for _ in range(turns):
        host.say("newgame")
        host.hear("Base;NotStarted;White[1]", "ok")
        host.say("bestmove depth 1")
        host.hear("wS1", "ok")
        host.say("play wS1")
        host.hear("Base;InProgress;Black[1];wS1", "ok")


@pytest.mark.parametrize("turns", LENGTHS)
def test_hive_loses_no_line_sent_with_an_endless_search(meet: Callable[..., Host], turns: int) -> None:
    """The line that stops the search is answered after the move."""
    host = meet("uhp", think_ms=120_000)
    host.hear("id Served 1.0", "", "ok")
    host.say("newgame")
    host.hear("Base;NotStarted;White[1]", "ok")
    for _ in range(turns):
        host.say("bestmove", "help undo")
        host.hear("wS1", "ok", "undo [N] - take back the last move or the last N", "ok")


@pytest.mark.parametrize("turns", LENGTHS)
def test_gtp_hears_the_command_that_follows_its_move_at_once(meet: Callable[..., Host], turns: int) -> None:
    host = meet("gtp")
    for turn in range(turns):
        host.say("clear_board")
        host.hear("=", "")
        host.say(f"{turn} genmove black")
        host.hear(f"={turn} a1", "")
        host.say("play white b1")
        host.hear("=", "")


@pytest.mark.parametrize("turns", LENGTHS)
def test_gtp_loses_no_interrupt_sent_with_the_command(meet: Callable[..., Host], turns: int) -> None:
    host = meet("gtp", think_ms=120_000)
    host.say("param_gtp move_time 120")
    host.hear("=", "")
    for _ in range(turns):
        host.say("reg_genmove black", "# interrupt")
        host.hear("= a1", "")
