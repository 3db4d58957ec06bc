"""Interrupts (SIGINT, Ctrl-C): one stops a search or is ignored by an idle process; two in a second end the process.

The search of a `deaf` mock engine cannot be stopped (tests/mocks/served_brain.py).
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bots.registry import GAMES
from core.system.early_interrupts import SIGINT_EXIT_STATUS
from protocols.serving.interrupts import ECHO_S, SECOND_INTERRUPT_S, Interrupts
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking
from tests.protocols.mock_clients import ROOT
from tests.protocols.mock_processes import Engine, StartMock, read_lines, send

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows sends console events instead of SIGINT")


@dataclass(frozen=True)
class ProtocolSample:
    """The commands of one protocol that the tests send to its mock engine, and the expected answers."""

    mock: str  # module of tests.mocks
    begin: bytes  # begins a game
    begin_answer: list[bytes]  # the answer to it, after a banner
    search: bytes  # starts a search
    search_answer: list[bytes]
    fast_command: bytes  # a command without a search
    fast_answer: bytes  # the first line of its answer
    quit: bytes


SAMPLES = {
    "gomocup": ProtocolSample(
        "served_brain",
        begin=b"START 15\n",
        begin_answer=[b"OK\n"],
        search=b"BEGIN\n",
        search_answer=[b"0,0\n"],
        fast_command=b"RESTART\n",
        fast_answer=b"OK\n",
        quit=b"END\n",
    ),
    "uhp": ProtocolSample(
        "served_hive",
        begin=b"newgame\n",
        begin_answer=[b"id Served 1.0\n", b"\n", b"ok\n", b"Base;NotStarted;White[1]\n", b"ok\n"],
        search=b"bestmove depth 9\n",
        search_answer=[b"wS1\n", b"ok\n"],
        fast_command=b"newgame\n",
        fast_answer=b"Base;NotStarted;White[1]\n",
        quit=b"exit\n",
    ),
    "gtp": ProtocolSample(
        "served_gtp",
        begin=b"clear_board\n",
        begin_answer=[b"=\n", b"\n"],
        search=b"genmove black\n",
        search_answer=[b"= a1\n", b"\n"],
        fast_command=b"name\n",
        fast_answer=b"= Served\n",
        quit=b"quit\n",
    ),
}

BeginGame = Callable[..., Engine]


@pytest.fixture(params=sorted(SAMPLES))
def sample(request: pytest.FixtureRequest) -> ProtocolSample:
    return SAMPLES[request.param]


@pytest.fixture
def begin_game(sample: ProtocolSample, start_mock: StartMock) -> BeginGame:
    """Return a function that starts an engine with long searches and begins a game."""

    def begin(*arguments: str) -> Engine:
        engine = start_mock(sample.mock, str(UNTIL_STOPPED_MS), *arguments)
        send(engine, sample.begin)
        assert read_lines(engine, len(sample.begin_answer)) == sample.begin_answer
        return engine

    return begin


def has_output_within(engine: Engine, seconds: float) -> bool:
    assert engine.stdout is not None
    return bool(select.select([engine.stdout], [], [], seconds)[0])


def interrupt_search(engine: Engine) -> None:
    """Send SIGINT until the engine answers, because one that arrives before the search has no effect."""
    for _ in range(5):
        engine.send_signal(signal.SIGINT)
        if has_output_within(engine, SECOND_INTERRUPT_S + 0.3):
            return
    pytest.fail("the engine goes on searching")


def interrupt_until_it_ends(engine: Engine) -> None:
    for _ in range(40):
        engine.send_signal(signal.SIGINT)
        try:
            engine.wait(ECHO_S + 0.15)
        except subprocess.TimeoutExpired:
            continue
        return
    pytest.fail("the engine does not end")


@posix_only
def test_interrupt_during_a_search_requests_the_move(sample: ProtocolSample, begin_game: BeginGame) -> None:
    engine = begin_game()
    send(engine, sample.search)
    wait_until_thinking(engine.stderr)
    interrupt_search(engine)
    assert read_lines(engine, len(sample.search_answer)) == sample.search_answer
    send(engine, sample.fast_command)
    assert read_lines(engine, 1) == [sample.fast_answer]
    send(engine, sample.quit)
    assert engine.wait(30) == 0


@posix_only
def test_interrupt_of_an_idle_process_is_ignored(sample: ProtocolSample, begin_game: BeginGame) -> None:
    engine = begin_game()
    engine.send_signal(signal.SIGINT)
    assert not has_output_within(engine, 0.2)
    send(engine, sample.fast_command)
    assert read_lines(engine, 1) == [sample.fast_answer]
    assert engine.poll() is None


@posix_only
@pytest.mark.parametrize("player_kind", ["attentive", "deaf"])
@pytest.mark.parametrize("thinks", [False, True], ids=["idle", "thinking"])
def test_two_interrupts_end_the_process(
    sample: ProtocolSample, begin_game: BeginGame, thinks: bool, player_kind: str
) -> None:
    engine = begin_game(player_kind)
    if thinks:
        send(engine, sample.search)
        wait_until_thinking(engine.stderr)
    interrupt_until_it_ends(engine)
    assert engine.returncode == SIGINT_EXIT_STATUS


# Starts a bot that gets SIGINT when it imports a module
INTERRUPTED_IMPORT = """
import os, runpy, signal, sys

class Interrupter:
    def find_spec(self, name, *_):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
runpy.run_module("bots.{game}", run_name="__main__")
"""


@posix_only
@pytest.mark.parametrize("game", sorted(GAMES))
def test_interrupt_during_the_start_ends_the_engine_silently(game: str) -> None:
    """Viewers and terminals may send an interrupt before the session exists.

    Regression: Python used to print a traceback of the import.
    """
    for module in ("core.version", "protocols.serving.serve"):
        code = INTERRUPTED_IMPORT.format(module=module, game=game)
        engine = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=b"", capture_output=True, check=False)
        assert (engine.returncode, engine.stdout, engine.stderr) == (SIGINT_EXIT_STATUS, b"", b"")


@posix_only
def test_the_end_of_input_ends_an_interrupted_process(begin_game: BeginGame) -> None:
    engine = begin_game()
    engine.send_signal(signal.SIGINT)
    assert engine.stdin is not None
    engine.stdin.close()
    engine.stdin = None
    assert engine.wait(30) == 0


def test_first_second_and_echoed_interrupts_differ_in_time() -> None:
    """An echo from a boot loader is ignored and does not extend the echo time."""
    interrupts = Interrupts()
    assert not interrupts.is_echo(1000.0)
    assert not interrupts.is_second(1000.0)
    assert interrupts.is_echo(1000.0 + ECHO_S / 3)
    assert interrupts.is_echo(1000.0 + ECHO_S * 2 / 3)
    assert not interrupts.is_echo(1000.0 + ECHO_S * 1.1)
    assert interrupts.is_second(1000.0 + ECHO_S * 1.1)
    late = Interrupts()
    assert not late.is_second(2000.0)
    assert not late.is_second(2000.0 + SECOND_INTERRUPT_S + 0.01)
    assert late.is_second(2000.0 + 2 * SECOND_INTERRUPT_S)
