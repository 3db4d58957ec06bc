"""The memory for an engine's lines is bounded, and deadlines hold, even if the engine floods its output.

Arguments such as `blind=1` are faults of the mock engine: tests/mocks/misbehaviour.py explains them.
"""

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
    MAX_QUEUED_BYTES,
    ArrivedLine,
    LastLines,
    LineQueue,
    Throttle,
    chunk_size_bytes,
)
from protocols.driving.process import RECEIVED, SENT, EngineProcess, EngineTerminated, EngineTimeout
from protocols.gomocup.client import MAX_SUGGESTIONS, GomocupClient
from protocols.gomocup.text import parse_about
from tests.manual_clock import ManualClock
from tests.timing import check_ratio
from tests.waiting import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[3]
BRAIN = [sys.executable, "-S", "-m", "tests.mocks.gomocup_brain"]
LINE = ArrivedLine("x" * 36, 0)  # counts as 100 bytes
MANY_LINES = 10_000  # more than one read returns


@pytest.fixture
def flooder() -> Iterator[EngineProcess]:
    """Return a mock engine that writes lines without end."""
    process = EngineProcess([*BRAIN, r"pour=start:0:MESSAGE x\n"], cwd=ROOT)
    yield process
    process.kill()


def wait_until_full(process: EngineProcess) -> None:
    """Wait until the queue is full, so that the thread that reads the engine's output is blocked."""
    wait_until(lambda: process._lines._bytes >= MAX_QUEUED_BYTES)


def test_lines_of_one_read_have_the_same_time(clock: ManualClock) -> None:
    """Regression: the time to log earlier lines, on a slow disk for example, used to count as time of the engine."""

    def handle_slowly(direction: str, text: str, at_ns: int) -> None:  # noqa: ARG001
        clock.advance(50)

    code = r"import sys; sys.stdout.write('MESSAGE a\nMESSAGE b\n7,7\n')"
    process = EngineProcess([sys.executable, "-S", "-c", code], on_line=handle_slowly)
    stamps = {process.wait_line(lambda _: True, time.perf_counter_ns() + 10**10).at_ns for _ in range(3)}
    process.kill()
    assert len(stamps) == 1


def test_full_queue_blocks_the_reader_until_it_is_closed() -> None:
    queue = LineQueue(max_bytes=300)
    accepted = [queue.put(LINE) for _ in range(3)]
    thread = threading.Thread(target=lambda: accepted.extend(queue.put(LINE) for _ in range(2)))
    thread.start()
    thread.join(0.05)
    assert (accepted, thread.is_alive()) == ([True] * 3, True)
    assert queue.get(0) == LINE
    queue.close()
    thread.join(10)
    assert not thread.is_alive()
    assert accepted[-1] is False
    assert set(queue.drain()) == {LINE}
    assert (queue.get(0), queue.is_exhausted) == (None, True)


def test_deadline_holds_during_a_flood_of_lines(flooder: EngineProcess) -> None:
    """Regression: the deadline used to be checked only if no line was queued, which is never so during a flood."""
    flooder.wait_line(bool, time.perf_counter_ns() + 30 * 10**9)
    deadline_ns = time.perf_counter_ns()
    flooder.drain()
    wait_until_full(flooder)
    received: list[ArrivedLine] = []
    with pytest.raises(EngineTimeout):
        flooder.wait_line(lambda _: len(received) > MANY_LINES, deadline_ns, received.append)
    assert all(line.at_ns <= deadline_ns for line in received)


def test_line_that_arrived_in_time_is_accepted_later(flooder: EngineProcess) -> None:
    wait_until_full(flooder)
    deadline_ns = flooder._lines._lines[0].at_ns
    assert flooder.wait_line(bool, deadline_ns).at_ns <= deadline_ns


def test_draining_a_flood_ends(flooder: EngineProcess) -> None:
    wait_until_full(flooder)
    assert sum(len(line.text) for line in flooder.drain()) <= BURST_BYTES


@pytest.mark.timing
@pytest.mark.parametrize("descriptor", [1, 2], ids=["stdout", "stderr"])
def test_flood_uses_little_of_our_cpu_time(descriptor: int) -> None:
    """A flood on either stream must not slow down the other engine, which may be thinking."""
    code = f"import os\nwhile True: os.write({descriptor}, b'x' * 4095 + b'\\n')"
    process = EngineProcess([sys.executable, "-S", "-c", code])
    time.sleep(1)  # the burst is read without a pause

    def cpu_share() -> float:
        began_s, began_cpu_s = time.perf_counter(), time.process_time()
        time.sleep(1)
        return (time.process_time() - began_cpu_s) / (time.perf_counter() - began_s)

    check_ratio(cpu_share, minimum=0, limit=0.3)
    process.kill()


