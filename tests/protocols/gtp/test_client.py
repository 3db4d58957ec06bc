"""The commands that the GTP client sends, what it reads from answers, and its errors for wrong answers.

Arguments such as `bare=1` are switches of the mock engine: tests/mocks/gtp_engine.py and tests/mocks/misbehaviour.py
explain them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.hex.gtp import GTP as HEX
from core.play.options import OptionError
from core.play.player import Limits, Progress, Setup
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import EngineMisbehaved, EngineTimeout
from protocols.gtp.client import GtpClient
from protocols.gtp.game import GtpGame
from tests.mocks.scripted_player import UNTIL_STOPPED_MS
from tests.mocks.tiny_hex import TINY_HEX
from tests.protocols.mock_clients import PATIENT, ROOT, mock_command

SETUP = Setup(3, 3, "swap")
QUICK = Limits(move_time_ms=200)
GRACE_MS = 1300  # in tests in which no answer comes; with the move time of QUICK this gives 1500 ms

MakeClient = Callable[..., GtpClient]


@pytest.fixture
def make_client(clients: list[EngineClient]) -> MakeClient:
    """Return a function that makes a client of a mock engine with switches."""

    def make(*switches: str, module: str = "gtp_engine", game: GtpGame = TINY_HEX, **arguments: Any) -> GtpClient:
        timeouts: dict[str, Any] = {"deadlines": PATIENT, "grace_ms": 30_000}
        client = GtpClient(mock_command(module, *switches), game, cwd=ROOT, **(timeouts | arguments))
        clients.append(client)
        return client

    return make


def start(client: GtpClient, *moves: str) -> GtpClient:
    client.new_game(SETUP)
    client.set_position(moves)
    return client


def sent_commands(log: Path, *, skip: int = 7) -> list[str]:
    """Return the commands that the engine has logged, without ids and without the first `skip`, the handshake."""
    lines = [line.partition(" ")[2] or line for line in log.read_text(encoding="utf-8").splitlines()]
    return lines[skip:]


def test_engine_is_brought_to_the_position(make_client: MakeClient) -> None:
    client = start(make_client())
    assert client.about == {"name": "Mock", "version": "1.0"}
    assert client.choose(QUICK).move == "a1"
    client.set_position(["a1", "swap-pieces", "c3"])
    assert client.choose(QUICK).move == "b1"
    client.set_position(["a1", "b1"])
    assert client.choose(QUICK).move == "c1"


def test_sent_commands(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start(make_client(f"log={log}"), "a1", "b2")
    client.choose(Limits(move_time_ms=2500))
    client.set_position(["a1", "c2"])
    client.choose(Limits(time_left_ms=60_000))
    client.set_position(["a1", "c2", "b1", "c3"])
    client.choose(Limits(time_left_ms=51_500))
    client.new_game(Setup(3, 2, "swap"))
    client.choose(Limits(move_time_ms=9000, time_left_ms=45_000))
    client.choose(Limits(depth=3))
    client.choose(Limits(depth=3, nodes=500))
    client.choose(Limits(nodes=500))
    client.choose(Limits())
    client.close()
    expected_commands = """boardsize 3;clear_board;play black a1;play white b2;
