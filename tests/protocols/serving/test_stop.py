"""A stop command stops the command for which it was sent and no other, at any moment of a search.

Most tests make the player wait at one point of its search, and send the stop meanwhile. If a stop were lost, the host
would get its move minutes late.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bots.gomoku.notation import format_variant
from core.play.player import BadSetup, Decision, Limits, ProgressCallback, Setup, ignore_progress
from protocols.gomocup.session import GomocupSession
from protocols.gtp.session import GtpSession
from protocols.uhp.session import UhpGame, UhpSession
from tests.mocks.hive_player import HivePlayer
from tests.mocks.scripted_player import ScriptedPlayer, wait_for_stop
from tests.mocks.tiny_hex import TINY_HEX, HexPlayer
from tests.mocks.tiny_hive import TinyHive

LONG_MS = 60_000  # of a search that the test stops
WAIT_S = 60  # how long a thread or a test waits before it fails


class Hold:
    """A point in the code at which a thread waits until the test sets `released`. The thread sets `reached`."""

    def __init__(self) -> None:
        self.reached, self.released = threading.Event(), threading.Event()

    def wait(self) -> None:
        self.reached.set()
        assert self.released.wait(WAIT_S)


class HeldPlayer(ScriptedPlayer):
    """A player that searches for `search_ms`, by default a minute.

    `holds` maps names of points to holds. The player waits at `before` (it gets its position), `beginning` (its
    `choose` is called) and `after` (the search has ended); at `during` it only sets `reached` and searches. For each
    search `stopped_early` has whether it was stopped.
    """

    def __init__(self) -> None:
        super().__init__(think_ms=LONG_MS)
        self.holds: dict[str, Hold] = {}
        self.stopped_early: list[bool] = []
        self.search_ms = LONG_MS

    def _wait_at(self, point: str) -> None:
        hold = self.holds.pop(point, None)
        if hold:
            hold.wait()

    def set_position(self, moves: Sequence[str]) -> None:
        self._wait_at("before")
        super().set_position(moves)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        self._wait_at("beginning")
        hold = self.holds.pop("during", None)
        if hold:
            hold.reached.set()
        was_stopped = limits.move_time_ms == 0 or wait_for_stop(limits, self.search_ms)
        self.think_ms = 0  # of the scripted player, which chooses the move
        self.stopped_early.append(was_stopped)
        decision = super().choose(limits, report)
        self._wait_at("after")
        return decision


class HeldBrain(HeldPlayer):
    """A `HeldPlayer` for Gomocup."""


class HeldHexPlayer(HeldPlayer, HexPlayer):
    """A `HeldPlayer` for GTP."""


class HeldHivePlayer(HeldPlayer, HivePlayer):
    """A `HeldPlayer` for UHP."""


def make_gomocup(player: HeldBrain, write: Callable[[str], None]) -> GomocupSession:
    return GomocupSession(player, write, format_variant)


def make_gtp(player: HeldHexPlayer, write: Callable[[str], None]) -> GtpSession:
    return GtpSession(player, TINY_HEX, write, name="Held", version="1")


def make_uhp(player: HeldHivePlayer, write: Callable[[str], None]) -> UhpSession:
    return UhpSession(player, UhpGame(TinyHive.load), write, name="Held", version="1")


# Protocol -> arguments of HeldSession
PROTOCOLS: dict[str, tuple[Any, ...]] = {
    "gomocup": (HeldBrain, make_gomocup, ("START 15", "INFO timeout_turn 60000"), "BEGIN", "TURN 5,5", "STOP"),
    "gtp": (HeldHexPlayer, make_gtp, ("time_settings 0 60 1",), "reg_genmove b", "reg_genmove b", "# interrupt"),
    "uhp": (HeldHivePlayer, make_uhp, ("newgame Base",), "bestmove time 00:01:00", "bestmove time 00:01:00", ""),
}


@pytest.fixture(params=PROTOCOLS)
def held(request: pytest.FixtureRequest) -> HeldSession:
    """Return a session of each protocol in turn."""
    return HeldSession(*PROTOCOLS[request.param])


class HeldSession:
    """A session with a player that can be held, two commands that search, and the protocol's stop command."""

    def __init__(
        self,
        kind: type[HeldPlayer],
        make: Callable[..., Any],
        setup_lines: Sequence[str],
        first: str,
        second: str,
        stop_command: str,
    ) -> None:
        self.player = kind()
        self.answers: list[str] = []
        self.write_hold: Hold | None = None
        self.session = make(self.player, self._write)
        for line in setup_lines:
            self.session.handle(line)
        self.first, self.second, self._stop_command = first, second, stop_command

    def _write(self, line: str) -> None:
        self.answers.append(line)
        hold, self.write_hold = self.write_hold, None
        if hold:
            hold.wait()

    def hold(self, point: str) -> Hold:
        self.player.holds[point] = hold = Hold()
        return hold

    def say(self, line: str) -> None:
        self.session.handle(line)

    def stop(self) -> None:
        """Stop a search by the protocol's command, or by an interrupt if the protocol has none."""
        if self._stop_command:
            self.session.handle(self._stop_command)
        else:
            self.session.interrupt()

    def wait_and_get_stopped(self) -> list[bool]:
        assert self.session.wait_idle(WAIT_S)
        return self.player.stopped_early


