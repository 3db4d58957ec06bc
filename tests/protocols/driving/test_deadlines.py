"""Start, new game, ping and quit of an engine each have a deadline, and do not count as thinking time.

Arguments such as `lag=play:300` are faults of the mock engine: tests/mocks/misbehaviour.py explains them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.play.player import Limits
from protocols.driving.deadlines import Deadlines
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import EngineTimeout
from tests.protocols.line_stamps import LineStamps
from tests.protocols.mock_clients import MOCK_PROTOCOLS, ROOT, is_alive, mock_command

LONG_DEADLINE_S = 10.0


@contextmanager
def client_of(protocol: str, switch: str, deadlines: Deadlines, mock: str = "") -> Iterator[EngineClient]:
    """Yield a client of the protocol and close it. Its engine is the protocol's mock or, if given, another `mock`."""
    mock_protocol = MOCK_PROTOCOLS[protocol]
    command = mock_command(mock or mock_protocol.mock, switch)
    client = mock_protocol.new_client(command, cwd=ROOT, deadlines=deadlines)
    try:
        yield client
    finally:
        client.close()


@pytest.mark.parametrize(
    ("protocol", "switch", "message"),
    [
        ("gomocup", "slow=2000", "no OK to START 15 within 0.3 s"),
        ("uhp", "slow=2000", "no ok after the start within 0.3 s"),
        ("gtp", "slow=2000", "protocol_version: no answer within 300 ms"),
    ],
)
def test_start_deadline(protocol: str, switch: str, message: str) -> None:
    deadlines = Deadlines(start_s=0.3, new_game_s=LONG_DEADLINE_S, ping_s=LONG_DEADLINE_S, quit_s=0.1)
    with client_of(protocol, switch, deadlines) as client, pytest.raises(EngineTimeout, match=message):
        client.new_game(MOCK_PROTOCOLS[protocol].setup)


@pytest.mark.parametrize(
    ("protocol", "switch", "message"),
    [
        ("gomocup", "lag=START:2000", "no OK to START 15 within 0.3 s"),
        ("uhp", "lag=newgame:2000", r"no ok after newgame Base\+M within 0.3 s"),
        ("gtp", "lag=clear_board:2000", "clear_board: no answer within 300 ms"),
    ],
)
def test_new_game_deadline(protocol: str, switch: str, message: str) -> None:
    deadlines = Deadlines(start_s=LONG_DEADLINE_S, new_game_s=0.3, ping_s=LONG_DEADLINE_S, quit_s=0.1)
    with client_of(protocol, switch, deadlines) as client, pytest.raises(EngineTimeout, match=message):
        client.new_game(MOCK_PROTOCOLS[protocol].setup)


@pytest.mark.parametrize(
    ("protocol", "message"), [("uhp", "no ok after play wS1 within 0.3 s"), ("gtp", "play black b2: no answer within")]
)
def test_ping_deadline(protocol: str, message: str) -> None:
    deadlines = Deadlines(start_s=LONG_DEADLINE_S, new_game_s=LONG_DEADLINE_S, ping_s=0.3, quit_s=0.1)
    with client_of(protocol, "lag=play:2000", deadlines) as client:
        client.new_game(MOCK_PROTOCOLS[protocol].setup)
        client.set_position([MOCK_PROTOCOLS[protocol].opening])
        with pytest.raises(EngineTimeout, match=message):
            client.choose(Limits(move_time_ms=5000))


@pytest.mark.parametrize("protocol", ["uhp", "gtp"])
def test_slow_answers_do_not_count_as_thinking_time(protocol: str) -> None:
    search, answer = {"uhp": ("bestmove", "ok"), "gtp": ("genmove", "a1")}[protocol]
    with client_of(protocol, "lag=play:300", Deadlines(quit_s=0.1)) as client:
        client.on_line = stamps = LineStamps()
        client.new_game(MOCK_PROTOCOLS[protocol].setup)
        client.set_position([MOCK_PROTOCOLS[protocol].opening])
        assert client.choose(Limits(move_time_ms=1000)).move
        assert client.last_elapsed_ms == stamps.elapsed_ms(search, answer)


@pytest.mark.parametrize("protocol", MOCK_PROTOCOLS)
def test_quit_deadline(protocol: str) -> None:
    with client_of(protocol, "deaf=1", Deadlines(quit_s=0.4)) as client:
        client.new_game(MOCK_PROTOCOLS[protocol].setup)
        process = client.process
        assert process is not None
        began = time.perf_counter()
        client.close()
        assert time.perf_counter() - began >= 0.4
        assert not is_alive(process.pid)


@pytest.mark.parametrize(
    ("protocol", "mock", "message"),
    [
        ("gomocup", "gtp_engine", "no OK to START 15 within 3 s, the last line was '[?] unknown command'"),
        ("gomocup", "uhp_engine", "no OK to START 15 within 3 s, the last line was 'ok'"),
        ("uhp", "gtp_engine", "no ok after the start within 3 s; options was answered by '[?] unknown command'"),
        ("uhp", "served_brain", "no ok after the start within 3 s; options was answered by 'UNKNOWN"),
        ("gtp", "served_brain", "protocol_version: no answer within 3000 ms, the last line was 'UNKNOWN"),
        ("gtp", "uhp_engine", "protocol_version: no answer within 3000 ms, the last line was 'ok'"),
    ],
)
def test_error_quotes_the_answer_of_an_engine_of_another_protocol(protocol: str, mock: str, message: str) -> None:
    deadlines = Deadlines(start_s=3.0, new_game_s=LONG_DEADLINE_S, ping_s=LONG_DEADLINE_S, quit_s=0.1)
    no_thinking = "0"  # the argument of `served_brain`: its time for a move, in ms
    with client_of(protocol, no_thinking, deadlines, mock) as client, pytest.raises(EngineTimeout, match=message):
        client.new_game(MOCK_PROTOCOLS[protocol].setup)
