"""Monte-Carlo tree search as an engine uses it: threads on one tree, time, tree reuse, memory, MultiPV.

The search runs in slices of SLICE_MS, in which the kernels (core/search/kernels/mcts.py) run without the GIL. Between
slices Python reports progress, checks the limits and prunes a tree that is full. Hex's engine uses this search.

The playouts estimate win probabilities. A score is such a probability, scaled linearly: probability 0 is the score
-CERTAIN_WIN_SCORE, probability 1 is CERTAIN_WIN_SCORE; see `probability_to_score`.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from core.native.library import copy_state, new_array
from core.native.memory import format_mib, replace_array
from core.play.pending_warnings import PendingWarnings
from core.play.player import Limits, Progress, ProgressCallback
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.search.mcts_tree import (
    LOST,
    MAX_REWARDS,
    MAX_TREE_WORDS,
    MOVE_COUNT,
    NEEDS_SOLVER,
    PRIOR_SCALE,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_MOVE,
    ROW_PRIOR,
    ROW_REWARDS,
    ROW_VISITS,
    TREE_FULL,
    TREE_START,
    UNKNOWN,
    VISITS,
    WON,
    read_row,
    row_start,
)
from core.search.time_budget import TimeBudget
from core.system.threads import running_threads

if TYPE_CHECKING:
    from core.search.boundary import MctsState

CERTAIN_WIN_SCORE = 10_000
SLICE_MS = 50.0
REPORT_GROWTH = 1.5  # least factor by which the number of playouts grows from one report to the next
# A depth limit of d plies means PLAYOUTS_AT_DEPTH_0 * 2^d playouts, because a tree has no single depth
PLAYOUTS_AT_DEPTH_0 = 100
MAX_DEPTH_LIMIT = 40  # greater limits count as this one, whose playouts no search has time for
WORD_BYTES = 4  # of a tree
MIN_TREE_WORDS = 1 << 16  # more than two nodes of the largest board, so that a copy of the root leaves room
# The best move is the most visited one. It is unclear if a move with a better mean has more than 1 / UNCLEAR_VISITS as
# many visits.
UNCLEAR_VISITS = 4

StateT = TypeVar("StateT", bound="MctsState")
Tree = ctypes.Array[ctypes.c_int32]
# Called with a thread's number and the tree; lets the game's solver prove the node at the end of the thread's path
NodeSolver = Callable[[int, Tree], None]


class MctsKernelLibrary(Protocol[StateT]):
    """The kernels that this module calls; games get them from `make_mcts`."""

    def new(self, state_name: Any, /) -> StateT: ...
    def init_tree(self, state: StateT, tree: Tree, /) -> int: ...
    def search_tree(self, state: StateT, tree: Tree, /) -> int: ...
    def copy_subtree(
        self, tree: Tree, target: Tree, root: int, cursor: int, min_visits: int, max_words: int, /
    ) -> int: ...


@dataclass(frozen=True)
class MoveStatistics:
    """Statistics of one move of a node."""

    move: int
    visits: int
    rewards: int  # sum of the playouts' rewards, for the side that makes the move
    child: int  # child slot, see core/search/mcts_tree.py
    win_reward: int  # reward of one win

    @property
    def proven(self) -> int:
        """WON or LOST if proven for the side that makes the move, else UNKNOWN."""
        return {PROVEN_WIN: WON, PROVEN_LOSS: LOST}.get(self.child, UNKNOWN)

    @property
    def mean(self) -> float:
        """Probability, from 0 to 1, that the side that makes the move wins."""
        if self.proven != UNKNOWN:
            return float(self.proven == WON)
        return self.rewards / (self.win_reward * self.visits) if self.visits else 0.5


def probability_to_score(probability: float) -> int:
    """Return the score of a win probability from 0 to 1."""
    return round((2 * probability - 1) * CERTAIN_WIN_SCORE)


class MctsSearch(Generic[StateT]):
    """A search tree with one state per thread. The caller sets up the root position in `states[0]`.

    A lack of memory adds a warning to `warnings`.
    """

    def __init__(
        self, library: MctsKernelLibrary[StateT], state_name: str, format_pv: Callable[[Sequence[int]], list[str]]
    ) -> None:
        self.warnings = PendingWarnings()
        self.states: list[StateT] = []
        self.tree: Tree
        self._library = library
        self._state_name = state_name
        self._format_pv = format_pv
        self._spare: Tree  # the other half of the memory; pruning copies the kept nodes into it
        self._requested_words = 0  # size of each tree; more than it has if memory was short
        self._stop = StopToken()  # of the running search
        self._is_full = False  # True if the last slice filled the tree
        self._pruning_failed = False  # True if the last search had no time to prune the tree
        self._min_visits = 1  # pruning keeps nodes with at least this many visits
        self._deadline = 0  # of the running search, in ticks of the clock; 0 for none
        self.resize(0, 1)

    def resize(self, tree_bytes: int, threads: int) -> None:
        """Allocate two trees that take `tree_bytes` together, and a state for each thread. New trees are empty.

        If memory is short, the trees are smaller or there are fewer threads, with a warning.
        """
        words = min(max(tree_bytes // (2 * WORD_BYTES), MIN_TREE_WORDS), MAX_TREE_WORDS)
        if words != self._requested_words:
            self._replace_trees(words, threads)
            self._requested_words = words
        with suppress(MemoryError):  # fewer threads are better than no move
            while len(self.states) < threads:
                self.states.append(self._library.new(self._state_name))
                CLOCK.install(self.states[-1])
        if len(self.states) < threads:
            self.warnings.add(f"no memory for {threads} threads: there are {len(self.states)}")
        del self.states[threads:]

    def _replace_trees(self, words: int, threads: int) -> None:
        if self._requested_words and words == len(self.tree):
            return
        replace_array(
            words,
            MIN_TREE_WORDS,
            lambda length: (new_array("i32", length), new_array("i32", length)),
            self._use_trees,
            threads=threads,
        )
        if len(self.tree) < words:
            requested, actual = (format_mib(2 * WORD_BYTES * count) for count in (words, len(self.tree)))
            self.warnings.add(f"no memory for a tree of {requested}: it has {actual}")

    def _use_trees(self, trees: tuple[Tree, Tree]) -> None:
        self.tree, self._spare = trees
        if self.states:
            self.states[0].root = 0

    def move_statistics(self, node: int) -> list[MoveStatistics]:
        """Return the statistics of a node's moves: proven wins, unproven moves, proven losses; each by visits."""
        rows = (read_row(self.tree, node, row) for row in (ROW_MOVE, ROW_VISITS, ROW_REWARDS, ROW_CHILD))
        statistics = map(MoveStatistics, *rows, repeat(self.states[0].win_reward))
        rank = {WON: 0, UNKNOWN: 1, LOST: 2}
        return sorted(statistics, key=lambda move: (rank[move.proven], -move.visits))

    def init_tree(self) -> bool:
        """Start an empty tree at the root position. Return False if the root position has no legal move."""
        self._min_visits, self._pruning_failed = 1, False
        return bool(self._library.init_tree(self.states[0], self.tree))

    def find_node(self, moves: Sequence[int]) -> int:
        """Return the node that `moves` from the root lead to, or 0 if the tree does not contain it.

        Return 0 too if the tree must not be reused, because it is full and the last search had no time to prune it.
        """
        node = 0 if self._pruning_failed else self.states[0].root
        for move in moves:
            if not node:
                break
            children = dict(zip(read_row(self.tree, node, ROW_MOVE), read_row(self.tree, node, ROW_CHILD), strict=True))
            node = max(children.get(move, 0), 0)
        return node

    def make_root(self, node: int) -> None:
        """Make a node the root (tree reuse). The next pruning removes the rest of the tree."""
        self.states[0].root, self._min_visits = node, 1

    def exclude_root_moves(self, moves: Sequence[int]) -> None:
        """Exclude root moves from the search by marking them as losses. The tree must not be reused afterwards."""
        root = self.states[0].root
        children = row_start(self.tree, root, ROW_CHILD)
        for index, move in enumerate(read_row(self.tree, root, ROW_MOVE)):
            if move in moves:
                self.tree[children + index] = PROVEN_LOSS

    def add_root_noise(self, fraction: float, concentration: float, rng: random.Random) -> None:
        """Mix Dirichlet noise into the priors of the root's moves, for self-play games.

        `fraction` is the weight of the noise, from 0 to 1. `concentration` is the sum of the distribution's parameters,
        which are equal; the smaller it is, the fewer moves get most of the noise. The method is that of Silver et al.,
        "Mastering the game of Go without human knowledge" (2017), where each of 361 moves had the parameter 0.03.
        """
        root = self.states[0].root
        priors, count = row_start(self.tree, root, ROW_PRIOR), self.tree[root + MOVE_COUNT]
        # A Dirichlet distribution is that of independent gamma variates divided by their sum
        gammas = [rng.gammavariate(concentration / count, 1.0) for _ in range(count)]
        for index, gamma in enumerate(gammas):
            noise = fraction * PRIOR_SCALE * gamma / sum(gammas)
            self.tree[priors + index] = round((1 - fraction) * self.tree[priors + index] + noise)

    def run(
        self, limits: Limits, budget: TimeBudget, solve_node: NodeSolver | None, report: ProgressCallback
    ) -> Progress:
        """Search from the root, with at least one playout, and return the best PV.

        The root must have a node. Time counts from this call. Afterwards `states[0].root_result` is WON or LOST if the
        root is proven, else UNKNOWN.
        """
        with limits.stop.linked(*self.states):
            self._stop = limits.stop
            return self._run(limits, budget, solve_node, report)

    def _run(
        self, limits: Limits, budget: TimeBudget, solve_node: NodeSolver | None, report: ProgressCallback
    ) -> Progress:
        start = CLOCK.now()
        self._deadline = CLOCK.deadline_in(budget.hard_ms)
        self._prepare(limits)
        reported_nodes = 0
        while True:
            self._run_slice(solve_node)
            elapsed_ms = CLOCK.ms_since(start)
            nodes = sum(state.nodes for state in self.states)
            is_over = self._is_over(limits, budget, elapsed_ms)
            if not is_over and nodes < REPORT_GROWTH * reported_nodes:
                continue
            reported_nodes = nodes
            pvs = self.multi_pv(limits.multi_pv, int(elapsed_ms))
            for progress in pvs:
                report(progress)
            if is_over:
                return pvs[0]

    def multi_pv(self, count: int, elapsed_ms: int = 0) -> list[Progress]:
        """Return the PVs of the best `count` root moves, which are ordered as by `move_statistics`."""
        state = self.states[0]
        nodes = sum(state.nodes for state in self.states)
        pvs = []
        for pv_index, best in enumerate(self.move_statistics(state.root)[:count], 1):
            pv, child = [best.move], best.child
            while child > 0 and self.tree[child + VISITS]:
                move, child = self._best_move(child)
                pv.append(move)
            progress = Progress(
                depth=len(pv),
                selective_depth=state.max_depth_reached,
                score=probability_to_score(best.mean),
                nodes=nodes,
                time_ms=elapsed_ms,
                pv=tuple(self._format_pv(pv)),
                pv_index=pv_index,
            )
            pvs.append(progress)
        return pvs

    def _best_move(self, node: int) -> tuple[int, int]:
        """Return move and child slot of the first entry of `move_statistics(node)`, about ten times as fast."""
        visits, children = read_row(self.tree, node, ROW_VISITS), read_row(self.tree, node, ROW_CHILD)
        rank = {PROVEN_WIN: 1, PROVEN_LOSS: -1}
        best = max(range(len(visits)), key=lambda index: (rank.get(children[index], 0), visits[index]))
        return self.tree[row_start(self.tree, node, ROW_MOVE) + best], children[best]

    def _prepare(self, limits: Limits) -> None:
        """Reset the counters, and give each thread a copy of the root position, a node limit and a random state."""
        main = self.states[0]
        main.nodes, main.max_depth_reached, main.root_result = 0, 0, UNKNOWN
        playouts = [limits.nodes] if limits.nodes else []
        playouts += [PLAYOUTS_AT_DEPTH_0 << min(limits.depth, MAX_DEPTH_LIMIT)] if limits.depth else []
        main.node_limit = max(min(playouts) // len(self.states), 1) if playouts else 0
        for number, helper in enumerate(self.states[1:], 1):
            copy_state(main, helper)
            CLOCK.install(helper)
            helper.stop = int(self._stop.is_set)
            helper.random = (main.random * (2 * number + 1)) & ((1 << 64) - 1) or 1

    def _run_slice(self, solve_node: NodeSolver | None) -> None:
        """Let all threads search until SLICE_MS or the deadline has passed or the root is proven; prune a full tree."""
        self._is_full = False
        slice_end = CLOCK.deadline_in(SLICE_MS)
        slice_end = min(slice_end, self._deadline) if self._deadline else slice_end
        for state in self.states:
            state.root, state.aborted, state.next_poll, state.deadline = self.states[0].root, 0, state.nodes, slice_end
        helpers = range(1, len(self.states))
        with running_threads(lambda number: self._run_thread(number, solve_node), helpers, self._end_slice):
            self._run_thread(0, solve_node)
        for state in self.states:
            if state.root_result != UNKNOWN:
                self.states[0].root_result = state.root_result
        if self._is_full:
            self._prune_tree()

    def _run_thread(self, number: int, solve_node: NodeSolver | None) -> None:
        """Run one thread in a slice: the kernel, and the game's solver whenever the kernel asks for it."""
        state = self.states[number]
        while True:
            reason = self._library.search_tree(state, self.tree)
            if reason != NEEDS_SOLVER or solve_node is None:
                break
            solve_node(number, self.tree)
            if CLOCK.has_passed(state.deadline) or state.stop:
                break
        self._is_full |= reason == TREE_FULL
        self._end_slice()

    def _end_slice(self) -> None:
        """Make all threads return from their kernels, by a deadline in the past."""
        for state in self.states:
            state.deadline = 1

    @property
    def _max_visits(self) -> int:
        """Visits that a node may have, so that the sum of its rewards stays within MAX_REWARDS."""
        return MAX_REWARDS // self.states[0].win_reward

    def _prune_tree(self) -> None:
        """Make room in a full tree: keep only nodes below the root that have at least a minimum number of visits.

        The minimum is doubled until the kept nodes fit into half a tree. If there is no time for that, the tree stays
        full for the rest of this search. If the minimum exceeds the visits that a node may have, start an empty tree.
        """
        while self._min_visits <= self._max_visits:
            fits = self._copy_to_spare()
            if fits is None:
                self._pruning_failed = True
                return
            if fits:
                self.tree, self._spare = self._spare, self.tree
                self.states[0].root = TREE_START
                return
            self._min_visits *= 2
        self.init_tree()

    def _copy_to_spare(self) -> bool | None:
        """Copy the nodes with enough visits. Return whether half a tree can hold them; None if there was no time."""
        max_words, cursor = len(self._spare) // 2, 0
        while True:
            if self._stop.is_set or CLOCK.has_passed(self._deadline):
                return None
            root = self.states[0].root
            cursor = self._library.copy_subtree(self.tree, self._spare, root, cursor, self._min_visits, max_words)
            if cursor <= 0:
                return cursor == 0

    def _is_over(self, limits: Limits, budget: TimeBudget, elapsed_ms: float) -> bool:
        """Return whether to end the search: stop, proof, a limit, or a lead that the remaining time cannot change."""
        main = self.states[0]
        if self._stop.is_set or main.root_result != UNKNOWN or self.tree[main.root + VISITS] >= self._max_visits:
            return True
        if main.node_limit and any(state.nodes >= state.node_limit for state in self.states):
            return True
        if budget.hard_ms is not None and elapsed_ms >= budget.hard_ms - 1:
            return True
        if budget.soft_ms is None or limits.multi_pv > 1 or main.node_limit:
            return False
        best, *others = self.move_statistics(main.root)
        if not others:
            return True
        playouts_per_ms = sum(state.nodes for state in self.states) / elapsed_ms
        is_unclear = any(other.mean > best.mean and other.visits * UNCLEAR_VISITS > best.visits for other in others)
        end_ms = budget.hard_ms if is_unclear and budget.hard_ms is not None else budget.soft_ms
        # With a fixed time per move, unused time is lost; it is better spent on the tree, which later moves reuse.
        saves_time = budget.hard_ms is None or budget.soft_ms < budget.hard_ms
        lead = best.visits - others[0].visits
        return elapsed_ms >= end_ms or (saves_time and lead > playouts_per_ms * (end_ms - elapsed_ms))