@pytest.mark.parametrize("point", ["before", "beginning"])
def test_stop_before_the_search_has_begun(held: HeldSession, point: str) -> None:
    """`HeldPlayer` explains the points."""
    hold = held.hold(point)
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.stop()
    hold.released.set()
    assert held.wait_and_get_stopped() == [True]


def test_stop_during_the_search(held: HeldSession) -> None:
    hold = held.hold("during")
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.stop()
    assert held.wait_and_get_stopped() == [True]


def test_stop_after_the_search_does_not_reach_the_next_one(held: HeldSession) -> None:
    """The answer is about to be written, so the stop comes too late. It must not stop the next command."""
    held.player.search_ms = 0
    hold = held.hold("after")
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.stop()
    held.say(held.second)
    hold.released.set()
    assert held.wait_and_get_stopped() == [False, False]


def test_stop_for_a_queued_command(held: HeldSession) -> None:
    """In GTP and UHP a stop is for one command, in Gomocup for all pending commands."""
    hold = held.hold("during")
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.say(held.second)
    held.stop()
    while not held.player.stopped_early:
        held.session.wait_idle(0.01)
    held.stop()
    assert held.wait_and_get_stopped() == [True, True]


def test_stop_for_the_next_command_while_an_answer_is_written(held: HeldSession) -> None:
    """The host has read the answer and sends the next command with a stop before our write has returned."""
    held.player.search_ms = 0
    held.write_hold = hold = Hold()
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.player.search_ms = LONG_MS
    held.say(held.second)
    held.stop()
    hold.released.set()
    assert held.wait_and_get_stopped() == [False, True]


def test_stop_without_a_command_does_nothing(held: HeldSession) -> None:
    held.player.search_ms = 0
    held.stop()
    held.say(held.first)
    assert held.wait_and_get_stopped() == [False]


def test_search_of_uhp_without_limits_is_stopped_by_a_line_before_it_has_begun() -> None:
    held = HeldSession(*PROTOCOLS["uhp"])
    hold = held.hold("before")
    held.say("bestmove")
    assert hold.reached.wait(WAIT_S)
    held.say("")
    hold.released.set()
    assert held.wait_and_get_stopped() == [True]


def test_queued_search_of_uhp_without_limits_is_stopped_by_the_line_after_it() -> None:
    held = HeldSession(*PROTOCOLS["uhp"])
    hold = held.hold("during")
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.say("bestmove")
    held.say("info")
    held.stop()
    assert held.wait_and_get_stopped() == [True, True]


@pytest.mark.parametrize("point", ["before", "during"])
def test_end_of_input_stops_a_search_without_limits(point: str) -> None:
    """The end of input comes before the search has begun, or during it."""
    held = HeldSession(*PROTOCOLS["uhp"])
    held.player.endless = True
    hold = held.hold(point)
    held.say("bestmove")
    assert hold.reached.wait(WAIT_S)
    held.session.end_input()
    hold.released.set()
    assert held.wait_and_get_stopped() == [True]


def test_end_of_input_does_not_stop_a_search_with_limits(held: HeldSession) -> None:
    held.player.search_ms = 50
    held.player.endless = True
    hold = held.hold("during")
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.say(held.second)
    held.session.end_input()
    assert held.wait_and_get_stopped() == [False, False]


def test_newgame_that_fails_does_not_stop_a_search_of_uhp() -> None:
    held = HeldSession(*PROTOCOLS["uhp"])
    held.player.search_ms = 50
    hold = held.hold("during")
    held.say(held.first)
    assert hold.reached.wait(WAIT_S)
    held.say("newgame Nonsense")
    assert held.wait_and_get_stopped() == [False]
    assert held.answers[-2].startswith("err ")


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        *((0, command) for command in ("START 3", "START", "START 23", "RECTSTART x", "RECTSTART 10,99")),
        (4, "RESTART"),
        (4, "START 15"),
    ],
)
def test_new_game_that_fails_does_not_stop_a_search_of_gomocup(rule: int, command: str) -> None:
    """`rule` is set during the search; the player refuses rule 4 (renju).

    Regression: the move used not to be sent, and later answers were one stone late.
    """
    player = HeldBrain()
    answers: list[str] = []

    def check(setup: Setup) -> None:
        if setup.variant == format_variant(4) or not 5 <= min(setup.width, setup.height) <= 22:
            raise BadSetup("no such game")

    session = GomocupSession(player, answers.append, format_variant, check_setup=check)
    session.handle("START 15")
    player.search_ms = 50
    player.holds["during"] = hold = Hold()
    session.handle("TURN 7,7")
    assert hold.reached.wait(WAIT_S)
    for line in (f"INFO rule {rule}", command, "INFO rule 0", "TURN 8,8"):
        session.handle(line)
    assert session.wait_idle(WAIT_S)
    assert player.stopped_early == [False, False]
    assert [line.partition(" ")[0] for line in answers] == ["OK", "0,0", "ERROR", "1,0"]
