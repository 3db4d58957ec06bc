"""The commands that the UHP client sends, what it reads from answers, and its errors for wrong answers.

Arguments such as `whole=1` are switches of the mock engine: tests/mocks/uhp_engine.py and tests/mocks/misbehaviour.py
explain them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.play.options import OptionError
from core.play.player import Decision, Limits, Progress, Setup
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import EngineMisbehaved
from protocols.uhp.client import UhpClient
from tests.protocols.mock_clients import PATIENT, ROOT, mock_command
from tests.waiting import wait_until

SETUP = Setup(variant="Base+M")
QUICK = Limits(move_time_ms=200)

MakeClient = Callable[..., UhpClient]


@pytest.fixture
def make_client(clients: list[EngineClient]) -> MakeClient:
    """Return a function that makes a client of the mock engine with switches."""

    def make(*switches: str, settings: dict[str, str] | None = None) -> UhpClient:
        command = mock_command("uhp_engine", *switches)
        client = UhpClient(command, cwd=ROOT, settings=settings, grace_ms=30_000, deadlines=PATIENT)
        clients.append(client)
        return client

    return make


def start(client: UhpClient, *moves: str) -> UhpClient:
    client.new_game(SETUP)
    client.set_position(moves)
    return client


def test_engine_is_brought_to_the_position(make_client: MakeClient) -> None:
    client = start(make_client())
    assert client.about == {"name": "Mock", "version": "1.0", "capabilities": "Mosquito"}
    assert client.choose(QUICK).move == "wS1"
    client.set_position(["wS1", "bB1 wS1\\"])
    assert client.choose(QUICK).move == "wB1 -bB1"
    assert client.game_string == "Base+M;InProgress;White[2];wS1;bB1 -wS1"
    assert "wM -bB1" in client.legal_moves()
    client.set_position(["wA1"])
    assert client.fetch_game_string() == "Base+M;InProgress;Black[1];wA1"


def test_sent_commands(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start(make_client(f"log={log}"), "wS1", "bS1 -wS1")
    client.choose(Limits(move_time_ms=2000))
    client.set_position(["wS1", "bB1 -wS1"])
    client.choose(Limits(time_left_ms=60_000, increment_ms=250))
    client.set_position(["wS1"])
    client.choose(Limits(depth=3, move_time_ms=1000))
    client.choose(Limits(nodes=500))
    client.choose(Limits(nodes=500, move_time_ms=1000))
    client.choose(Limits(nodes=600, depth=2))
    client.new_game(Setup(variant="Base"))
    client.choose(Limits())
    client.close()
    expected_commands = """options;options set Verbosity 2;newgame Base+M;play wS1;play bS1 -wS1;bestmove time 00:00:02;
undo 1;play bB1 -wS1;bestmove time 00:00:02.250;undo 1;bestmove depth 3;
options set Nodes 500;bestmove;bestmove time 00:00:01;options set Nodes 600;bestmove depth 2;
newgame Base;options set Nodes 0;bestmove time 00:00:05;exit""".replace("\n", "")
    assert log.read_text(encoding="utf-8").splitlines() == expected_commands.split(";")


def test_engine_that_refuses_fractions_gets_whole_seconds(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start(make_client("whole=1", f"log={log}"))
    for _ in range(2):
        assert client.choose(Limits(move_time_ms=2500)).move == "wS1"
    assert client.choose(Limits(time_left_ms=10)).move == "wS1"
    with pytest.raises(EngineMisbehaved, match="500 ms cannot be sent in whole seconds") as caught:
        client.choose(Limits(move_time_ms=500))
    assert caught.value.kind == "refused"
    sent_commands = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("bestmove")]
    times = ["time 00:00:02.500", "seconds 2.500", "time 00:00:02", "time 00:00:02", "time 00:00:01"]
    assert sent_commands == [f"bestmove {time}" for time in times]


def test_fraction_of_a_second_in_the_format_of_nokamute(make_client: MakeClient, tmp_path: Path) -> None:
    """nokamute refuses a fraction in `time`. With a whole second instead of half a second it would lose on time."""
    log = tmp_path / "log"
    client = start(make_client("seconds=1", f"log={log}"))
    for _ in range(2):
        assert client.choose(Limits(move_time_ms=500)).move == "wS1"
    sent_commands = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("bestmove")]
    assert sent_commands == ["bestmove time 00:00:00.500", "bestmove seconds 0.500", "bestmove seconds 0.500"]


@pytest.mark.parametrize("answer", ["err the game is over", "", "resign", "wZ9 -wS1", "invalidmove wS1"])
def test_a_wrong_answer_is_a_refusal(make_client: MakeClient, answer: str) -> None:
    with pytest.raises(EngineMisbehaved, match="bestmove was answered by") as caught:
        start(make_client(f"answer={answer}")).choose(QUICK)
    assert caught.value.kind == "refused"


def test_lines_during_a_search_are_reported_as_progress(make_client: MakeClient) -> None:
    client = start(make_client("answer=wA1;1;-0.5;wA1\\nDepth: 9\\nwB1;4;+M3;wB1;bB1 -wB1\\nwB1"))
    reports: list[Progress] = []
    decision = client.choose(QUICK, reports.append)
    assert decision.move == "wB1"
    assert decision.progress == Progress(4, 0, 31997, 3, pv=("wB1", "bB1 -wB1"))  # 32000 - 3: a win in 3 plies
    assert [progress.depth for progress in reports] == [1, 4]
    assert list(client.messages) == ["Depth: 9"]
    start(client)
    assert list(client.messages) == []  # messages of the last game are cleared


def test_last_node_count_before_the_move_is_progress(make_client: MakeClient) -> None:
    client = start(make_client("answer=nodes 17\\nnodes 512\\nwA1;3;15;wA1"))
    assert client.choose(QUICK) == Decision("wA1", Progress(3, 0, 15, nodes=512, pv=("wA1",)))


def test_second_answer_is_not_taken_for_the_next_move(make_client: MakeClient) -> None:
    client, received = make_client("twice=1"), []
    client.on_line = lambda mark, text, _at_ns: received.append(mark + text)
    start(client).set_position([client.choose(QUICK).move])
    wait_until(lambda: received[-1] == "<ok" and sum(line.startswith("<wS1;") for line in received) == 2)
    assert client.choose(QUICK).move == "bS1 -wS1"


def test_options_are_those_of_the_engine(make_client: MakeClient) -> None:
    client = start(make_client(settings={"Level": "3"}))
    assert client.options["level"] == 3
    assert list(client.options) == ["Verbosity", "Nodes", "Level", "Hash", "Book", "Style", "Contempt"]
    client.set_option("book", False)
    assert client.options["Book"] is False
    with pytest.raises(OptionError, match="whole number from 1 to 10"):
        client.set_option("level", 11)
    with pytest.raises(OptionError, match="unknown option"):
        client.set_option("colour", "red")
    assert client.choose(QUICK).move == "wS1"
    with pytest.raises(EngineMisbehaved, match="unknown option 'Colour'"):
        make_client(settings={"Colour": "red"}).new_game(SETUP)


def test_pondering_is_switched_off(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start(make_client("ponders=1", f"log={log}"))
    assert list(client.options) == ["MaxBranchingFactor", "PonderDuringIdle"]
    client.fetch_game_string()
    assert "options set PonderDuringIdle Disabled" in log.read_text(encoding="utf-8")
    assert client.options["PonderDuringIdle"] == "Disabled"
