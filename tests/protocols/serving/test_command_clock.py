"""When the time of a command begins: with clocks that the test sets, and in real processes that are suspended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.gomoku.notation import format_variant
from core.play.player import Limits, Setup
from protocols.gomocup.session import GomocupSession
from protocols.serving.command_clock import AwakeClocks, CommandClock, TimestampedReader
from protocols.serving.move_chooser import MoveChooser
from protocols.serving.runner import CommandRunner
from tests.manual_clock import ManualClock
from tests.mocks.running_command import FakeCommand
from tests.mocks.scripted_player import ScriptedPlayer
from tests.mocks.tiny_hex import HexPlayer, TinyHex
from tests.timing import check_ratio

ROOT = Path(__file__).parents[3]
NS_PER_MS = 1_000_000
TURN_MS = 20_000  # move time that the host gives
SUSPENDED_S = 3.0  # how long the host suspends the engine

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux measures the time that a process was awake")


class SimulatedMachine:
    """Simulated clocks: the test lets time pass, and the reader is awake during a part of it."""

    def __init__(self, start_up_ms: int = 0) -> None:
        self.now_ns = self.awake_ns = 0
        self.start_up_ns = start_up_ms * NS_PER_MS

    def pass_ms(self, milliseconds: int, awake_ms: int = 0) -> None:
        self.now_ns += milliseconds * NS_PER_MS
        self.awake_ns += awake_ms * NS_PER_MS

    def clocks(self) -> AwakeClocks:
        """Return the clocks for a `TimestampedReader`."""
        return AwakeClocks(lambda: lambda: self.awake_ns, lambda: self.start_up_ns, lambda: self.now_ns)

    def read_and_get_wait_ms(self, reader: TimestampedReader) -> float:
        """Read, and return the longest time that the bytes can have been in the pipe."""
        reader.read()
        return (self.now_ns - reader.waiting_since_ns) / NS_PER_MS


def test_input_before_the_first_read_may_be_as_old_as_the_process() -> None:
    """The time between the first check for input and the end of the first read counts, too."""
    machine = SimulatedMachine(start_up_ms=300)
    reader = TimestampedReader(lambda: b"START 15\nBEGIN\n", lambda: True, machine.clocks())
    machine.pass_ms(7, awake_ms=7)
    assert machine.read_and_get_wait_ms(reader) == 307
    machine.pass_ms(1000)
    assert machine.read_and_get_wait_ms(reader) == 0


def test_start_up_does_not_count_if_the_first_command_comes_after_it() -> None:
    machine = SimulatedMachine(start_up_ms=300)
    reader = TimestampedReader(lambda: b"START 15\n", lambda: False, machine.clocks())
    machine.pass_ms(50)
    assert machine.read_and_get_wait_ms(reader) == 0


def test_time_blocked_in_a_read_does_not_count_but_time_awake_does() -> None:
    machine = SimulatedMachine()
    reader = TimestampedReader(lambda: b"TURN 7,7\n", lambda: False, machine.clocks())
    machine.pass_ms(5_000)  # blocked in the read, or suspended by the host
    assert machine.read_and_get_wait_ms(reader) == 0
    machine.pass_ms(
        5_000, awake_ms=10
    )  # woken by the line, then waited for a processor; counted twice (`core.system.awake_time`)
    assert machine.read_and_get_wait_ms(reader) == 20
    machine.pass_ms(5_000, awake_ms=-40)  # a clock that cannot be read returns 0, so it seems to go back
    assert machine.read_and_get_wait_ms(reader) == 0
    machine.pass_ms(15, awake_ms=15)  # never more than the time that has passed
    assert machine.read_and_get_wait_ms(reader) == 15


def test_command_begins_at_arrival_or_at_the_last_answer() -> None:
    now_ns = 0
    clock = CommandClock(lambda: now_ns)
    clock.begin(-200 * NS_PER_MS)
    now_ns = 100 * NS_PER_MS
    assert (clock.elapsed_ms(), clock.elapsed_for_first_search_ms(), clock.elapsed_for_first_search_ms()) == (
        300,
        300,
        0,
    )
    clock.mark_answered()
    now_ns = 150 * NS_PER_MS
    clock.begin(20 * NS_PER_MS)
    assert clock.elapsed_for_first_search_ms() == 50


def test_runner_starts_the_clock_at_the_arrival_of_a_line(clock: ManualClock) -> None:
    began: list[int] = []
    runner = CommandRunner(
        lambda _: began.append(runner.clock.began_ns), lambda _, error: pytest.fail(str(error)), threaded=False
    )
    runner.submit("a", 5)
    runner.submit("b")
    assert began == [5, clock.read_ns()]


def test_limits_are_reduced_by_elapsed_time() -> None:
    limits = Limits(move_time_ms=500, time_left_ms=400, depth=3)
    assert limits.minus_elapsed(450) == Limits(move_time_ms=50, time_left_ms=-50, depth=3)
    assert limits.minus_elapsed(600).move_time_ms == 0
    assert Limits(nodes=5).minus_elapsed(100) == Limits(nodes=5)


def test_gomocup_search_gets_the_remaining_time(clock: ManualClock) -> None:
    player = ScriptedPlayer()
    session = GomocupSession(player, lambda _: None, format_variant, threaded=False)
    for line in ("START 15", f"INFO timeout_turn {TURN_MS}", "INFO time_left 60000"):
        session.handle(line)
    session.handle("BEGIN", clock.read_ns() - 5_000 * NS_PER_MS)
    assert player.limits.move_time_ms == TURN_MS - 5_000
    assert player.limits.time_left_ms == 55_000
    session.handle("TURN 0,0")  # without a new time_left
    assert player.limits.time_left_ms == 55_000


def test_elapsed_time_is_subtracted_once_per_command(clock: ManualClock) -> None:
    """GTP and UHP: a command with several searches computes the limits of the later ones itself."""
    player = HexPlayer()
    command = FakeCommand()
    move_chooser = MoveChooser(player, pytest.fail, command, lambda error, _: pytest.fail(str(error)))
    position = TinyHex(Setup(3, 3))
    move_chooser.new_game(position.setup)
    command.clock.begin(clock.read_ns() - 5_000 * NS_PER_MS)
    for move_time_ms in (15_000, 20_000):
        move_chooser.choose(position, Limits(move_time_ms=20_000), lambda _: None)
        assert player.limits.move_time_ms == move_time_ms


# A Gomocup engine that writes the move time of each search to standard error
REPORTING_ENGINE = """
import sys
from tests.mocks import served_brain
from tests.mocks.scripted_player import ScriptedPlayer

