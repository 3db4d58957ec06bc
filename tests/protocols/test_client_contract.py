"""Behaviour that the clients of all protocols share: crashes, timeouts, garbage, refused games and bad moves.

Arguments such as `crash=2` are faults of the mock engines: tests/mocks/misbehaviour.py explains them. `client.choose`
asks the engine for its move.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from core.play.options import OptionError
from core.play.player import BadSetup, IllegalMove, Limits, Setup
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import EngineMisbehaved, EngineTerminated, EngineTimeout
from tests.protocols.line_stamps import LineStamps
from tests.protocols.mock_clients import MOCK_PROTOCOLS, MockProtocol
from tests.waiting import wait_until

QUICK = Limits(move_time_ms=200)

MakeClient = Callable[..., EngineClient]


@pytest.fixture(params=MOCK_PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> MockProtocol:
    return MOCK_PROTOCOLS[request.param]


@pytest.fixture
def make_client(clients: list[EngineClient]) -> MakeClient:
    """Return a function that makes a client of a protocol's mock engine with switches."""

    def make(protocol: MockProtocol, *switches: str, grace_ms: int = 30_000) -> EngineClient:
        clients.append(protocol.make(*switches, grace_ms=grace_ms))
        return clients[-1]

    return make


def start(protocol: MockProtocol, client: EngineClient, *moves: str) -> EngineClient:
    client.new_game(protocol.setup)
    client.set_position(moves)
    return client


def test_crash_is_reported_with_exit_status_and_stderr(protocol: MockProtocol, make_client: MakeClient) -> None:
    client = start(protocol, make_client(protocol, "crash=2"))
    client.set_position([client.choose(QUICK).move])
    with pytest.raises(EngineTerminated, match=r"status 3: Traceback: out of ideas") as caught:
        client.choose(QUICK)
    assert "out of ideas" in caught.value.stderr
    client.new_game(protocol.setup)  # starts a new process
    assert client.choose(QUICK).move == protocol.first_move


def test_stall_is_a_timeout_at_limit_and_grace(protocol: MockProtocol, make_client: MakeClient) -> None:
    client = start(protocol, make_client(protocol, "stall=1", grace_ms=1300))
    began = time.perf_counter()
    with pytest.raises(EngineTimeout, match="no move within 1500 ms") as caught:
        client.choose(QUICK)
    assert caught.value.kind == "stalled"
    assert time.perf_counter() - began >= 1.5


def test_late_answer_within_the_grace_is_accepted_with_its_time(
    protocol: MockProtocol, make_client: MakeClient
) -> None:
    client = make_client(protocol, "late=300")
    client.on_line = stamps = LineStamps()
    assert start(protocol, client).choose(QUICK).move == protocol.first_move
    elapsed_ms = stamps.elapsed_ms(protocol.search_command, protocol.last_answer_line)
    assert client.last_elapsed_ms == elapsed_ms >= 300


def test_garbage_on_both_streams_is_ignored(protocol: MockProtocol, make_client: MakeClient) -> None:
    client = start(protocol, make_client(protocol, "garbage=1"))
    assert client.choose(QUICK).move == protocol.first_move
    assert any(protocol.garbage in message for message in client.messages)
    wait_until(lambda: "more nonsense" in client.stderr_tail)  # the streams are read by different threads


@pytest.mark.parametrize(
    ("name", "answer", "moves", "expected"),
    [
        ("gomocup", "7,7", ["h8"], "h8"),
        ("gtp", "A1", ["a1", "b2"], "a1"),
        ("uhp", "bQ wQ/", [], "bQ wQ/"),
    ],
)
def test_illegal_move_is_left_to_the_referee(
    make_client: MakeClient, name: str, answer: str, moves: list[str], expected: str
) -> None:
    protocol = MOCK_PROTOCOLS[name]
    assert start(protocol, make_client(protocol, f"answer={answer}"), *moves).choose(QUICK).move == expected


