"""The alpha-beta search as an engine uses it: transposition table, helper threads, time of a move, strength levels.

Each game's engine owns an `AlphaBetaSearch` of its position, derives from `AlphaBetaEngine`, and adds what only that
game knows. The iterations themselves are in core/search/iterative_deepening.py.
"""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Generic, Protocol

from core.native.library import copy_state, new_array
from core.native.memory import MIB, format_mib, replace_array
from core.play.board_player import P, SeedMixin
from core.play.options import OptionSet
from core.play.pending_warnings import PendingWarnings
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, ignore_progress
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.search.engine_options import MAX_HASH_MIB, MAX_LEVEL, StrengthLevels, count_threads
from core.search.iterative_deepening import AlphaBetaKernels, IterativeDeepening, StateT, TranspositionTable
from core.search.scores import MAX_DISTANCE
from core.search.table_size import table_words
from core.search.time_budget import TimeBudget, allocate_short_time

HUGE_PAGES_MIN_MS = 500  # shorter searches lose more by clearing huge pages than they gain
INSTANT_MS = 5  # for a move that is asked for at once
DEFAULT_TABLE_BYTES = min(128, MAX_HASH_MIB) * MIB
WORD_BYTES = 8


class SearchedPosition(Protocol[StateT]):
    """A position that can be searched."""

    @property
    def library(self) -> AlphaBetaKernels[StateT]:
        """The game's kernels."""

    @property
    def state(self) -> StateT:
        """The state that the kernels work on."""

    def legal_numbers(self) -> list[int]:
        """Return all legal moves, as the kernels number them."""


