"""SIGINT (Ctrl-C): one stops a search and is ignored by an idle process; two within a second end the process."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bots.registry import GAMES
from core.system.early_interrupts import SIGINT_EXIT_STATUS
from protocols.serving.interrupts import ECHO_S, SECOND_INTERRUPT_S, Interrupts
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking

ROOT = Path(__file__).parents[3]

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows sends console events instead of SIGINT")


@dataclass(frozen=True)
class ProtocolSample:
    """The commands of one protocol that the tests send to its mock engine, and the expected answers."""

    module: str
    begin: bytes  # begins a game
    begun: list[bytes]  # all answers before the search
    think: bytes  # starts a search
    answer: list[bytes]  # the answer of the search
    ask: bytes  # a command without a search
    told: bytes  # its answer
    end: bytes


SAMPLES = {
    "gomocup": ProtocolSample(
        "tests.mocks.served_brain",
        begin=b"START 15\n",
        begun=[b"OK"],
        think=b"BEGIN\n",
        answer=[b"0,0"],
        ask=b"RESTART\n",
        told=b"OK",
        end=b"END\n",
    ),
    "uhp": ProtocolSample(
        "tests.mocks.served_hive",
        begin=b"newgame\n",
        begun=[b"id Served 1.0", b"", b"ok", b"Base;NotStarted;White[1]", b"ok"],
        think=b"bestmove depth 9\n",
        answer=[b"wS1", b"ok"],
        ask=b"newgame\n",
        told=b"Base;NotStarted;White[1]",
        end=b"exit\n",
    ),
    "gtp": ProtocolSample(
        "tests.mocks.served_gtp",
        begin=b"clear_board\n",
        begun=[b"=", b""],
        think=b"genmove black\n",
        answer=[b"= a1", b""],
        ask=b"name\n",
        told=b"= Served",
        end=b"quit\n",
    ),
}

Engine = subprocess.Popen[bytes]


@pytest.fixture(params=sorted(SAMPLES))
def sample(request: pytest.FixtureRequest) -> ProtocolSample:
    return SAMPLES[request.param]


@pytest.fixture
def begin(sample: ProtocolSample) -> Iterator[Callable[..., Engine]]:
    """Return a function that starts an engine with long searches and begins a game; kill the engines at the end."""
    engines: list[Engine] = []

    def make(*arguments: str) -> Engine:
        command = [sys.executable, "-S", "-m", sample.module, str(UNTIL_STOPPED_MS), *arguments]
        engine = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        engines.append(engine)
        say(engine, sample.begin)
        assert read_lines(engine, len(sample.begun)) == sample.begun
        return engine

    yield make
    for engine in engines:
        engine.kill()
        engine.communicate()


def say(engine: Engine, data: bytes) -> None:
    assert engine.stdin is not None
    engine.stdin.write(data)


def read_lines(engine: Engine, count: int) -> list[bytes]:
    assert engine.stdout is not None
    return [engine.stdout.readline().rstrip(b"\r\n") for _ in range(count)]


def has_output_within(engine: Engine, seconds: float) -> bool:
    assert engine.stdout is not None
    return bool(select.select([engine.stdout], [], [], seconds)[0])


def cancel(engine: Engine) -> None:
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
def test_an_interrupt_while_thinking_asks_for_the_move(sample: ProtocolSample, begin: Callable[..., Engine]) -> None:
    engine = begin()
    say(engine, sample.think)
    wait_until_thinking(engine.stderr)
    cancel(engine)
    assert read_lines(engine, len(sample.answer)) == sample.answer
    say(engine, sample.ask)
    assert read_lines(engine, 1) == [sample.told]
    say(engine, sample.end)
    assert engine.wait(30) == 0


@posix_only
def test_an_interrupt_while_idle_is_ignored(sample: ProtocolSample, begin: Callable[..., Engine]) -> None:
    engine = begin()
    engine.send_signal(signal.SIGINT)
    assert not has_output_within(engine, 0.2)
    say(engine, sample.ask)
    assert read_lines(engine, 1) == [sample.told]
    assert engine.poll() is None


@posix_only
@pytest.mark.parametrize("hearing", ["attentive", "deaf"])
@pytest.mark.parametrize("thinks", [False, True], ids=["idle", "thinking"])
def test_two_interrupts_end_the_process(
    sample: ProtocolSample, begin: Callable[..., Engine], thinks: bool, hearing: str
) -> None:
    engine = begin(hearing)
    if thinks:
        say(engine, sample.think)
        wait_until_thinking(engine.stderr)
    interrupt_until_it_ends(engine)
    assert engine.returncode == SIGINT_EXIT_STATUS


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
    """Viewers and terminals may send one before the session listens; Python printed a traceback of the import."""
    for module in ("core.version", "protocols.serving.serve"):
        code = INTERRUPTED_IMPORT.format(module=module, game=game)
        engine = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=b"", capture_output=True, check=False)
        assert (engine.returncode, engine.stdout, engine.stderr) == (SIGINT_EXIT_STATUS, b"", b"")


@posix_only
def test_the_end_of_input_ends_an_interrupted_process(begin: Callable[..., Engine]) -> None:
    engine = begin()
    engine.send_signal(signal.SIGINT)
    assert engine.stdin is not None
    engine.stdin.close()
    engine.stdin = None
    assert engine.wait(30) == 0


def test_first_second_and_echoed_interrupts_are_told_apart_by_time() -> None:
    """An echo from a boot loader is ignored and does not extend the echo time; a key held down ends the process."""
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