@pytest.mark.parametrize(
    ("name", "switch", "message"),
    [
        ("gomocup", "refuse=1", "ERROR no board"),
        ("gtp", "refuse=boardsize", r"boardsize 3 was answered by '\? not today'"),
        ("uhp", "refuse=1", r"newgame Base\+M was answered by 'err no games today'"),
    ],
)
def test_a_refused_game_is_an_error_that_quotes_the_answer(
    make_client: MakeClient, name: str, switch: str, message: str
) -> None:
    protocol = MOCK_PROTOCOLS[name]
    with pytest.raises(EngineMisbehaved, match=message) as caught:
        make_client(protocol, switch).new_game(protocol.setup)
    assert caught.value.kind == "refused"


@pytest.mark.parametrize(
    ("name", "switch", "message"),
    [
        ("gtp", "refuse=play", r"play black b2 was answered by '\? not today'"),
        ("uhp", "forgets=1", "play wS1 was answered by 'invalidmove never heard of it'"),
    ],
)
def test_a_refused_move_is_an_error_that_quotes_the_answer(
    make_client: MakeClient, name: str, switch: str, message: str
) -> None:
    protocol = MOCK_PROTOCOLS[name]
    client = start(protocol, make_client(protocol, switch), protocol.opening)
    with pytest.raises(EngineMisbehaved, match=message) as caught:
        client.choose(QUICK)
    assert caught.value.kind == "refused"


def test_a_missing_program_is_an_error(protocol: MockProtocol) -> None:
    with pytest.raises(EngineTerminated, match="cannot start /no/such/engine"):
        protocol.new_client("/no/such/engine --fast").new_game(protocol.setup)


def test_bad_moves_change_nothing(protocol: MockProtocol, make_client: MakeClient) -> None:
    client = start(protocol, make_client(protocol), protocol.opening)
    for bad in protocol.bad_moves:
        with pytest.raises(IllegalMove):
            client.set_position([protocol.opening, bad])
    assert client.choose(QUICK).move == protocol.reply


@pytest.mark.parametrize("name", ["gomocup", "gtp"])
def test_bad_board_size_changes_nothing(make_client: MakeClient, name: str) -> None:
    protocol = MOCK_PROTOCOLS[name]
    client = start(protocol, make_client(protocol), protocol.opening)
    with pytest.raises(BadSetup):
        client.new_game(Setup(99, 99))
    assert client.choose(QUICK).move == protocol.reply


PARAMETER_LINES = {  # protocol -> the name of a parameter of its mock, and the beginning of the line that sets it
    "gomocup": ("level", "INFO level"),
    "gtp": ("player.level", "param_player level"),
    "uhp": ("Level", "options set Level"),
}


@pytest.mark.parametrize("name", PARAMETER_LINES)
def test_parameter_is_sent_again_after_a_restart(make_client: MakeClient, name: str) -> None:
    """A tuning sets a parameter by command; a process that has crashed must not go on with its default value."""
    protocol, (parameter, line) = MOCK_PROTOCOLS[name], PARAMETER_LINES[name]
    client, sent = make_client(protocol), list[str]()
    client.on_line = lambda mark, text, _at_ns: sent.append(text) if mark == ">" and line in text else None
    client.set_parameter(parameter, "3")
    client.new_game(protocol.setup)
    client.set_parameter(parameter, "4")
    client.new_game(protocol.setup)
    client.kill()
    client.new_game(protocol.setup)
    assert [text.split()[-1] for text in sent] == ["3", "4", "4"]


@pytest.mark.parametrize(("parameter", "value"), [("two words", "3"), ("level", ""), ("level", "3\nEND")])
def test_parameter_must_be_one_line_of_two_words(make_client: MakeClient, parameter: str, value: str) -> None:
    """INFO has no answer, so that the client itself must refuse what would be another command."""
    client = make_client(MOCK_PROTOCOLS["gomocup"])
    with pytest.raises(OptionError, match="must be one word with a value of one word"):
        client.set_parameter(parameter, value)
