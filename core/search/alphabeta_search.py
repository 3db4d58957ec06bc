"""What every engine with a transposition table does alike: options, table and threads, time for a move, levels.

An engine of a game owns a `AlphaBetaSearch` over its record and adds what only that game knows.
"""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol

from core.native.library import copy_state, new_array
from core.native.machine import count_processors
from core.native.memory import MIB, format_mib, memory_limit, replace_array
from core.play import board_player
from core.play.board_player import P, SeedMixin
from core.play.options import Option, OptionSet
from core.play.pending_warnings import PendingWarnings
from core.play.player import Decision, Limits, Progress, ProgressCallback, ignore_progress
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.search.iterative_deepening import R, Search, SearchKernels, TimeBudget, TranspositionTable, allocate_time
from core.search.scores import MAX_DISTANCE
from core.search.table_size import table_words

LONG_MS = 500  # from here on a search has the time to touch all pages of a new table, also large ones
MAX_HASH_MIB = max(min(memory_limit() * 3 // 4 // MIB, 65536), 1)  # MiB; with more the machine would swap or kill
DEFAULT_TABLE_BYTES = min(128, MAX_HASH_MIB) * MIB
WORD_BYTES = 8
MAX_LEVEL = 10
LEVEL_NODE_SPREAD = 0.2  # of the nodes of a level below it

LEVEL = Option("level", MAX_LEVEL, "strength, 10 is full strength", minimum=1, maximum=MAX_LEVEL)
THREADS = Option("threads", 1, "search threads; no more run than there are processors", minimum=1, maximum=64)
HASH = Option("hash", 0, "transposition table in MiB, 0 to fit the memory limit", minimum=0, maximum=MAX_HASH_MIB)
MARGIN = Option("margin", 70, "milliseconds kept back of every time limit", minimum=0, maximum=10_000)
SEED = replace(board_player.SEED, help="of what is left to chance below level 10, 0 for a new one each game")


def count_threads(options: OptionSet, warnings: PendingWarnings) -> int:
    """Return how many threads a search takes: as the option says, but no more than there are processors for them.

    A thread without a processor of its own keeps the others from theirs, and limits of time from being kept.
    """
    wanted, processors = options.get_int(THREADS.name), count_processors()
    if wanted > processors:
        warnings.add(f"{wanted} threads are set, this process may use {processors} at a time: {processors} search")
    return min(wanted, processors)


@dataclass(frozen=True)
class StrengthLevels:
    """What the levels below the full one are: how much they search for a move, and how often they play any move."""

    nodes: tuple[int, ...]  # by level, from 1; of a search by playouts, those
    random_move_rates: tuple[float, ...]  # share of moves that are drawn by lot

    def limit_nodes(self, level: int, chance: random.Random, limits: Limits) -> Limits:
        """Limits with a level's nodes, a fifth more or less: no two games need be alike even where nothing is drawn."""
        nodes = max(1, round(self.nodes[level - 1] * chance.uniform(1 - LEVEL_NODE_SPREAD, 1 + LEVEL_NODE_SPREAD)))
        return replace(limits, nodes=min(limits.nodes or nodes, nodes))

    def pick_random_move(self, level: int, chance: random.Random, moves: Sequence[int]) -> int | None:
        """The move of a lapse, None where there is none this time."""
        return chance.choice(moves) if chance.random() < self.random_move_rates[level - 1] else None


class SearchedPosition(Protocol[R]):
    """What a search wants of a position."""

    @property
    def library(self) -> SearchKernels[R]:
        """The kernels."""

    @property
    def state(self) -> R:
        """The record."""

    def legal_numbers(self) -> list[int]:
        """All legal moves as the kernels number them."""


class AlphaBetaSearch(Generic[R]):
    """One position's search with a table of its own. `options` hold at least level, threads, hash and margin.

    `shortest` is the distance up to which the game's search finds the shortest wins (`iterative_deepening.Search`).
    `warnings` tell what there was no memory for.
    """

    def __init__(
        self,
        record: str,
        position: SearchedPosition[R],
        format_line: Callable[[Sequence[int]], list[str]],
        options: OptionSet,
        shortest: int = MAX_DISTANCE,
    ) -> None:
        self.warnings = PendingWarnings()
        self.table = new_array("u64", table_words(0))
        self._asked_words = len(self.table)  # it may have fewer
        self._record = record
        self._options = options
        self._began = self._counted_from = time.perf_counter()
        self._search = Search(
            position.library, position.state, self.table, format_line, position.legal_numbers, shortest=shortest
        )
        CLOCK.install(position.state)

    @contextmanager
    def begin_move(self, stop: StopToken) -> Iterator[None]:
        """Start the clock of a move, and let a token end what kernels do with the record in the block."""
        self._began = self._counted_from = time.perf_counter()
        with stop.linked(self._search.state):
            yield

    def restart_clock(self) -> float:
        """Let schedules count from now; return the milliseconds before, which are to be taken off what is planned."""
        before, self._counted_from = self._counted_from, time.perf_counter()
        return (self._counted_from - before) * 1000

    @property
    def threads(self) -> int:
        """Threads that search."""
        return count_threads(self._options, self.warnings)

    def new_game(self, is_alike: bool) -> None:
        """A game begins, by the same rules or not. Below level 10 it does not depend on the games before."""
        if not is_alike or self._options.get_int("level") < MAX_LEVEL:
            self.clear_hash()

    def clear_hash(self) -> None:
        """Forget the transposition table."""
        self._use(new_array("u64", table_words(0)))
        self._asked_words = len(self.table)

    def resize(self, budget: TimeBudget, room_bytes: int | None = None) -> None:
        """Make the table as large as the options ask for, `room_bytes` at most, and as many helper records.

        Called before a search. Where there is no memory for that, there are less of both, and a note. A table is made
        while the old one stands, unless both would need more than `room_bytes`.
        """
        wanted = self._options.get_int("hash") * MIB or DEFAULT_TABLE_BYTES
        words = table_words(wanted if room_bytes is None else min(wanted, room_bytes))
        if words != self._asked_words:
            is_long = budget.hard_ms is not None and budget.hard_ms >= LONG_MS
            self._replace_table(words, is_long, room_bytes)
            self._asked_words = words
        self._make_helpers(self.threads - 1)

    def _replace_table(self, words: int, huge_pages: bool, room_bytes: int | None) -> None:
        old = len(self.table)
        replace_array(
            words,
            table_words(0),
            lambda length: new_array("u64", length, huge_pages=huge_pages),
            self._use,
            threads=self.threads,
            fits_beside=room_bytes is None or (old + words) * WORD_BYTES <= room_bytes,
        )
        if len(self.table) < words:
            asked, got = format_mib(words * WORD_BYTES), format_mib(len(self.table) * WORD_BYTES)
            self.warnings.add(f"no memory for a table of {asked}: it has {got}")

    def _use(self, table: TranspositionTable) -> None:
        self.table = self._search.table = table

    def _make_helpers(self, count: int) -> None:
        search = self._search
        helpers: list[R] = []
        with suppress(MemoryError):
            while len(helpers) < count:
                helpers.append(search.library.new(self._record))
        if len(helpers) < count:
            self.warnings.add(f"no memory for {count + 1} threads: there are {len(helpers) + 1}")
        search.helpers = helpers
        for helper in helpers:
            copy_state(search.state, helper)
            CLOCK.install(helper)

    def allocate_time(self, limits: Limits, expected_moves_left: float) -> TimeBudget:
        """When to stop; see `allocate_time`. A limit of 0 asks for an answer at once."""
        if limits.move_time_ms is not None and limits.move_time_ms <= 0:
            return TimeBudget(0, 5)
        shortest = min(value for value in (limits.move_time_ms, limits.time_left_ms, 1 << 40) if value is not None)
        margin = min(self._options.get_int("margin"), max(shortest, 0) / 2)
        return allocate_time(limits, margin, expected_moves_left)

    def run(self, limits: Limits, budget: TimeBudget, exclude: Sequence[int], report: ProgressCallback) -> Decision:
        """Search the position in the record.

        Times told count from the start of `begin_move`, the schedule from there or from `restart_clock`.
        """
        spent_ms = int((time.perf_counter() - self._began) * 1000)

        def since_begin(progress: Progress) -> Progress:
            return replace(progress, time_ms=progress.time_ms + spent_ms)

        rest = self._rest_of(budget)
        decision = self._search.run(limits, rest, exclude, lambda progress: report(since_begin(progress)))
        return replace(decision, progress=since_begin(decision.progress))

    def _rest_of(self, budget: TimeBudget) -> TimeBudget:
        spent_ms = (time.perf_counter() - self._counted_from) * 1000
        soft, hard = (None if ms is None else ms - spent_ms for ms in (budget.soft_ms, budget.hard_ms))
        return TimeBudget(soft, hard)

    def run_at_level(
        self,
        levels: StrengthLevels,
        chance: random.Random,
        limits: Limits,
        budget: TimeBudget,
        exclude: Sequence[int],
        report: ProgressCallback,
    ) -> Decision:
        """A move for people: little search and, unless that proves how the game ends, now and then any move."""
        level = self._options.get_int("level")
        weaker = levels.limit_nodes(level, chance, limits)
        decision = self.run(weaker, budget, exclude, report)
        state = self._search.state
        moves = list(state.root_moves[: state.root_move_count])
        drawn = levels.pick_random_move(level, chance, moves) if moves and not decision.progress.result else None
        if drawn is None:
            return decision
        others = [move for move in moves if move != drawn]
        return replace(self.run(weaker, budget, [*exclude, *others], report), note=f"level {level}")


class AlphaBetaPlayer(SeedMixin[P]):
    """Beside a game's own player: what it leaves to its searcher."""

    _alphabeta: AlphaBetaSearch[Any]

    @property
    def has_own_limit(self) -> bool:
        """Whether the level's nodes end a search without limits."""
        return self.options.get_int("level") < MAX_LEVEL

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; none if the game is over."""
        with self._alphabeta.begin_move(limits.stop):
            return self._choose(limits, report)

    @abstractmethod
    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        """Choose a move within the block of `AlphaBetaSearch.begin_move`."""

    def clear_hash(self) -> None:
        """Forget the transposition table."""
        self._alphabeta.clear_hash()

    def take_warnings(self) -> list[str]:
        """What could not be had."""
        return self._alphabeta.warnings.take()
