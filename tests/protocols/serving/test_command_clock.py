"""When a command's time began: by clocks that the test sets, and in real processes that are stopped and resumed."""

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
from tests.mocks.running_command import FakeCommand
from tests.mocks.scripted_player import ScriptedPlayer
from tests.mocks.tiny_hex import HexPlayer, TinyHex

ROOT = Path(__file__).parents[3]
NS_PER_MS = 1_000_000
TURN_MS = 20_000
STOPPED_S = 3.0

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell time awake from time stopped")


class World:
    """A machine of the test's: time that passes, of which the reader is awake for a part."""

    def __init__(self, start_up_ms: int = 0) -> None:
        self.now_ns = self.awake_ns = 0
        self.start_up_ns = start_up_ms * NS_PER_MS

    def pass_ms(self, milliseconds: int, awake_ms: int = 0) -> None:
        self.now_ns += milliseconds * NS_PER_MS
        self.awake_ns += awake_ms * NS_PER_MS

    def clocks(self) -> AwakeClocks:
        return AwakeClocks(lambda: lambda: self.awake_ns, lambda: self.start_up_ns, lambda: self.now_ns)

    def unread_ms(self, reader: TimestampedReader) -> float:
        """For how long what has just been read may have lain there."""
        reader.read()
        return (self.now_ns - reader.waiting_since_ns) / NS_PER_MS


def test_what_lay_there_at_first_may_be_as_old_as_the_process() -> None:
    """Also with what passed from the first look to the end of the first read."""
    world = World(start_up_ms=300)
    reader = TimestampedReader(lambda: b"START 15\nBEGIN\n", lambda: True, world.clocks())
    world.pass_ms(7, awake_ms=7)
    assert world.unread_ms(reader) == 307
    world.pass_ms(1000)
    assert world.unread_ms(reader) == 0


def test_start_up_is_nobodys_where_the_first_command_came_after_it() -> None:
    world = World(start_up_ms=300)
    reader = TimestampedReader(lambda: b"START 15\n", lambda: False, world.clocks())
    world.pass_ms(50)
    assert world.unread_ms(reader) == 0


def test_sleep_in_a_read_is_no_waiting_but_the_way_back_to_it_is() -> None:
    world = World()
    reader = TimestampedReader(lambda: b"TURN 7,7\n", lambda: False, world.clocks())
    world.pass_ms(5_000)  # asleep, or stopped by the host
    assert world.unread_ms(reader) == 0
    world.pass_ms(5_000, awake_ms=10)  # woken by the line, but others had the processor
    assert world.unread_ms(reader) == 20
    world.pass_ms(5_000, awake_ms=-40)  # a clock that could not be read
    assert world.unread_ms(reader) == 0
    world.pass_ms(15, awake_ms=15)  # kept from reading; no longer than has passed at all
    assert world.unread_ms(reader) == 15


def test_command_begins_when_it_came_but_not_before_the_last_answer() -> None:
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


def test_runner_begins_each_command_when_its_line_came() -> None:
    began: list[int] = []
    runner = CommandRunner(
        lambda _: began.append(runner.clock.began_ns), lambda _, error: pytest.fail(str(error)), threaded=False
    )
    runner.submit("a", 5)
    before = time.perf_counter_ns()
    runner.submit("b")
    assert began[0] == 5
    assert before <= began[1] <= time.perf_counter_ns()


def test_limits_lose_what_has_passed() -> None:
    limits = Limits(move_time_ms=500, time_left_ms=400, depth=3)
    assert limits.minus_elapsed(450) == Limits(move_time_ms=50, time_left_ms=-50, depth=3)
    assert limits.minus_elapsed(600).move_time_ms == 0
    assert Limits(nodes=5).minus_elapsed(100) == Limits(nodes=5)


def test_gomocup_search_gets_what_is_left() -> None:
    player = ScriptedPlayer()
    session = GomocupSession(player, lambda _: None, format_variant, threaded=False)
    for line in ("START 15", f"INFO timeout_turn {TURN_MS}", "INFO time_left 60000"):
        session.handle(line)
    session.handle("BEGIN", time.perf_counter_ns() - 5_000 * NS_PER_MS)
    assert TURN_MS - 10_000 < (player.limits.move_time_ms or 0) <= TURN_MS - 5_000
    assert (player.limits.time_left_ms or 0) <= 55_000
    session.handle("TURN 0,0")  # nothing more was said of the time left
    assert 40_000 < (player.limits.time_left_ms or 0) <= 55_000


def test_decision_gets_what_is_left_once_a_command() -> None:
    """GTP's and UHP's; a command of several searches reckons the limits of the later ones itself."""
    player = HexPlayer()
    command = FakeCommand()
    move_chooser = MoveChooser(player, pytest.fail, command, lambda error, _: pytest.fail(str(error)))
    position = TinyHex(Setup(3, 3))
    move_chooser.new_game(position.setup)
    command.clock.begin(time.perf_counter_ns() - 5_000 * NS_PER_MS)
    for least, most in ((10_000, 15_000), (20_000, 20_000)):
        move_chooser.choose(position, Limits(move_time_ms=20_000), lambda _: None)
        assert least < (player.limits.move_time_ms or 0) + 1 <= most + 1


BRAIN = """
import sys
from tests.mocks import served_brain
from tests.mocks.scripted_player import ScriptedPlayer

class Telling(ScriptedPlayer):
    def choose(self, limits, *rest):
        print(limits.move_time_ms, file=sys.stderr, flush=True)
        return super().choose(limits, *rest)

served_brain.ScriptedPlayer = Telling
served_brain.main()
"""

Brain = subprocess.Popen[str]


@contextmanager
def telling_brain() -> Iterator[Brain]:
    """A brain that tells on standard error what time each search got."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-S", "-c", BRAIN]
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1) as process:
        try:
            yield process
        finally:
            process.kill()


def say(brain: Brain, *lines: str) -> None:
    assert brain.stdin is not None
    brain.stdin.write("".join(f"{line}\n" for line in lines))
    brain.stdin.flush()


def elapsed_ms(brain: Brain) -> int:
    """What the next search's command had used up before it began."""
    assert brain.stderr is not None
    while not (line := brain.stderr.readline().strip()).isdigit():
        assert line, "the brain ended"
    return TURN_MS - int(line)


START = ("START 15", f"INFO timeout_turn {TURN_MS}")


@LINUX
def test_start_up_is_taken_off_what_a_stopped_process_finds_but_the_stop_is_not() -> None:
    """As Gomocup's judge: START and INFO, stop, and the first move's command before the process goes on."""
    with telling_brain() as brain:
        say(brain, *START)
        os.kill(brain.pid, signal.SIGSTOP)
        time.sleep(STOPPED_S)
        say(brain, "BEGIN")
        os.kill(brain.pid, signal.SIGCONT)
        assert 20 < elapsed_ms(brain) < STOPPED_S * 1000


@LINUX
def test_host_that_waits_for_ok_loses_nothing_by_start_up_nor_by_a_stop() -> None:
    with telling_brain() as brain:
        say(brain, *START)
        assert brain.stdout is not None
        assert brain.stdout.readline() == "OK\n"
        time.sleep(0.2)
        say(brain, "BEGIN")
        assert elapsed_ms(brain) < 1000
        brain.stdout.readline()
        os.kill(brain.pid, signal.SIGSTOP)
        time.sleep(STOPPED_S)
        say(brain, "TURN 9,9")
        os.kill(brain.pid, signal.SIGCONT)
        assert elapsed_ms(brain) < STOPPED_S * 1000 / 2
