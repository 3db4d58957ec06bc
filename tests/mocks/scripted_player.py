"""A deterministic player for protocol tests: answers from a script, else the first free square in reading order."""

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


THINKING = "thinking\n"
# A `think_ms` for searches that the test stops: longer than any test waits. A search that nobody stops raises.
UNTIL_STOPPED_MS = 120_000


class ScriptedPlayer(Player):
    """Knows free squares and, where `over_at` is set, that the game ends with that many stones.

    `script` maps positions (`h8i9`) to answers; `think_ms` makes `choose` last, up to the time limit or a stop, and
    `begun` is set when it has begun. With UNTIL_STOPPED_MS only a stop or a limit of 0 ends it. `was_stopped` has for
    each search whether it was. `on_think` is called in each search. `log` keeps what was asked. `fail` is raised by
    `choose`.
    """

    def __init__(self, script: dict[str, str] | None = None, think_ms: int = 0, over_at: int | None = None) -> None:
        self.options = OptionSet(OPTIONS)
        self.script = script or {}
        self.think_ms = think_ms
        self.over_at = over_at
        self.fail: Exception | None = None
        self.setup = Setup()
        self.moves: list[str] = []
        self.log: list[str] = []
        self.limits = Limits()
        self.reports: tuple[Progress, ...] = ()
        self.begun = threading.Event()
        self.was_stopped: list[bool] = []
        self.endless = False  # whether nothing but the limits ends a search
        self.on_think: Callable[[], object] = lambda: None

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
        self._check_going_on(len(moves))
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
            raise AssertionError("nobody stopped the search")
        if self.fail:
            raise self.fail

    def _check_going_on(self, stones: int) -> None:
        if self.over_at is not None and stones >= self.over_at:
            raise IllegalMove("the game is over")

    def _first_free(self, exclude: Sequence[str]) -> str:
        names = (format_square(x, y) for y in range(self.setup.height) for x in range(self.setup.width))
        return next((name for name in names if name not in self.moves and name not in exclude), "")


def wait_for_stop(limits: Limits, milliseconds: int) -> bool:
    """Wait so long, or until the limits' token is set; return whether it is."""
    stopped = threading.Event()
    with limits.stop.calling(stopped.set):
        return stopped.wait(milliseconds / 1000)


class ToldBegin(threading.Event):
    """What `begun` of a player in another process is: that one says so on its standard error."""

    def set(self) -> None:
        super().set()
        sys.stderr.write(THINKING)
        sys.stderr.flush()


class ToldEnds(list[bool]):
    """What `was_stopped` of a player in another process is: that one says so on its standard error."""

    def append(self, was_stopped: bool) -> None:
        super().append(was_stopped)
        sys.stderr.write("stopped\n" if was_stopped else "not stopped\n")
        sys.stderr.flush()


def wait_for_thought(stderr: IO[bytes] | None) -> None:
    """Come back when the player behind a standard error has begun to think."""
    assert stderr is not None
    while (line := stderr.readline()) != THINKING.encode():
        assert line, "it ended"


class GiftedPlayer(ScriptedPlayer):
    """The same with every extra capability: openings, balanced moves, threats, forbidden squares and a table.

    The script has the answers to the steps of Soosorv by the step's method, `balance1`, `balance2` and `lost`.
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
    """Answers to the steps of Soosorv from the script, and what was asked in the log."""

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

    def _answer(self, step: str, asked: Sequence[str]) -> list[str]:
        self._player.log.append(" ".join([step, *asked]))
        return self._player.script[step].split()


class DeafPlayer(ScriptedPlayer):
    """Does not hear the stop token: the worst case for END and for a host that dies."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        self.begun.set()
        time.sleep(self.think_ms / 1000)
        return super().choose(limits, report)
