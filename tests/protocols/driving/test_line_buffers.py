"""Whatever a program says, and however fast: what is kept of it is bounded, and nobody waits for ever."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.gomoku.notation import parse_variant
from core.play.player import Limits, Setup
from protocols.driving.deadlines import Deadlines
from protocols.driving.line_buffers import (
    BURST_BYTES,
    MAX_BYTES_PER_S,
    ArrivedLine,
    LastLines,
    LineQueue,
    Throttle,
    chunk_size_bytes,
)
from protocols.driving.process import RECEIVED, SENT, EngineProcess, EngineTerminated, EngineTimeout
from protocols.gomocup.client import MAX_SUGGESTIONS, GomocupClient
from protocols.gomocup.text import parse_about

ROOT = Path(__file__).parents[3]
BRAIN = [sys.executable, "-S", "-m", "tests.mocks.gomocup_brain"]
LINE = ArrivedLine("x" * 36, 0)  # weighs 100
MANY = 10_000  # lines, more than are read at once


@pytest.fixture
def flooder() -> Iterator[EngineProcess]:
    process = EngineProcess([*BRAIN, r"pour=start:0:MESSAGE x\n"], cwd=ROOT)
    yield process
    process.kill()


def test_lines_that_come_at_once_have_one_time() -> None:
    """What is done with the lines before a move, such as keeping them on a slow disk, was the engine's time."""

    def dawdle(mark: str, text: str, at_ns: int) -> None:  # noqa: ARG001
        time.sleep(0.05)

    code = r"import sys; sys.stdout.write('MESSAGE a\nMESSAGE b\n7,7\n')"
    process = EngineProcess([sys.executable, "-S", "-c", code], on_line=dawdle)
    stamps = {process.wait_line(lambda _: True, time.perf_counter_ns() + 10**10).at_ns for _ in range(3)}
    process.kill()
    assert len(stamps) == 1


def test_queue_that_is_full_makes_the_reader_wait_and_kill_frees_it() -> None:
    queue = LineQueue(max_bytes=300)
    taken = [queue.put(LINE) for _ in range(3)]
    thread = threading.Thread(target=lambda: taken.extend(queue.put(LINE) for _ in range(2)))
    thread.start()
    thread.join(0.05)
    assert (taken, thread.is_alive()) == ([True] * 3, True)
    assert queue.get(0) == LINE
    queue.close()
    thread.join(10)
    assert not thread.is_alive()
    assert taken[-1] is False
    rest = queue.drain()
    assert set(rest) == {LINE}
    assert (queue.get(0), queue.is_exhausted) == (None, True)


def test_deadline_holds_whatever_comes_meanwhile(flooder: EngineProcess) -> None:
    """It was looked at only when nothing had come, and something always has where we are slower than the flood."""
    flooder.wait_line(bool, time.perf_counter_ns() + 30 * 10**9)
    deadline_ns = time.perf_counter_ns()
    flooder.drain()
    time.sleep(0.2)
    heard: list[ArrivedLine] = []
    with pytest.raises(EngineTimeout):
        flooder.wait_line(lambda _: len(heard) > MANY, deadline_ns, heard.append)
    assert all(line.at_ns <= deadline_ns for line in heard)  # read before, they waited for their place in the queue


def test_line_that_came_in_time_counts_however_late_we_look(flooder: EngineProcess) -> None:
    deadline_ns = flooder.wait_line(bool, time.perf_counter_ns() + 30 * 10**9).at_ns + 3 * 10**8
    time.sleep(0.5)
    assert flooder.wait_line(bool, deadline_ns).at_ns <= deadline_ns


def test_draining_a_flood_ends(flooder: EngineProcess) -> None:
    flooder.wait_line(bool, time.perf_counter_ns() + 30 * 10**9)
    time.sleep(0.3)
    assert sum(len(line.text) for line in flooder.drain()) <= BURST_BYTES


