"""A deterministic player of board games for protocol tests: plays moves of a script, else the first free square."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO

from core.play.options import Option, OptionSet, Value
from core.play.player import (
    BadSetup,
    Decision,
    IllegalMove,
    Limits,
    Player,
    Progress,
    ProgressCallback,
    Setup,
    ignore_progress,
)
from core.play.squares import format_square, parse_square

OPTIONS = (
    Option("memory", 0, "bytes, 0 for no limit", minimum=0),
    Option("hash", 0, "MiB, 0 for a share of the memory", minimum=0, maximum=1024),
    Option("threads", 1, "search threads", minimum=1, maximum=8),
    Option("level", 10, "strength", minimum=0, maximum=10),
)

THINKING_LINE = "thinking\n"  # on standard error, when a search begins
# A `think_ms` for searches that the test stops: longer than any test waits. A search that is not stopped fails.
UNTIL_STOPPED_MS = 120_000


class ScriptedPlayer(Player):
    """A player that takes `think_ms` for a move, or less if the time limit is shorter or the search is stopped.

    With UNTIL_STOPPED_MS only a stop or a time limit of 0 ends a search. Tests set and read the attributes.
    """

    def __init__(self, script: dict[str, str] | None = None, think_ms: int = 0, over_at: int | None = None) -> None:
        self.options = OptionSet(OPTIONS)
        self.script = script or {}  # moves of the game without separator (`h8i9`) -> next move
        self.think_ms = think_ms
        self.over_at = over_at  # number of stones at which the game is over; None: never
        self.fail: Exception | None = None  # raised by `choose`
        self.setup = Setup()
        self.moves: list[str] = []
        self.log: list[str] = []  # the calls, such as `new 15x15 freestyle` or `follow h8 i9`
        self.limits = Limits()  # of the last search
        self.reports: tuple[Progress, ...] = ()  # reported by each search
        self.begun = threading.Event()  # set when a search begins
        self.was_stopped: list[bool] = []  # for each search
        self.endless = False  # True: it says that it has no limit of its own
        self.on_think: Callable[[], object] = lambda: None  # called when a search has begun

    @property
    def has_builtin_limit(self) -> bool:
        return not self.endless

    def new_game(self, setup: Setup) -> None:
        for length in (setup.width, setup.height):
            if not 5 <= length <= 22:
                raise BadSetup(f"board size must be 5..22, not {length}")
        self.setup, self.moves = setup, []
        self.log.append(f"new {setup.width}x{setup.height} {setup.variant}")

    def set_position(self, moves: Sequence[str]) -> None:
        self._check_not_over(len(moves))
        if list(moves) != self.moves:
            self.log.append(f"follow {' '.join(moves)}".rstrip())
        self.moves = list(moves)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        self._think(limits, report)
        return Decision(self.script.get("".join(self.moves)) or self._first_free(limits.excluded_moves))

    def set_option(self, name: str, value: Value) -> None:
        super().set_option(name, value)
        self.log.append(f"option {name} {value}")

    def _think(self, limits: Limits, report: ProgressCallback = ignore_progress) -> None:
        self.limits = limits
        times = [self.think_ms, limits.move_time_ms, limits.time_left_ms]
        time_ms = max(0, min(time_ms for time_ms in times if time_ms is not None))
        must_be_stopped = self.think_ms == UNTIL_STOPPED_MS and time_ms > 0
        self.begun.set()
        self.on_think()
        for progress in self.reports:
            report(progress)
        self.was_stopped.append(wait_for_stop(limits, UNTIL_STOPPED_MS if must_be_stopped else time_ms))
        if must_be_stopped and not self.was_stopped[-1]:
            raise AssertionError("the search was not stopped")
        if self.fail:
            raise self.fail

    def _check_not_over(self, stones: int) -> None:
        if self.over_at is not None and stones >= self.over_at:
            raise IllegalMove("the game is over")

    def _first_free(self, exclude: Sequence[str]) -> str:
        names = (format_square(x, y) for y in range(self.setup.height) for x in range(self.setup.width))
        return next((name for name in names if name not in self.moves and name not in exclude), "")


def wait_for_stop(limits: Limits, milliseconds: int) -> bool:
    """Wait until the stop token is set, for at most `milliseconds`; return whether it is set."""
    stopped = threading.Event()
    with limits.stop.calling(stopped.set):
        return stopped.wait(milliseconds / 1000)


class ReportedStart(threading.Event):
    """An event for `ScriptedPlayer.begun` that prints THINKING_LINE on standard error, for tests in another process."""

    def set(self) -> None:
        super().set()
        sys.stderr.write(THINKING_LINE)
        sys.stderr.flush()


class ReportedStops(list[bool]):
    """A list for `ScriptedPlayer.was_stopped` that prints each entry, `stopped` or `not stopped`, on standard error."""

    def append(self, was_stopped: bool) -> None:
        super().append(was_stopped)
        sys.stderr.write("stopped\n" if was_stopped else "not stopped\n")
        sys.stderr.flush()


def wait_until_thinking(stderr: IO[bytes] | None) -> None:
    """Read the standard error of a process until its player begins a search."""
    assert stderr is not None
    while (line := stderr.readline()) != THINKING_LINE.encode():
        assert line, "the process ended"


class GiftedPlayer(ScriptedPlayer):
    """A scripted player with all optional abilities, such as opening rules, balanced moves and forbidden squares.

    The script also has answers under the keys `balance1`, `balance2`, `lost` and `forbidden`, and under the method
    names of `ScriptedSteps`. `swap2_answers` maps the number of stones to the answer to swap2.
    """

    def __init__(self, script: dict[str, str] | None = None, think_ms: int = 0) -> None:
        super().__init__(script, think_ms)
        self.swap2_answers: dict[int, list[str]] = {}

    def swap2(self, stones: Sequence[str], limits: Limits) -> Sequence[str]:
        self._think(limits)
        return self.swap2_answers[len(stones)]

    def soosorv(self, limits: Limits) -> ScriptedSteps:
        self._think(limits)
        return ScriptedSteps(self)

    def balance(self, count: int, bias: int, limits: Limits) -> Progress:
        self._think(limits)
        self.log.append(f"balance {count} {bias}")
        return Progress(depth=7, score=bias + 1, pv=tuple(self.script[f"balance{count}"].split()))

    def find_losing_moves(self, limits: Limits) -> list[str]:
        self._think(limits)
        return self.script.get("lost", "").split()

    def forbidden(self) -> list[str]:
        return [square for square in self.script.get("forbidden", "").split() if parse_square(square)]

    def clear_hash(self) -> None:
        self.log.append("clear hash")


class ScriptedSteps:
    """Answers the steps of the Soosorv opening rule from the script of a player, and logs the calls."""

    def __init__(self, player: ScriptedPlayer) -> None:
        self._player = player

    def propose_opening(self) -> list[str]:
        return self._answer("propose_opening", ())

    def should_take_black(self, stones: Sequence[str]) -> bool:
        return self._answer("should_take_black", stones) == ["yes"]

    def find_fourth(self, stones: Sequence[str]) -> tuple[str, int]:
        square, offers = self._answer("find_fourth", stones)
        return square, int(offers)

    def should_take_white(self, stones: Sequence[str], offers: int) -> bool:
        return self._answer("should_take_white", [*stones, str(offers)]) == ["yes"]

    def find_fifths(self, stones: Sequence[str], offers: int) -> list[str]:
        return self._answer("find_fifths", [*stones, str(offers)])

    def choose_fifth(self, stones: Sequence[str], fifths: Sequence[str]) -> str:
        return self._answer("choose_fifth", [*stones, "of", *fifths])[0]

    def _answer(self, step: str, arguments: Sequence[str]) -> list[str]:
        self._player.log.append(" ".join([step, *arguments]))
        return self._player.script[step].split()


class UnstoppablePlayer(ScriptedPlayer):
    """A player that ignores the stop token for `think_ms` before it searches like ScriptedPlayer.

    It is the worst case for END and for a host that exits.
    """

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        self.begun.set()
        time.sleep(self.think_ms / 1000)
        return super().choose(limits, report)
