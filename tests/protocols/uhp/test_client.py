"""The UHP client with a misbehaving engine: each fault gets its own error, and no process is left behind."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.play.options import OptionError
from core.play.player import Decision, IllegalMove, Limits, Progress, Setup
from protocols.driving.deadlines import Deadlines
from protocols.driving.process import EngineMisbehaved, EngineTerminated, EngineTimeout
from protocols.uhp.client import UhpClient
from tests.protocols.line_stamps import LineStamps
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
SETUP = Setup(variant="Base+M")
QUICK = Limits(move_time_ms=200)
QUIT_S = 0.7

MakeClient = Callable[..., UhpClient]


@pytest.fixture
def make_client() -> Iterator[MakeClient]:
    """Build clients of an engine with switches; at the end every process of theirs must be gone."""
    clients: list[UhpClient] = []

    def make(
        *switches: str, settings: dict[str, str] | None = None, start_s: float = 30.0, grace_ms: int = 30_000
    ) -> UhpClient:
        command = [sys.executable, "-S", "-m", "tests.mocks.uhp_engine", *switches]
        deadlines = Deadlines(start_s, 30, 30, QUIT_S)
        client = UhpClient(command, cwd=ROOT, settings=settings, grace_ms=grace_ms, deadlines=deadlines)
        clients.append(client)
        return client

    yield make
    for client in clients:
        process = client.process
        client.kill()
        assert process is None or not is_alive(process.pid)


def is_alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def start(client: UhpClient, *moves: str) -> UhpClient:
    client.new_game(SETUP)
    client.set_position(moves)
    return client


def test_plays_and_follows_the_game(make_client: MakeClient) -> None:
    client = start(make_client())
    assert client.about == {"name": "Mock", "version": "1.0", "capabilities": "Mosquito"}
    assert client.choose(QUICK).move == "wS1"
    client.set_position(["wS1", "bB1 wS1\\"])
    assert client.choose(QUICK).move == "wB1 -bB1"
    assert client.game_string == "Base+M;InProgress;White[2];wS1;bB1 -wS1"
    assert "wM -bB1" in client.legal_moves()
    client.set_position(["wA1"])
    assert client.ask_game() == "Base+M;InProgress;Black[1];wA1"


def test_commands_are_plain(make_client: MakeClient, tmp_path: Path) -> None:
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
    wanted = """options;options set Verbosity 2;newgame Base+M;play wS1;play bS1 -wS1;bestmove time 00:00:02;
