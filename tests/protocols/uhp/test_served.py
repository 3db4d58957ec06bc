"""A mock UHP engine as a process: banner at the start, bytes of the responses, and the end of the process."""

from __future__ import annotations

import pytest

from core.play.player import Limits, Setup
from protocols.uhp.client import UhpClient
from tests.mocks.scripted_player import UNTIL_STOPPED_MS, wait_until_thinking
from tests.protocols.mock_clients import ROOT, mock_command
from tests.protocols.mock_processes import Engine, StartMock, read_lines, send


def start_engine(start_mock: StartMock, *arguments: str) -> Engine:
    """Start the mock engine and read its banner. `tests/mocks/served_hive.py` explains the arguments."""
    engine = start_mock("served_hive", *arguments)
    assert read_lines(engine, 3) == [b"id Served 1.0\n", b"\n", b"ok\n"]
    return engine


def test_answers_have_these_bytes(start_mock: StartMock) -> None:
    engine = start_engine(start_mock)
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
    ids=["exit", "exit, deaf", "end of input", "end of input, deaf", "end of input, no limits"],
)
def test_exit_drops_the_answer_of_a_search_and_the_end_of_input_does_not(
    start_mock: StartMock, arguments: tuple[str, ...], limit: bytes, ending: bytes, answers: bytes
) -> None:
    """`exit` drops pending answers. Regression: the end of input used to drop them, too."""
    engine = start_engine(start_mock, *arguments)
    send(engine, b"newgame\nbestmove %b\n" % limit)
    assert read_lines(engine, 2)[1] == b"ok\n"
    wait_until_thinking(engine.stderr)
    output, _ = engine.communicate(ending, timeout=30)
    assert (output, engine.returncode) == (answers, 0)


def test_whole_game_with_the_client() -> None:
    client = UhpClient(mock_command("served_hive"), cwd=ROOT)
    try:
        client.new_game(Setup(variant="Base+MLP"))
        moves: list[str] = []
        while not client.game_string.split(";")[1].endswith("Wins"):
            moves.append(client.choose(Limits(move_time_ms=1000)).move)
            client.set_position(moves)
            client.fetch_game_string()
        assert client.game_string.startswith("Base+MLP;WhiteWins;Black[5];wS1;bS1 -wS1;")
        client.new_game(Setup(variant="Base"))
        assert client.choose(Limits(depth=1)).move == "wS1"
        process = client.process
    finally:
        client.close()
    assert process is not None
    assert process.exit_status == 0
