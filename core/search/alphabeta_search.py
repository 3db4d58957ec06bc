"""The alpha-beta search as an engine uses it: transposition table, helper threads, time of a move, strength levels.

An engine derives from `AlphaBetaEngine`, has an `AlphaBetaSearch` of its position, and adds the parts that are special
to its game, such as an opening book. The search itself is in core/search/iterative_deepening.py.
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
from core.play.board_player import PositionT, SeedMixin
from core.play.options import Option, OptionSet, Value
from core.play.pending_warnings import PendingWarnings
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, ignore_progress
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.search.engine_options import MAX_HASH_MIB, MAX_LEVEL, StrengthLevels, count_threads
from core.search.iterative_deepening import AlphaBetaKernels, IterativeDeepening, StateT, TranspositionTable
from core.search.parameters import ASPIRATION_PREFIX
from core.search.scores import MAX_DISTANCE
from core.search.table_size import table_words
from core.search.time_budget import TimeBudget, allocate_time

HUGE_PAGES_MIN_MS = 500  # shorter searches lose more by clearing huge pages than they gain
INSTANT_MS = 5  # hard limit of a search whose move time is 0
DEFAULT_TABLE_BYTES = min(128, MAX_HASH_MIB) * MIB  # if the option `hash` is 0
WORD_BYTES = 8  # of the transposition table


class SearchedPosition(Protocol[StateT]):
    """A position that can be searched."""

    @property
    def library(self) -> AlphaBetaKernels[StateT]:
        """The game's kernels."""

    @property
    def state(self) -> StateT:
        """The state that the kernels work on."""

    def legal_numbers(self) -> list[int]:
        """Return all legal moves, as the integers that encode moves in the kernels."""