undo 1;play bB1 -wS1;bestmove time 00:00:02.250;undo 1;bestmove depth 3;
options set Nodes 500;bestmove;bestmove time 00:00:01;options set Nodes 600;bestmove depth 2;
newgame Base;options set Nodes 0;bestmove time 00:00:05;exit""".replace("\n", "")
    assert log.read_text(encoding="utf-8").splitlines() == wanted.split(";")


def test_whole_seconds_for_engines_that_want_them(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start(make_client("whole=1", f"log={log}"))
    for _ in range(2):
        assert client.choose(Limits(move_time_ms=2500)).move == "wS1"
    assert client.choose(Limits(time_left_ms=10)).move == "wS1"
    with pytest.raises(EngineMisbehaved, match="500 ms cannot be told in whole seconds") as caught:
        client.choose(Limits(move_time_ms=500))
    assert caught.value.kind == "refused"
    told = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("bestmove")]
    times = ["time 00:00:02.500", "seconds 2.500", "time 00:00:02", "time 00:00:02", "time 00:00:01"]
    assert told == [f"bestmove {time}" for time in times]


def test_parts_of_a_second_in_another_engines_form(make_client: MakeClient, tmp_path: Path) -> None:
    """nokamute refuses a fraction in `time`; half a second told as a whole one would lose its games on time."""
    log = tmp_path / "log"
    client = start(make_client("seconds=1", f"log={log}"))
    for _ in range(2):
        assert client.choose(Limits(move_time_ms=500)).move == "wS1"
    told = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("bestmove")]
    assert told == ["bestmove time 00:00:00.500", "bestmove seconds 0.500", "bestmove seconds 0.500"]


def test_crash_is_a_death_with_status_and_last_words(make_client: MakeClient) -> None:
    client = start(make_client("crash=2"))
    client.set_position([client.choose(QUICK).move])
    with pytest.raises(EngineTerminated, match=r"status 3: Traceback: out of ideas") as caught:
        client.choose(QUICK)
    assert "out of ideas" in caught.value.stderr
    client.new_game(SETUP)  # a fresh process
    assert client.choose(QUICK).move == "wS1"


def test_stall_is_a_timeout_at_limit_and_grace(make_client: MakeClient) -> None:
    client = start(make_client("stall=1", grace_ms=1300))
    began = time.perf_counter()
    with pytest.raises(EngineTimeout, match="no move within 1500 ms") as caught:
        client.choose(QUICK)
    assert caught.value.kind == "stalled"
    assert time.perf_counter() - began >= 1.5


def test_late_within_the_grace_is_an_answer_with_its_time(make_client: MakeClient) -> None:
    client = make_client("late=300")
    client.on_line = stamps = LineStamps()
    assert start(client).choose(QUICK).move == "wS1"
    assert client.last_elapsed_ms == stamps.elapsed_ms("bestmove", "ok") >= 300


@pytest.mark.parametrize("answer", ["err the game is over", "", "resign", "wZ9 -wS1", "invalidmove wS1"])
def test_wrong_answers(make_client: MakeClient, answer: str) -> None:
    with pytest.raises(EngineMisbehaved, match="a move was asked for and answered by") as caught:
        start(make_client(f"answer={answer}")).choose(QUICK)
    assert caught.value.kind == "refused"


def test_illegal_move_is_left_to_the_referee(make_client: MakeClient) -> None:
    assert start(make_client("answer=bQ wQ/")).choose(QUICK).move == "bQ wQ/"


def test_interim_lines_are_progress(make_client: MakeClient) -> None:
    client = start(make_client("answer=wA1;1;-0.5;wA1\\nDepth: 9\\nwB1;4;+M3;wB1;bB1 -wB1\\nwB1"))
    reports: list[Progress] = []
    decision = client.choose(QUICK, reports.append)
    assert decision.move == "wB1"
    assert decision.progress == Progress(4, 0, 31997, 3, pv=("wB1", "bB1 -wB1"))
    assert [progress.depth for progress in reports] == [1, 4]
    assert list(client.messages) == ["Depth: 9"]
    start(client)
    assert list(client.messages) == []  # what was said in the last game does not begin the next


def test_nodes_ahead_of_the_move_are_progress(make_client: MakeClient) -> None:
    client = start(make_client("answer=nodes 17\\nnodes 512\\nwA1;3;15;wA1"))
    assert client.choose(QUICK) == Decision("wA1", Progress(3, 0, 15, nodes=512, pv=("wA1",)))


def test_garbage_on_both_streams_is_passed_over(make_client: MakeClient) -> None:
    client = start(make_client("garbage=1"))
    assert client.choose(QUICK).move == "wS1"
    wait_until(lambda: "more nonsense" in client.stderr_tail)  # the streams are read by different threads


def test_second_answer_is_not_taken_for_the_next_move(make_client: MakeClient) -> None:
    client, heard = make_client("twice=1"), []
    client.on_line = lambda mark, text, _at_ns: heard.append(mark + text)
    start(client).set_position([client.choose(QUICK).move])
    wait_until(lambda: heard[-1] == "<ok" and sum(line.startswith("<wS1;") for line in heard) == 2)
    assert client.choose(QUICK).move == "bS1 -wS1"


def test_refused_game_and_refused_move(make_client: MakeClient) -> None:
    with pytest.raises(EngineMisbehaved, match="newgame Base\\+M was answered by 'err no games today'"):
        make_client("refuse=1").new_game(SETUP)
    client = start(make_client("forgets=1"), "wS1")
    with pytest.raises(EngineMisbehaved, match="play wS1 was answered by 'invalidmove never heard of it'") as caught:
        client.choose(QUICK)
    assert caught.value.kind == "refused"


def test_missing_banner_and_missing_program(make_client: MakeClient) -> None:
    with pytest.raises(EngineTimeout, match=r"no ok after the start within 0\.3 s"):
        make_client("silent=1", start_s=0.3).new_game(SETUP)
    with pytest.raises(EngineTerminated, match="cannot start /no/such/engine"):
        UhpClient("/no/such/engine --fast").new_game(SETUP)


def test_deaf_engine_is_killed(make_client: MakeClient) -> None:
    client = start(make_client("deaf=1"))
    process = client.process
    assert process is not None
    began = time.perf_counter()
    client.close()
    assert time.perf_counter() - began >= QUIT_S
    assert not is_alive(process.pid)


def test_options_are_the_engines_own(make_client: MakeClient) -> None:
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
    client.ask_game()
    assert "options set PonderDuringIdle Disabled" in log.read_text(encoding="utf-8")
    assert client.options["PonderDuringIdle"] == "Disabled"


def test_bad_calls_change_nothing(make_client: MakeClient) -> None:
    client = start(make_client(), "wS1")
    for bad in ("", "h8", "wS1 bQ -", "wS1\nexit"):
        with pytest.raises(IllegalMove):
            client.set_position(["wS1", bad])
    assert client.choose(QUICK).move == "bS1 -wS1"