class AlphaBetaSearch(Generic[StateT]):
    """Alpha-beta search of one position with a transposition table of its own.

    `state_name` is the name of the position's state type. `options` hold at least level, threads, hash and margin. For
    `exact_distance` see `IterativeDeepening`. `warnings` tell about memory that could not be allocated.
    """

    def __init__(
        self,
        state_name: str,
        position: SearchedPosition[StateT],
        format_pv: Callable[[Sequence[int]], list[str]],
        options: OptionSet,
        exact_distance: int = MAX_DISTANCE,
    ) -> None:
        self.warnings = PendingWarnings()
        self.table = new_array("u64", table_words(0))
        self._requested_words = len(self.table)  # the table is smaller if memory was short
        self._state_name = state_name
        self._options = options
        self._move_start = self._budget_start = time.perf_counter()
        self._search = IterativeDeepening(
            position.library,
            position.state,
            self.table,
            format_pv,
            position.legal_numbers,
            exact_distance=exact_distance,
        )
        CLOCK.install(position.state)

    @contextmanager
    def begin_move(self, stop: StopToken) -> Iterator[None]:
        """Start the clock of a move. Within the block the stop token ends any kernel that works on the state."""
        self._move_start = self._budget_start = time.perf_counter()
        with stop.linked(self._search.state):
            yield

    def restart_clock(self) -> float:
        """Let time budgets count from now on, and return the milliseconds since the old start.

        The caller subtracts them from the budgets that it allocates.
        """
        before, self._budget_start = self._budget_start, time.perf_counter()
        return (self._budget_start - before) * 1000

    @property
    def threads(self) -> int:
        """Number of threads that search."""
        return count_threads(self._options, self.warnings)

    def new_game(self, is_alike: bool) -> None:
        """Begin a new game. The table is cleared unless the rules are alike and the level is full strength.

        Below that, a game with a seed must not depend on earlier games.
        """
        if not is_alike or self._options.get_int("level") < MAX_LEVEL:
            self.clear_hash()

    def clear_hash(self) -> None:
        """Clear the transposition table. It shrinks to the minimum until the next `resize`."""
        self._use_table(new_array("u64", table_words(0)))
        self._requested_words = len(self.table)

    def resize(self, budget: TimeBudget, room_bytes: int | None = None) -> None:
        """Give the table the size of the option, at most `room_bytes`, and make the helper threads' states.

        Called before each search. If memory is short, the table gets smaller or helpers are left out, with a warning.
        The old table is freed first only if both would exceed `room_bytes`.
        """
        wanted = self._options.get_int("hash") * MIB or DEFAULT_TABLE_BYTES
        words = table_words(wanted if room_bytes is None else min(wanted, room_bytes))
        if words != self._requested_words:
            is_long_search = budget.hard_ms is not None and budget.hard_ms >= HUGE_PAGES_MIN_MS
            self._replace_table(words, is_long_search, room_bytes)
            self._requested_words = words
        self._make_helpers(self.threads - 1)

    def _replace_table(self, words: int, huge_pages: bool, room_bytes: int | None) -> None:
        old_words = len(self.table)
        replace_array(
            words,
            table_words(0),
            lambda length: new_array("u64", length, huge_pages=huge_pages),
            self._use_table,
            threads=self.threads,
            fits_beside=room_bytes is None or (old_words + words) * WORD_BYTES <= room_bytes,
        )
        if len(self.table) < words:
            wanted, got = format_mib(words * WORD_BYTES), format_mib(len(self.table) * WORD_BYTES)
            self.warnings.add(f"no memory for a table of {wanted}: it has {got}")

    def _use_table(self, table: TranspositionTable) -> None:
        self.table = self._search.table = table

    def _make_helpers(self, count: int) -> None:
        """Make the states of the helper threads as copies of the main thread's state."""
        search = self._search
        helpers: list[StateT] = []
        with suppress(MemoryError):  # fewer threads are better than no move
            while len(helpers) < count:
                helpers.append(search.library.new(self._state_name))
        if len(helpers) < count:
            self.warnings.add(f"no memory for {count + 1} threads: there are {len(helpers) + 1}")
        search.helpers = helpers
        for helper in helpers:
            copy_state(search.state, helper)
            CLOCK.install(helper)

    def allocate_time(self, limits: Limits, expected_moves_left: float) -> TimeBudget:
        """Return the time budget of a move; see `allocate_short_time`."""
        return allocate_short_time(limits, self._options.get_int("margin"), expected_moves_left, INSTANT_MS)

    def run(
        self, limits: Limits, budget: TimeBudget, excluded_moves: Sequence[int], report: ProgressCallback
    ) -> Decision:
        """Search the position in the state.

        Reported times count from `begin_move`. The budget counts from there too, or from the last `restart_clock`.
        """
        elapsed_ms = int((time.perf_counter() - self._move_start) * 1000)

        def since_move_start(progress: Progress) -> Progress:
            return replace(progress, time_ms=progress.time_ms + elapsed_ms)

        remaining = budget.minus_elapsed((time.perf_counter() - self._budget_start) * 1000)
        decision = self._search.run(
            limits, remaining, excluded_moves, lambda progress: report(since_move_start(progress))
        )
        return replace(decision, progress=since_move_start(decision.progress))

    def run_at_level(
        self,
        levels: StrengthLevels,
        rng: random.Random,
        limits: Limits,
        budget: TimeBudget,
        excluded_moves: Sequence[int],
        report: ProgressCallback,
    ) -> Decision:
        """Choose a move at a level below full strength: few nodes, sometimes a random move.

        A position whose result the search has proven gets no random move.
        """
        level = self._options.get_int("level")
        limited = levels.limit_nodes(level, rng, limits)
        decision = self.run(limited, budget, excluded_moves, report)
        state = self._search.state
        moves = list(state.root_moves[: state.root_move_count])
        can_be_random = moves and not decision.progress.result
        random_move = levels.pick_random_move(level, rng, moves) if can_be_random else None
        if random_move is None:
            return decision
        others = [move for move in moves if move != random_move]
        return replace(self.run(limited, budget, [*excluded_moves, *others], report), note=f"level {level}")


class AlphaBetaEngine(SeedMixin[P]):
    """Base of the players that choose their moves by an `AlphaBetaSearch`."""

    _alphabeta: AlphaBetaSearch[Any]

    @property
    def has_own_limit(self) -> bool:
        """Return whether the nodes of the level end a search that has no limits."""
        return self.options.get_int("level") < MAX_LEVEL

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move. The decision has no move if the game is over."""
        with self._alphabeta.begin_move(limits.stop):
            return self._choose(limits, report)

    @abstractmethod
    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        """Choose a move; called within `AlphaBetaSearch.begin_move`."""

    @property
    def table_scope(self) -> Hashable:
        """What table entries depend on but hash keys do not include: board and rules, by default the whole setup."""
        return self.position.setup

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup. A change of `table_scope` clears the transposition table."""
        before = self.table_scope
        super().new_game(setup)
        self._alphabeta.new_game(before == self.table_scope)

    def clear_hash(self) -> None:
        """Clear the transposition table."""
        self._alphabeta.clear_hash()

    def take_warnings(self) -> list[str]:
        """Return the warnings since the last call, and clear them."""
        return self._alphabeta.warnings.take()