@pytest.mark.parametrize("descriptor", [1, 2])
def test_flood_does_not_take_our_processor(descriptor: int) -> None:
    """Nobody waits for its lines while the other engine thinks, and its standard error is nobody's affair at all."""
    code = f"import os\nwhile True: os.write({descriptor}, b'x' * 4095 + b'\\n')"
    process = EngineProcess([sys.executable, "-S", "-c", code])
    time.sleep(1)
    began_cpu_s = time.process_time()
    time.sleep(1)
    used_cpu_s = time.process_time() - began_cpu_s
    process.kill()
    assert used_cpu_s < 0.3


def test_pace_lets_a_burst_through_and_then_so_much_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr("protocols.driving.line_buffers.time.perf_counter", lambda: now[0])
    monkeypatch.setattr("protocols.driving.line_buffers.time.sleep", sleep)
    throttle = Throttle()
    for _ in range(10):
        throttle.charge(BURST_BYTES // 10)
        throttle.wait()
    assert not slept
    for _ in range(40):
        throttle.charge(MAX_BYTES_PER_S // 10)
        throttle.wait()
    assert sum(slept) == pytest.approx(4, rel=0.01)
    assert chunk_size_bytes(b"\n" * 1000) > 50_000  # empty lines count, too


def test_kept_lines_are_bounded() -> None:
    lines = LastLines(max_bytes=1000)
    lines.add(*(str(n) for n in range(100)), "y" * 5000)
    assert (len(lines), lines.left_out, lines[-1]) == (1, 100, "y" * 5000)


def test_suggestions_are_accepted_so_often_and_then_passed_over() -> None:
    """Each of them was answered, and the answers were kept until the brain read them, which it did not."""
    client = GomocupClient(
        [*BRAIN, r"pour=think:0:SUGGEST 7,7\n"],
        parse_variant,
        cwd=ROOT,
        grace_ms=500,
        deadlines=Deadlines(30, quit_s=0.1),
    )
    marks: list[str] = []
    client.on_line = lambda mark, text, _: marks.append(mark + text.split()[0])
    client.new_game(Setup(15, 15, "freestyle"))
    with pytest.raises(EngineTimeout, match="the last line was 'SUGGEST 7,7'"):
        client.choose(Limits(move_time_ms=100))
    client.close()
    assert marks.count(f"{SENT}PLAY") == MAX_SUGGESTIONS
    assert marks.count(f"{RECEIVED}SUGGEST") > 10 * MAX_SUGGESTIONS


def test_endless_line_is_no_line(tmp_path: Path) -> None:
    """100 MB without a line end: the beginning is told, the rest dropped as it comes."""
    program = tmp_path / "long.py"
    code = "import os\nfor _ in range(1600): os.write(1, b'x' * 65536)\nprint('\\nhere')\n"
    program.write_text(code, encoding="utf-8")
    process = EngineProcess([sys.executable, "-S", str(program)], cwd=tmp_path)
    with pytest.raises(EngineTimeout):
        process.wait_line(lambda text: text == "here", time.perf_counter_ns() + 10**9)
    process.kill()
    with pytest.raises(EngineTerminated):
        process.wait_line(lambda text: text == "here", time.perf_counter_ns() + 10**9)


def test_about_line_is_read_at_once_whatever_it_holds() -> None:
    """Looking for a field from each of its letters on took a minute."""
    began = time.thread_time()
    assert parse_about("a" * 65536) == {}
    assert parse_about("name" + " " * 65000) == {}
    assert time.thread_time() - began < 1
    assert parse_about('name="X y",version = "1"') == {"name": "X y", "version": "1"}


def test_program_that_reads_nothing_holds_nobody_up() -> None:
    """Its pipe is full soon, and who wrote into it waited."""
    process = EngineProcess([*BRAIN, "blind=1", "undying=1"], cwd=ROOT)
    began = time.perf_counter()
    process.write(*(["INFO " + "x" * 1000] * 1000))
    with pytest.raises(EngineTimeout):
        process.wait_line(bool, time.perf_counter_ns() + 2 * 10**8)
    process.end(0.1)
    assert time.perf_counter() - began < 20
    assert process.exit_status is not None
