"""A UHP engine as a process: unprompted banner, bytes of the responses, and the end of the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.play.player import Limits, Setup
from protocols.uhp.client import UhpClient
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-S", "-m", "tests.mocks.served_hive"]

Engine = subprocess.Popen[bytes]
MakeEngine = Callable[..., Engine]


@pytest.fixture
def make_engine() -> Iterator[MakeEngine]:
    """Start engines and read their banner; none may be left at the end."""
    engines: list[Engine] = []

    def make(*arguments: str) -> Engine:
        engine = subprocess.Popen(
            [*COMMAND, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        engines.append(engine)
        assert read_lines(engine, 3) == [b"id Served 1.0\n", b"\n", b"ok\n"]
        return engine

    yield make
    for engine in engines:
        engine.kill()
        engine.communicate()


def read_lines(engine: Engine, count: int) -> list[bytes]:
    assert engine.stdout is not None
    return [engine.stdout.readline() for _ in range(count)]


def send(engine: Engine, data: bytes) -> None:
    assert engine.stdin is not None
    engine.stdin.write(data)
    engine.stdin.flush()


def test_answers_on_the_wire(make_engine: MakeEngine) -> None:
    engine = make_engine()
    send(engine, b"\r\nnewgame Base\r\n\nbestmove time 00:00:01\n")
    assert read_lines(engine, 4) == [b"Base;NotStarted;White[1]\n", b"ok\n", b"wS1\n", b"ok\n"]


@pytest.mark.parametrize(
    ("arguments", "limit", "ending", "answers"),
    [
        ((str(UNTIL_STOPPED_MS),), b"depth 9", b"exit\n", b""),
        ((str(UNTIL_STOPPED_MS), "deaf"), b"depth 9", b"exit\n", b""),
        (("600",), b"depth 9", b"info\n", b"wS1\nok\nid Served 1.0\n\nok\n"),
        (("600", "deaf"), b"time 00:00:01", b"info\n", b"wS1\nok\nid Served 1.0\n\nok\n"),
        ((str(UNTIL_STOPPED_MS), "endless"), b"", b"", b"wS1\nok\n"),
    ],
)
def test_exit_and_end_of_input_while_thinking(
    make_engine: MakeEngine, arguments: tuple[str, ...], limit: bytes, ending: bytes, answers: bytes
) -> None:
    """Exit wants no answers; the end of input once cut off those to commands that had come."""
    engine = make_engine(*arguments)
    send(engine, b"newgame\nbestmove %b\n" % limit)
    assert read_lines(engine, 2)[1] == b"ok\n"
    wait_until_thinking(engine.stderr)
    output, _ = engine.communicate(ending, timeout=30)
    assert (output, engine.returncode) == (answers, 0)


def test_a_whole_game_through_the_client() -> None:
    client = UhpClient(COMMAND, cwd=ROOT)
    try:
        client.new_game(Setup(variant="Base+MLP"))
        moves: list[str] = []
        while not client.game_string.split(";")[1].endswith("Wins"):
            moves.append(client.choose(Limits(move_time_ms=1000)).move)
            client.set_position(moves)
            client.ask_game()
        assert client.game_string.startswith("Base+MLP;WhiteWins;Black[5];wS1;bS1 -wS1;")
        client.new_game(Setup(variant="Base"))
        assert client.choose(Limits(depth=1)).move == "wS1"
        process = client.process
    finally:
        client.close()
    assert process is not None
    assert process.exit_status == 0
