"""What every engine with a transposition table does alike: options, table and threads, time for a move, levels.

An engine of a game owns a `Searcher` over its record and adds what only that game knows.
"""

from __future__ import annotations

import ctypes
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.clock import CLOCK
from core.deepening import Schedule, Search, plan_time
from core.library import Library, new_array
from core.options import Option, OptionSet
from core.player import Decision, Limits, Progress, Report
from core.scores import MAX_DISTANCE
from core.tablesize import table_words

MIB = 1 << 20
LONG_MS = 500  # from here on a search has the time to touch all pages of a new table, also large ones
DEFAULT_TABLE_BYTES = 128 * MIB
FULL_LEVEL = 10

LEVEL = Option("level", FULL_LEVEL, "strength, 10 is full strength", low=1, high=FULL_LEVEL)
THREADS = Option("threads", 1, "search threads", low=1, high=64)
HASH = Option("hash", 0, "transposition table in MiB, 0 to fit the memory limit", low=0, high=65536)
MARGIN = Option("margin", 70, "milliseconds kept back of every time limit", low=0, high=10_000)
SEED = Option("seed", 0, "of the choice between nearly equal moves below level 10", low=0)


@dataclass(frozen=True)
class Levels:
    """What the levels below the full one are: nodes they search and how much worse than the best a move may be."""

    nodes: tuple[int, ...]  # by level, from 1
    slack: tuple[int, ...]  # evaluation units
    lines: int = 6  # best lines that a move is chosen among


class Searcher:
    """One record's search with a table of its own. `options` hold at least level, threads, hash, margin and seed.

    `shortest` is the distance up to which the game's search finds the shortest wins (core.deepening.Search).
    """

    def __init__(
        self,
        library: Library,
        record: str,
        state: Any,
        format_line: Callable[[Sequence[int]], list[str]],
        options: OptionSet,
        shortest: int = MAX_DISTANCE,
    ) -> None:
        self.table: Any = new_array("u64", table_words(0))
        self._record = record
        self._options = options
        self._random = random.Random(options.integer("seed"))
        self._began = time.perf_counter()
        self._search = Search(library, state, self.table, format_line, shortest=shortest)
        CLOCK.install(state)

    def begin(self) -> None:
        """Forget an earlier `stop`, and start the clock of a move."""
        self._began = time.perf_counter()
        self._search.begin()

    def stop(self) -> None:
        """End a running search; from any thread."""
        self._search.stop()

    def clear_hash(self) -> None:
        """Forget the transposition table."""
        self.table = self._search.table = new_array("u64", table_words(0))

    def fit(self, table_bytes: int, schedule: Schedule) -> None:
        """Make the table this large and as many helper records as the options ask for; both before a search."""
        words = table_words(table_bytes)
        search = self._search
        if words != len(self.table):
            self.table = search.table = None  # the old one is freed before the new one is made
            is_long = schedule.hard_ms is not None and schedule.hard_ms >= LONG_MS
            self.table = search.table = new_array("u64", words, is_busy=is_long)
        search.helpers = [search.library.new(self._record) for _ in range(self._options.integer("threads") - 1)]
        for helper in search.helpers:
            ctypes.memmove(ctypes.addressof(helper), ctypes.addressof(search.state), ctypes.sizeof(search.state))
            CLOCK.install(helper)

    def schedule(self, limits: Limits, moves_to_go: float) -> Schedule:
        """When to stop; see `plan_time`. A limit of 0 asks for an answer at once."""
        if limits.move_time_ms is not None and limits.move_time_ms <= 0:
            return Schedule(0, 5)
        shortest = min(value for value in (limits.move_time_ms, limits.time_left_ms, 1 << 40) if value is not None)
        margin = min(self._options.integer("margin"), max(shortest, 0) / 2)
        return plan_time(limits, margin, moves_to_go)

    def run(self, limits: Limits, schedule: Schedule, exclude: Sequence[int], report: Report) -> Decision:
        """Search the position in the record; the schedule and the times told count from `begin`."""
        spent_ms = int((time.perf_counter() - self._began) * 1000)

        def since_begin(progress: Progress) -> Progress:
            return replace(progress, time_ms=progress.time_ms + spent_ms)

        rest = self._rest_of(schedule)
        decision = self._search.run(limits, rest, exclude, lambda progress: report(since_begin(progress)))
        return replace(decision, progress=since_begin(decision.progress))

    def _rest_of(self, schedule: Schedule) -> Schedule:
        spent_ms = (time.perf_counter() - self._began) * 1000
        soft, hard = (None if ms is None else ms - spent_ms for ms in (schedule.soft_ms, schedule.hard_ms))
        return Schedule(soft, hard)

    def run_weakly(
        self, levels: Levels, limits: Limits, schedule: Schedule, exclude: Sequence[int], report: Report
    ) -> Decision:
        """A move for people: little search, and any of the lines that score almost as well as the best."""
        level = self._options.integer("level")
        weaker = replace(limits, nodes=levels.nodes[level - 1], lines=levels.lines)
        lines: dict[int, Progress] = {}

        def keep(progress: Progress) -> None:
            lines[progress.line] = progress
            report(progress)

        decision = self.run(weaker, schedule, exclude, keep)
        best = decision.progress
        least = best.score - levels.slack[level - 1]
        near = [line for line in lines.values() if line.pv and line.score >= least and not line.result]
        if best.result or not near:
            return decision
        chosen = self._random.choice(near)
        return Decision(chosen.pv[0], chosen, f"level {level}")