class AlphaBetaSearch(Generic[StateT]):
    """Alpha-beta search of one position, with a transposition table and helper threads.

    `state_name` is the name of the position's state type; `format_pv` formats moves from the root, in order, as text.
    `options` must contain level, threads, hash and margin. For `exact_distance` see `IterativeDeepening`. A lack of
    memory adds a warning to `warnings`.
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
        self._requested_words = len(self.table)  # more than the table has if memory was short
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
        for option in options.hidden_options():
            self._apply_parameter(option)

    def set_parameter(self, option: Option) -> None:
        """Use the value that a hidden option has now. Clear the table, since its scores depend on the constants."""
        self._apply_parameter(option)
        self.clear_hash()

    def _apply_parameter(self, option: Option) -> None:
        """Copy the value of a hidden option to where the search reads it. Helpers copy the state before each search."""
        search = self._search
        if option.name.startswith(ASPIRATION_PREFIX):
            name = option.name.removeprefix(ASPIRATION_PREFIX)
            search.aspiration = replace(search.aspiration, **{name: self._options.get_int(option.name)})
        else:
            setattr(search.state, option.name, self._options[option.name])

    @contextmanager
    def begin_move(self, stop: StopToken) -> Iterator[None]:
        """Start the clock of a move. Within the block, setting the stop token ends any kernel that uses the state."""
        self._move_start = self._budget_start = time.perf_counter()
        with stop.linked(self._search.state):
            yield

    def restart_clock(self) -> float:
        """Let the time budget of `run` count from now on, and return the milliseconds since the old start.

        For an engine that has already used time for this move: it subtracts them when it allocates the budget.
        """
        old_start, self._budget_start = self._budget_start, time.perf_counter()
        return (self._budget_start - old_start) * 1000

    @property
    def threads(self) -> int:
        """Number of threads that search."""
        return count_threads(self._options, self.warnings)

    def new_game(self, has_same_rules: bool) -> None:
        """Begin a new game; keep the table only if board and rules are the same and the level is full strength.

        At lower levels, the moves of a game with a seed must not depend on earlier games.
        """
        if not has_same_rules or self._options.get_int("level") < MAX_LEVEL:
            self.clear_hash()

    def clear_hash(self) -> None:
        """Clear the transposition table. It has its minimum size until the next `resize`."""
        self._use_table(new_array("u64", table_words(0)))
        self._requested_words = len(self.table)

    def resize(self, budget: TimeBudget, max_bytes: int | None = None) -> None:
        """Give the table the size that the option sets, at most `max_bytes`, and create the helper threads' states.

        Called before each search. If memory is short, the table is smaller or there are fewer helpers, with a warning.
        """
        table_bytes = self._options.get_int("hash") * MIB or DEFAULT_TABLE_BYTES
        words = table_words(table_bytes if max_bytes is None else min(table_bytes, max_bytes))
        if words != self._requested_words:
            is_long_search = budget.hard_ms is not None and budget.hard_ms >= HUGE_PAGES_MIN_MS
            self._replace_table(words, is_long_search, max_bytes)
            self._requested_words = words
        self._make_helpers(self.threads - 1)

    def _replace_table(self, words: int, huge_pages: bool, max_bytes: int | None) -> None:
        """Replace the table; free the old one first if memory is short or both together exceed `max_bytes`."""
        old_words = len(self.table)
        replace_array(
            words,
            table_words(0),
            lambda length: new_array("u64", length, huge_pages=huge_pages),
            self._use_table,
            threads=self.threads,
            fits_beside=max_bytes is None or (old_words + words) * WORD_BYTES <= max_bytes,
        )
        if len(self.table) < words:
            requested, actual = format_mib(words * WORD_BYTES), format_mib(len(self.table) * WORD_BYTES)
            self.warnings.add(f"no memory for a table of {requested}: it has {actual}")

    def _use_table(self, table: TranspositionTable) -> None:
        self.table = self._search.table = table

    def _make_helpers(self, count: int) -> None:
        """Create the states of the helper threads as copies of the main thread's state."""
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
        """Return the time budget of a move, with the option `margin`; see `allocate_time`."""
        return allocate_time(limits, self._options.get_int("margin"), expected_moves_left, INSTANT_MS)

    def run(
        self, limits: Limits, budget: TimeBudget, excluded_moves: Sequence[int], report: ProgressCallback
    ) -> Decision:
        """Search the position and return the best move that is not excluded.

        Reported times count from `begin_move`. The budget counts from there too, or from the last `restart_clock`.
        """
        elapsed_ms = int((time.perf_counter() - self._move_start) * 1000)

        def add_elapsed(progress: Progress) -> Progress:
            return replace(progress, time_ms=progress.time_ms + elapsed_ms)

        remaining = budget.minus_elapsed((time.perf_counter() - self._budget_start) * 1000)
        decision = self._search.run(limits, remaining, excluded_moves, lambda progress: report(add_elapsed(progress)))
        return replace(decision, progress=add_elapsed(decision.progress))

    def run_at_level(
        self,
        levels: StrengthLevels,
        rng: random.Random,
        limits: Limits,
        budget: TimeBudget,
        excluded_moves: Sequence[int],
        report: ProgressCallback,
    ) -> Decision:
        """Choose a move at a level below full strength: by a search with few nodes, or at times a mistake.

        There is no mistake if the search proves the result of the position.
        """
        level = self._options.get_int("level")
        level_limits = levels.limit_nodes(level, rng, limits)
        decision = self.run(level_limits, budget, excluded_moves, report)
        state = self._search.state
        moves = list(state.root_moves[: state.root_move_count])
        if not moves or decision.progress.result or not levels.makes_mistake(level, rng):
            return decision
        if levels.first_sight is None:
            mistake = rng.choice(moves)
        else:
            candidates, scores = self._rank_at_first_sight(limits, budget, excluded_moves, levels.first_sight.moves)
            if not candidates:  # no time left
                return decision
            mistake = levels.first_sight.pick(rng, candidates, scores)
        other_moves = [move for move in moves if move != mistake]
        # The second search gives the mistake a score and a PV
        return replace(self.run(level_limits, budget, [*excluded_moves, *other_moves], report), note=f"level {level}")

    def _rank_at_first_sight(
        self, limits: Limits, budget: TimeBudget, excluded_moves: Sequence[int], count: int
    ) -> tuple[list[int], list[int]]:
        """Return the `count` best moves of a search to depth 1 and their scores; fewer if time runs out."""
        scores: dict[int, int] = {}

        def keep_score(progress: Progress) -> None:
            scores[progress.pv_index] = progress.score

        self.run(replace(limits, depth=1, nodes=None, multi_pv=count), budget, excluded_moves, keep_score)
        return list(self._search.state.root_moves[: len(scores)]), list(scores.values())


class AlphaBetaEngine(SeedMixin[PositionT]):
    """Base class of the players that choose moves by an `AlphaBetaSearch`."""

    _alphabeta: AlphaBetaSearch[Any]

    @property
    def has_builtin_limit(self) -> bool:
        """True below full strength, where the level limits the nodes of a search."""
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
        """Begin a game; raise BadSetup. A change of `table_scope`, or a level below full strength, clears the table."""
        old_scope = self.table_scope
        super().new_game(setup)
        self._alphabeta.new_game(old_scope == self.table_scope)

    def set_option(self, name: str, value: Value) -> None:
        """Store an option. A hidden one, a constant of the search, clears the transposition table if it changes."""
        old_value = self.options.get(name)
        super().set_option(name, value)
        option = self.options.get_option(name)
        if option.is_hidden and self.options[name] != old_value:
            self._alphabeta.set_parameter(option)

    def clear_hash(self) -> None:
        """Clear the transposition table."""
        self._alphabeta.clear_hash()

    def take_warnings(self) -> list[str]:
        """Return and clear the warnings for the user since the last call."""
        return self._alphabeta.warnings.take()