class ReportingPlayer(ScriptedPlayer):
    def choose(self, limits, *rest):
        print(limits.move_time_ms, file=sys.stderr, flush=True)
        return super().choose(limits, *rest)

served_brain.ScriptedPlayer = ReportingPlayer
served_brain.main()
"""

Engine = subprocess.Popen[str]


@contextmanager
def reporting_engine() -> Iterator[Engine]:
    """Run a Gomocup engine that writes the move time of each search to standard error."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-S", "-c", REPORTING_ENGINE]
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1) as process:
        try:
            yield process
        finally:
            process.kill()


def send_lines(engine: Engine, *lines: str) -> None:
    assert engine.stdin is not None
    engine.stdin.write("".join(f"{line}\n" for line in lines))
    engine.stdin.flush()


def read_subtracted_ms(engine: Engine) -> int:
    """Return how much the move time of the next search was reduced."""
    assert engine.stderr is not None
    while not (line := engine.stderr.readline().strip()).isdigit():
        assert line, "the engine has ended"
    return TURN_MS - int(line)


START = ("START 15", f"INFO timeout_turn {TURN_MS}")


def suspend(engine: Engine) -> None:
    """Suspend the engine, and return after SUSPENDED_S."""
    os.kill(engine.pid, signal.SIGSTOP)
    time.sleep(SUSPENDED_S)


def resume(engine: Engine) -> None:
    os.kill(engine.pid, signal.SIGCONT)


@LINUX
@pytest.mark.timing
def test_start_up_counts_but_suspended_time_does_not() -> None:
    """Gomocup's manager sends START and INFO, suspends the engine, sends the first BEGIN and resumes the engine."""

    def counted_ms() -> float:
        with reporting_engine() as engine:
            send_lines(engine, *START)
            suspend(engine)
            send_lines(engine, "BEGIN")
            resume(engine)
            return read_subtracted_ms(engine)

    # A start-up takes at least 15 ms
    check_ratio(lambda: counted_ms() / (SUSPENDED_S * 1000), minimum=0.005, limit=1)


@LINUX
@pytest.mark.timing
def test_neither_start_up_nor_suspension_counts_if_the_host_waits_for_ok() -> None:
    def counted_ms() -> float:
        with reporting_engine() as engine:
            send_lines(engine, *START)
            assert engine.stdout is not None
            assert engine.stdout.readline() == "OK\n"
            time.sleep(SUSPENDED_S)
            send_lines(engine, "BEGIN")
            first_ms = read_subtracted_ms(engine)
            engine.stdout.readline()
            suspend(engine)
            send_lines(engine, "TURN 9,9")
            resume(engine)
            return max(first_ms, read_subtracted_ms(engine))

    check_ratio(lambda: counted_ms() / (SUSPENDED_S * 1000), minimum=0, limit=0.5)
