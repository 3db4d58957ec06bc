"""The commands that the Gomocup client sends, its errors for wrong answers, and the end of the engine's processes.

Arguments such as `twice=1` are switches of the mock engine: tests/mocks/misbehaviour.py explains them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bots.gomoku.notation import parse_variant
from core.play.player import IllegalMove, Limits, Progress, Setup
from protocols.driving.bounded_text import BYTES_PER_END
from protocols.driving.engine_client import EngineClient
from protocols.driving.process import STDERR_TAIL_BYTES, EngineMisbehaved, EngineProcess, EngineTerminated
from protocols.driving.process_tree import MemoryUse
from protocols.gomocup.client import GomocupClient
from tests.protocols.mock_clients import PATIENT, QUIT_S, ROOT, is_alive, mock_command
from tests.waiting import wait_until

BRAIN = mock_command("gomocup_brain")
SETUP = Setup(15, 15, "freestyle")
QUICK = Limits(move_time_ms=200, time_left_ms=60_000)

MakeClient = Callable[..., GomocupClient]


@pytest.fixture
def make_client(clients: list[EngineClient]) -> MakeClient:
    """Return a function that makes a client of the mock engine with switches."""

    def make(*switches: str, info: Mapping[str, str] | None = None) -> GomocupClient:
        client = GomocupClient(
            [*BRAIN, *switches],
            parse_variant,
            info=info,
            cwd=ROOT,
            grace_ms=30_000,
            deadlines=PATIENT,
            about_timeout_s=30.0,
        )
        clients.append(client)
        return client

    return make


def start(client: GomocupClient, moves: str = "") -> GomocupClient:
    client.new_game(SETUP)
    client.set_position(moves.split())
    return client


def test_the_move_search_info_and_messages_of_the_engine_are_read(make_client: MakeClient) -> None:
    client = start(make_client("chatty=1"))
    reports: list[Progress] = []
    decision = client.choose(QUICK, reports.append)
    assert decision.move == "a1"
    assert client.about["name"] == "Mock"
    assert decision.progress == Progress(4, 7, 12, None, 52_000, 9, ("h8", "i9"))
    assert reports == [decision.progress]
    assert client.messages[1:] == ["DEBUG own words", "MESSAGE hello"]


def test_sent_commands_are_those_of_tournament_managers(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = start(make_client(f"log={log}"))
    move = client.choose(QUICK).move
    client.set_position([move, "h8"])
    client.choose(Limits(move_time_ms=200, time_left_ms=-5, depth=3))
    client.set_position([move, "i9"])
    with pytest.raises(IllegalMove, match="i9 is taken"):
        client.set_position([move, "i9", "I9"])
    client.choose(QUICK)
    client.new_game(Setup(20, 20, "renju"))
    client.set_position(["h8"])
    client.choose(Limits(move_time_ms=100))
    client.close()
    expected = (
        "ABOUT|START 15|INFO rule 0|INFO game_type 1|INFO max_memory 367001600|INFO timeout_turn 200"
        "|INFO timeout_match 60000|INFO time_left 60000|BEGIN|INFO max_depth 3|INFO time_left 0|TURN 7,7"
        "|INFO max_depth 0|INFO time_left 60000|BOARD|0,0,1|8,8,2|DONE"
        "|START 20|INFO rule 4|INFO game_type 1|INFO max_memory 367001600|INFO timeout_turn 100"
        "|INFO timeout_match 0|INFO time_left 2147483647|TURN 7,7|END"
    )
    assert log.read_text(encoding="utf-8").splitlines() == expected.split("|")


def test_info_pairs_of_the_user_apply_unless_a_limit_overrides_them(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    info = {"max_memory": "5000", "max_depth": "3", "max_node": "700"}
    client = start(make_client(f"log={log}", info=info), "h8")
    client.choose(QUICK)
    client.set_position(["h9"])
    client.choose(Limits(move_time_ms=200, depth=4, nodes=900))
    client.set_position(["h10"])
    client.choose(QUICK)
    client.close()
    sent = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("INFO max_")]
    game = ["max_memory 5000", "max_depth 3", "max_node 700"]
    moves = ["max_depth 4", "max_node 900", "max_depth 3", "max_node 700"]
    assert sent == [f"INFO {pair}" for pair in [*game, *moves]]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [("15,3", "illegal"), ("-1,4", "illegal"), ("ERROR my head", "refused"), ("UNKNOWN TURN", "refused")],
)
def test_a_wrong_answer_is_an_error_of_its_kind(make_client: MakeClient, answer: str, kind: str) -> None:
    with pytest.raises(EngineMisbehaved, match=answer.split(maxsplit=1)[0]) as caught:
        start(make_client(f"answer={answer}"), "h8").choose(QUICK)
    assert caught.value.kind == kind


def test_a_million_bytes_on_stderr_do_not_block(make_client: MakeClient) -> None:
    client = start(make_client("stderr=1000000"))
    assert client.choose(QUICK).move == "a1"
    assert client.stderr_tail.endswith("the last words\n")
    assert len(client.stderr_tail) <= STDERR_TAIL_BYTES
    sent = client.take_stderr()
    assert sent.startswith("xxx")
    assert sent.endswith("the last words\n")
    assert 2 * BYTES_PER_END < len(sent) < 2 * BYTES_PER_END + 100  # both ends, and a line in place of the middle


def test_duplicate_answer_is_not_taken_for_the_next_move(make_client: MakeClient) -> None:
    client, received = make_client("twice=1"), []
    client.on_line = lambda _mark, text, _at_ns: received.append(text)
    start(client).set_position([client.choose(QUICK).move, "h8"])
    wait_until(lambda: received.count("0,0") == 2)
    assert client.choose(QUICK).move == "b1"
    assert list(client.messages) == ["0,0"]


def test_engine_that_ignores_quit_and_its_child_are_killed(make_client: MakeClient, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    client = start(make_client("deaf=1", f"child={pid_file}"))
    child = int(pid_file.read_text(encoding="utf-8"))
    process = client.process
    assert process is not None
    assert is_alive(child)
    began = time.perf_counter()
    client.close()
    assert time.perf_counter() - began >= QUIT_S  # it had time to quit
    wait_until(lambda: not is_alive(child) and not is_alive(process.pid))


def test_child_of_a_crashed_engine_is_killed(make_client: MakeClient, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    client = start(make_client("crash=1", f"child={pid_file}"))
    with pytest.raises(EngineTerminated, match="status 3"):  # although the child keeps the output open
        client.choose(QUICK)
    child = int(pid_file.read_text(encoding="utf-8"))
    wait_until(lambda: not is_alive(child))


def test_engine_and_its_child_end_with_the_interpreter(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = (
        "import sys, time; from protocols.driving.process import EngineProcess;"
        f"p = EngineProcess([*{BRAIN}, 'deaf=1', {f'child={pid_file}'!r}], cwd={str(ROOT)!r});"
        "p.write('START 15'); p.wait_line(lambda t: t == 'OK', time.perf_counter_ns() + 30 * 10**9); print(p.pid)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    pids = int(done.stdout), int(pid_file.read_text(encoding="utf-8"))
    wait_until(lambda: not any(map(is_alive, pids)))


def test_slow_start_is_accepted(make_client: MakeClient) -> None:
    assert start(make_client("slow=400")).choose(QUICK).move == "a1"


def test_stop_and_options_are_sent(make_client: MakeClient, tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = make_client(f"log={log}")
    client.set_option("threads", 2)
    limits = Limits(move_time_ms=100, excluded_moves=("h8",))
    limits.stop.set()
    start(client).choose(limits)
    client.close()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert "INFO thread_num 2" in lines
    assert lines[-6:] == ["7,7", "DONE", "INFO time_left 2147483647", "BEGIN", "YXSTOP", "END"]


def test_blocked_squares_are_freed_in_the_next_game(make_client: MakeClient, tmp_path: Path) -> None:
    """The engine keeps blocked squares over START; a new process has none."""
    log = tmp_path / "log"
    client = make_client(f"log={log}")
    for limits in (
        Limits(move_time_ms=100, excluded_moves=("h8",)),
        QUICK,
        Limits(move_time_ms=100, excluded_moves=("h8",)),
    ):
        start(client).choose(limits)
    client.close()
    start(client).choose(QUICK)
    client.close()
    sent = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith(("START", "YXBLOCK"))]
    blocked, unblocked = ["START 15", "YXBLOCKRESET", "YXBLOCK"], ["START 15", "YXBLOCKRESET"]
    assert sent == [*blocked, *unblocked, *blocked, "START 15"]


def test_memory_counts_every_process(make_client: MakeClient, tmp_path: Path) -> None:
    without_child = start(make_client()).process
    with_child = start(make_client(f"child={tmp_path / 'pid'}")).process
    assert without_child is not None
    assert with_child is not None
    wait_until(lambda: with_child.tree.memory().virtual > without_child.tree.memory().virtual * 1.5)
    with_child.kill()
    assert with_child.tree.memory() == MemoryUse(0, 0, 0)


def test_command_line_with_a_quoted_path(tmp_path: Path) -> None:
    program = tmp_path / "a brain.py"
    program.write_text("print('here', flush=True)", encoding="utf-8")
    process = EngineProcess(f"{sys.executable} 'a brain.py'", cwd=tmp_path, env={"PYTHONUTF8": "1"})
    assert process.wait_line(lambda _: True, time.perf_counter_ns() + 30 * 10**9).text == "here"
    with pytest.raises(EngineTerminated, match="exited with status 0"):
        process.wait_line(lambda _: True, time.perf_counter_ns() + 30 * 10**9)