time_settings 0 2.5 1;genmove black;last_search;
undo;undo;play white c2;time_settings 60 0 0;time_left black 60 0;genmove black;last_search;
play white c3;time_left black 51.5 0;genmove black;last_search;
boardsize 3 2;clear_board;time_settings 0 1.5 1;genmove black;last_search;
undo;param_gtp depth 3;time_settings 0 0 0;genmove black;last_search;
undo;param_gtp nodes 500;genmove black;last_search;
undo;param_gtp depth 0;genmove black;last_search;
undo;param_gtp nodes 0;genmove black;last_search;quit""".replace("\n", "")
    assert sent_commands(log) == expected_commands.split(";")


def test_swap_is_sent_as_the_stone_that_it_leaves(make_client: MakeClient, tmp_path: Path) -> None:
    """MoHex accepts `swap-pieces` but does not move the stone, so later moves could be illegal for it."""
    log = tmp_path / "log"
    client = start(make_client(f"log={log}", game=replace(TINY_HEX, moves_to_send=HEX.moves_to_send)), "b1")
    client.choose(QUICK)
    client.set_position(["b1", "swap-pieces"])
    client.choose(QUICK)
    client.set_position(["b1", "swap-pieces", "c3", "c1"])
    client.choose(QUICK)
    client.close()
    plays = [line for line in sent_commands(log) if line.startswith(("play", "undo", "genmove"))]
    expected_commands = (
        "play black b1;genmove white;undo;undo;play white a2;genmove black;undo;play black c3;play white c1"
    )
    assert plays == [*expected_commands.split(";"), "genmove black"]


def test_engine_with_the_required_commands_only(make_client: MakeClient, tmp_path: Path) -> None:
    """Without ids, `list_commands` and `undo`. Instead of taking moves back, the client begins the game again."""
    log = tmp_path / "log"
    client = start(make_client("bare=1", "noids=1", f"log={log}"), "a1")
    assert client.choose(QUICK).move == "b1"
    client.set_position([])
    assert client.choose(QUICK).move == "a1"
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[:6] == ["1 protocol_version", "name", "version", "list_commands", "boardsize 3", "clear_board"]
    assert lines[6:] == ["play black a1", "genmove white", "boardsize 3", "clear_board", "genmove black"]
    with pytest.raises(EngineMisbehaved, match="cannot send the limit depth: the engine has no param_gtp depth"):
        client.choose(Limits(depth=2))


@pytest.mark.parametrize(
    ("commands", "begins"),
    [
        (["param_mock max_games {nodes}"], True),
        (["param_mock level 3"], True),  # a command without placeholders is assumed to limit the search
        (["param_mock max_time {seconds}"], False),
        ([], False),
    ],
)
def test_no_game_begins_without_a_command_for_the_node_limit(
    make_client: MakeClient, commands: list[str], begins: bool
) -> None:
    """An engine that does not get the limit could search more nodes than its opponent in a match at equal nodes."""
    client = make_client("bare=1", time_commands=commands)
    client.required_limits = ("nodes",)
    if begins:
        client.new_game(SETUP)
        return
    with pytest.raises(EngineMisbehaved, match="cannot send the limit nodes: the engine has no param_gtp nodes"):
        client.new_game(SETUP)


def test_start_up_and_time_commands_are_sent(make_client: MakeClient, tmp_path: Path) -> None:
    """MoHex, for example, gets its move time by a parameter."""
    log = tmp_path / "log"
    client = make_client(
        f"log={log}",
        start_up=["param_game allow_swap 0", "komi 0"],
        time_commands=["param_gtp move_time {seconds}", "time_left black {left}", "komi {nodes}"],
    )
    start(client).choose(Limits(time_left_ms=60_000))
    client.choose(Limits(nodes=7))
    client.close()
    expected_commands = "param_gtp move_time 2;time_left black 60;genmove black;last_search;"
    expected_commands += "undo;param_gtp nodes 7;komi 7;genmove black;last_search;quit"
    assert sent_commands(log, skip=4)[:2] == ["param_game allow_swap 0", "komi 0"]
    assert sent_commands(log)[-10:] == expected_commands.split(";")
    with pytest.raises(EngineMisbehaved, match="frobnicate was answered by '\\? unknown command'") as caught:
        make_client(start_up=["frobnicate"]).new_game(SETUP)
    assert caught.value.kind == "refused"


def test_engine_that_refuses_fractions_gets_whole_seconds(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start(make_client("whole=1", f"log={log}"))
    for time_ms in (2500, 10, 0):
        assert client.choose(Limits(move_time_ms=time_ms)).move == "a1"
    assert [line for line in sent_commands(log) if line.startswith("time")] == [
        "time_settings 0 2.5 1", "time_settings 0 2 1", "time_settings 0 1 1"
    ]  # fmt: skip


def test_move_time_of_zero_is_not_sent_as_no_limit(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    start(make_client(f"log={log}")).choose(Limits(move_time_ms=0))
    assert "time_settings 0 0.001 1" in sent_commands(log)


def test_search_info_is_reported_once(make_client: MakeClient) -> None:
    """The mock does not search, so the info that it sends is empty."""
    reports: list[Progress] = []
    decision = start(make_client()).choose(QUICK, reports.append)
    assert [decision.progress] == reports == [Progress()]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("=ID b2", "no empty line after '=[0-9]+ b2', the answer to genmove black"),
        ("b2\\n", "no move within 1500 ms, the last line was 'b2'"),
        ("=999 b2\\n", "no move within 1500 ms, the last line was '=999 b2'"),
        ("= b2\\n", "no move within 1500 ms, the last line was '= b2'"),
    ],
    ids=["no empty line at the end", "no = sign", "wrong id", "no id"],
)
def test_response_without_correct_framing_is_a_timeout_that_quotes_it(
    make_client: MakeClient, raw: str, message: str
) -> None:
    with pytest.raises(EngineTimeout, match=message):
        start(make_client(f"raw={raw}", grace_ms=GRACE_MS)).choose(QUICK)


@pytest.mark.parametrize(
    ("raw", "kind", "message"),
    [
        ("?ID cannot\\n", "refused", "genmove black was answered by '\\? cannot'"),
        ("=ID\\n", "refused", "genmove black was answered by ''"),
        ("=ID # a1\\n", "refused", "genmove black was answered by '# a1'"),
    ],
    ids=["error", "no move", "comment only"],
)
def test_a_wrong_answer_is_an_error_of_its_kind(make_client: MakeClient, raw: str, kind: str, message: str) -> None:
    with pytest.raises(EngineMisbehaved, match=message) as caught:
        start(make_client(f"raw={raw}")).choose(QUICK)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "raw", ["=ID a1 # fine\\n", "=ID a1#fine\\n", "=ID a1 visits 7\\n", "=ID a1\\nvisits 1\\nb2\\n"]
)
def test_move_is_the_first_word_of_an_answer(make_client: MakeClient, raw: str) -> None:
    """Regression: engines that add a comment or statistics to the move used to lose their first game."""
    client = start(make_client(f"raw={raw}"))
    assert client.choose(QUICK).move == "a1"
    client.set_position(["a1", "b2"])
    assert client.choose(QUICK).move == "a1"  # no line of the first answer was taken for the second


def test_resignation_may_have_a_comment(make_client: MakeClient) -> None:
    assert start(make_client("answer=Resign # lost")).choose(QUICK).move == "resign"


def test_resigning_is_an_answer(make_client: MakeClient) -> None:
    assert start(make_client("answer=Resign")).choose(QUICK).move == "resign"


def test_second_answer_is_not_taken_for_the_next_move(make_client: MakeClient) -> None:
    client = start(make_client("twice=1"))
    client.set_position([client.choose(QUICK).move])
    assert client.choose(QUICK).move == "b1"


def test_options_are_those_of_the_engine(make_client: MakeClient) -> None:
    client = start(make_client(settings={"player.level": "3"}))
    assert list(client.options)[:4] == ["game.allow_swap", "gtp.move_time", "gtp.depth", "gtp.nodes"]
    assert list(client.options)[4:] == ["gtp.coordinates", "player.level", "player.book", "player.style"]
    assert client.options["player.level"] == "3"
    client.set_option("player.book", False)
    assert client.options["PLAYER.BOOK"] is False
    with pytest.raises(OptionError, match=r"parameter player\.level: '11' was answered by \"option level"):
        client.set_option("player.level", 11)
    with pytest.raises(OptionError, match="one of calm, wild"):
        client.set_option("player.style", "red")
    with pytest.raises(OptionError, match="unknown option"):
        client.set_option("colour", "red")
    assert client.choose(QUICK).move == "a1"
    for settings in ({"player.colour": "red"}, {"colour": "red"}):
        with pytest.raises(EngineMisbehaved, match="colour"):
            make_client(settings=settings).new_game(SETUP)


def test_parameter_with_a_unique_key_needs_no_group(make_client: MakeClient) -> None:
    """This allows one option of a match, such as `level`, for engines of all protocols."""
    client = start(make_client(settings={"Level": "3"}))
    assert client.options["player.level"] == "3"
    for name in ("depth", "colour"):
        with pytest.raises(
            EngineMisbehaved, match=rf"not '{name}'; known: game\.allow_swap, .*, gtp\.depth, .*, player\.depth"
        ):
            make_client(start_up=["player simple"], settings={name: "3"}).new_game(SETUP)


def test_stop_interrupts_an_engine_of_ours(make_client: MakeClient) -> None:
    client = start(make_client(str(UNTIL_STOPPED_MS), module="served_gtp"))
    limits = Limits(move_time_ms=60_000)
    threading.Timer(0.1, limits.stop.set).start()
    assert client.choose(limits).move == "a1"


def test_whole_game_with_the_gtp_session(make_client: MakeClient) -> None:
    client = start(make_client(module="served_gtp"), "b2")
    position = TINY_HEX.new_position(SETUP)
    position.play("b2")
    while position.outcome() is None:
        move = client.choose(Limits(move_time_ms=1000)).move
        position.play(move)
        client.set_position(position.moves)
    assert client.choose(QUICK).move == "resign"
    client.new_game(Setup(3, 3, "swap", "w2/1b1/3 b"))
    assert client.choose(Limits(depth=1)).move == "b1"
    process = client.process
    client.close()
    assert process is not None
    assert process.exit_status == 0