def test_throttle_allows_a_burst_and_then_a_fixed_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    clock_s, sleeps_s = [100.0], []

    def sleep(seconds: float) -> None:
        sleeps_s.append(seconds)
        clock_s[0] += seconds

    monkeypatch.setattr("protocols.driving.line_buffers.time.perf_counter", lambda: clock_s[0])
    monkeypatch.setattr("protocols.driving.line_buffers.time.sleep", sleep)
    throttle = Throttle()
    for _ in range(10):
        throttle.charge(BURST_BYTES // 10)
        throttle.wait()
    assert not sleeps_s
    for _ in range(40):
        throttle.charge(MAX_BYTES_PER_S // 10)
        throttle.wait()
    assert sum(sleeps_s) == pytest.approx(4, rel=0.01)  # 40 chunks at ten per second
    assert chunk_size_bytes(b"\n" * 1000) > 50_000  # empty lines count, too


def test_last_lines_are_kept_up_to_a_size() -> None:
    lines = LastLines(max_bytes=1000)
    lines.add(*(str(n) for n in range(100)), "y" * 5000)
    assert (len(lines), lines.left_out, lines[-1]) == (1, 100, "y" * 5000)


def test_number_of_answered_suggestions_is_bounded() -> None:
    """Regression: every SUGGEST used to be answered, and an engine that did not read the answers filled the memory."""
    client = GomocupClient(
        [*BRAIN, r"pour=think:0:SUGGEST 7,7\n"],  # instead of a move, write SUGGEST lines for ever
        parse_variant,
        cwd=ROOT,
        grace_ms=500,
        deadlines=Deadlines(start_s=30, quit_s=0.1),
    )
    lines: list[str] = []  # direction and first word
    client.on_line = lambda direction, text, _: lines.append(direction + text.split()[0])
    client.new_game(Setup(15, 15, "freestyle"))
    with pytest.raises(EngineTimeout, match="the last line was 'SUGGEST 7,7'"):
        client.choose(Limits(move_time_ms=100))
    client.close()
    assert lines.count(f"{SENT}PLAY") == MAX_SUGGESTIONS
    assert lines.count(f"{RECEIVED}SUGGEST") > 10 * MAX_SUGGESTIONS


def test_endless_line_is_cut_and_matches_nothing(tmp_path: Path) -> None:
    """The engine writes 100 MB without a line end. Only the beginning is kept; the rest is dropped as it arrives."""
    program = tmp_path / "long.py"
    code = "import os\nfor _ in range(1600): os.write(1, b'x' * 65536)\nprint('\\nhere')\n"
    program.write_text(code, encoding="utf-8")
    process = EngineProcess([sys.executable, "-S", str(program)], cwd=tmp_path)
    with pytest.raises(EngineTimeout):
        process.wait_line(lambda text: text == "here", time.perf_counter_ns() + 10**9)
    process.kill()
    with pytest.raises(EngineTerminated):
        process.wait_line(lambda text: text == "here", time.perf_counter_ns() + 10**9)


def test_long_about_line_is_parsed() -> None:
    """Regression: a regular expression with quadratic time used to take a minute."""
    assert parse_about("a" * 65536) == {}
    assert parse_about("name" + " " * 65000) == {}
    assert parse_about('name="X y",version = "1"') == {"name": "X y", "version": "1"}


@pytest.mark.timing
@pytest.mark.parametrize("text", ["a", " "])
def test_about_line_is_parsed_in_linear_time(text: str) -> None:
    def cpu_s(length: int) -> float:
        began = time.thread_time()
        for _ in range(20):
            parse_about("name" + text * length)
        return time.thread_time() - began

    check_ratio(lambda: cpu_s(40_000) / cpu_s(10_000), minimum=0, limit=8)  # 4 if linear, 16 if quadratic


def test_write_to_an_engine_that_reads_nothing_does_not_block() -> None:
    """Regression: a write used to block when the pipe of such an engine was full."""
    process = EngineProcess([*BRAIN, "blind=1", "undying=1"], cwd=ROOT)
    writer = threading.Thread(target=process.write, args=["INFO " + "x" * 1000] * 1000, daemon=True)
    writer.start()
    writer.join(PATIENCE_S)
    assert not writer.is_alive()
    with pytest.raises(EngineTimeout):
        process.wait_line(bool, time.perf_counter_ns() + 2 * 10**8)
    process.end(0.1)
    assert process.exit_status is not None
