"""Monte-Carlo tree search as players drive it: threads on one tree, time, nodes to study, best lines, tree reuse.

The kernels (core/search/kernels/mcts.py) run without the GIL and return every SLICE_MS, so that reports, clocks and
`stop` are kept. A score is the probability to win as the playouts have it, from -CERTAIN for none to CERTAIN; see
`probability_to_score`.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Generic, Protocol, TypeVar

from core.native.library import copy_state, new_array
from core.native.memory import format_mib, replace_array
from core.play.pending_warnings import PendingWarnings
from core.play.player import Limits, Progress, ProgressCallback
from core.play.stop import StopToken
from core.search.clock import CLOCK
from core.search.iterative_deepening import TimeBudget
from core.search.mcts_tree import (
    HEADER_WORDS,
    LOST,
    MAX_REWARDS,
    MAX_TREE_WORDS,
    MOVE_COUNT,
    NEEDS_SOLVER,
    PRIOR_SCALE,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_PRIOR,
    ROW_REWARDS,
    ROW_VISITS,
    TREE_FULL,
    TREE_START,
    UNKNOWN,
    VISITS,
    WON,
)
from core.system.threads import running_threads

CERTAIN_WIN_SCORE = 10_000
SLICE_MS = 50.0
DEPTH_PLAYOUTS = 100  # a limit of depth d stands for DEPTH_PLAYOUTS * 2^d playouts: such a tree has no depth of its own
MOST_DEPTH = 40  # more playouts than there is time for
WORD_BYTES = 4
MIN_TREE_WORDS = 1 << 16  # of a tree: more than twice the root's on the largest board, or it could not be thinned out
Tree = ctypes.Array[ctypes.c_int32]
Study = Callable[[int, Tree], None]  # number of the thread, tree: judges the node that a thread's search has stopped at


class TreeRecord(Protocol):
    """The fields of a record that drive its search; see `mcts_fields` in core/search/kernels/mcts.py."""

    stop: int
    deadline: int
    nodes: int
    node_limit: int
    next_poll: int
    aborted: int
    max_depth_reached: int
    root: int
    root_result: int
    win_reward: int
    random: int


R = TypeVar("R", bound=TreeRecord)


class TreeKernels(Protocol[R]):
    """The kernels of a game that has the skeleton of core/search/kernels/mcts.py."""

    def new(self, record: Any, /) -> R: ...
    def init_tree(self, state: R, tree: Tree, /) -> int: ...
    def search_tree(self, state: R, tree: Tree, /) -> int: ...
    def copy_subtree(self, tree: Tree, spare: Tree, root: int, node: int, least: int, most: int, /) -> int: ...


@dataclass(frozen=True)
class MoveStatistics:
    """A move of a node with its statistics. `proven` is WON or LOST for the side that makes it, or UNKNOWN."""

    move: int
    visits: int
    rewards: int
    child: int
    win_reward: int  # reward of a win

    @property
    def proven(self) -> int:
        """WON or LOST for the side that makes the move, or UNKNOWN."""
        return {PROVEN_WIN: WON, PROVEN_LOSS: LOST}.get(self.child, UNKNOWN)

    @property
    def mean(self) -> float:
        """Probability that the side which makes the move wins."""
        if self.proven != UNKNOWN:
            return float(self.proven == WON)
        return self.rewards / (self.win_reward * self.visits) if self.visits else 0.5


def probability_to_score(probability: float) -> int:
    """The score that stands for a probability to win."""
    return round((2 * probability - 1) * CERTAIN_WIN_SCORE)


class MctsSearch(Generic[R]):
    """Search trees over one kind of record, a record for each thread; the caller sets the root in `states[0]`."""

    def __init__(self, library: TreeKernels[R], record: str, format_line: Callable[[Sequence[int]], list[str]]) -> None:
        self.warnings = PendingWarnings()  # what there was no memory for
        self.states: list[R] = []
        self.tree: Tree
        self._library = library
        self._record = record
        self._format_line = format_line
        self._spare: Tree
        self._asked_words = 0  # a tree may have fewer
        self._stop = StopToken()  # of the running search
        self._full = False
        self._is_too_big = False
        self._least = 1  # visits of a node that is kept when the tree is thinned out
        self._deadline = 0  # ticks at which the time of the running search is over, 0 for never
        self.resize(0, 1)

    def resize(self, tree_bytes: int, threads: int) -> None:
        """Have so many bytes for two trees, one of them in use, and a record for each thread. New trees are empty.

        Where there is no memory for that, there are less of both, and a note.
        """
        words = min(max(tree_bytes // (2 * WORD_BYTES), MIN_TREE_WORDS), MAX_TREE_WORDS)
        if words != self._asked_words:
            self._replace_trees(words, threads)
            self._asked_words = words
        with suppress(MemoryError):
            while len(self.states) < threads:
                self.states.append(self._library.new(self._record))
                CLOCK.install(self.states[-1])
        if len(self.states) < threads:
            self.warnings.add(f"no memory for {threads} threads: there are {len(self.states)}")
        del self.states[threads:]

    def _replace_trees(self, words: int, threads: int) -> None:
        if self._asked_words and words == len(self.tree):
            return
        replace_array(
            words,
            MIN_TREE_WORDS,
            lambda length: (new_array("i32", length), new_array("i32", length)),
            self._use,
            threads=threads,
        )
        if len(self.tree) < words:
            asked, got = (format_mib(2 * WORD_BYTES * count) for count in (words, len(self.tree)))
            self.warnings.add(f"no memory for a tree of {asked}: it has {got}")

    def _use(self, trees: tuple[Tree, Tree]) -> None:
        self.tree, self._spare = trees
        if self.states:
            self.states[0].root = 0

    def move_statistics(self, node: int) -> list[MoveStatistics]:
        """The moves of a node, best first: proven wins, then by visits; what is proven lost comes last."""
        count = self.tree[node + MOVE_COUNT]
        first = node + HEADER_WORDS
        rows = [self.tree[first + row * count : first + (row + 1) * count] for row in range(ROW_CHILD + 1)]
        found = map(
            MoveStatistics,
            rows[0],
            rows[ROW_VISITS],
            rows[ROW_REWARDS],
            rows[ROW_CHILD],
            repeat(self.states[0].win_reward),
        )
        rank = {WON: 0, UNKNOWN: 1, LOST: 2}
        return sorted(found, key=lambda branch: (rank[branch.proven], -branch.visits))

    def init_tree(self) -> bool:
        """Begin with an empty tree at the root in `states[0]`; False where the root has no move."""
        self._least, self._is_too_big = 1, False
        return bool(self._library.init_tree(self.states[0], self.tree))

    def find_node(self, moves: Sequence[int]) -> int:
        """The block that is reached from the root of the tree by moves, or 0 where it does not go so far.

        Nor is there one where the tree was too big to be thinned out in the time of the last search.
        """
        node = 0 if self._is_too_big else self.states[0].root
        for move in moves:
            child = (
                next((branch.child for branch in self.move_statistics(node) if branch.move == move), 0) if node else 0
            )
            node = max(child, 0)
        return node

    def make_root(self, node: int) -> None:
        """Make a block the root. What does not hang at it is forgotten when its room is needed."""
        self.states[0].root, self._least = node, 1

    def exclude_root_moves(self, moves: Sequence[int]) -> None:
        """Do not search these root moves. The tree is no longer of use for anything but this."""
        node = self.states[0].root
        count = self.tree[node + MOVE_COUNT]
        for index in range(count):
            if self.tree[node + HEADER_WORDS + index] in moves:
                self.tree[node + HEADER_WORDS + ROW_CHILD * count + index] = PROVEN_LOSS

    def add_root_noise(self, part: float, spread: float, chance: random.Random) -> None:
        """Let a part of the shares of the root's moves be drawn from a Dirichlet distribution, for games to learn from.

        `spread` is the sum of its parameters, alike for all moves: the less, the fewer moves have most of it. From
        Silver et al., "Mastering the game of Go without human knowledge" (2017), where 361 moves had 0.03 each.
        """
        node = self.states[0].root
        count = self.tree[node + MOVE_COUNT]
        first = node + HEADER_WORDS + ROW_PRIOR * count
        drawn = [chance.gammavariate(spread / count, 1.0) for _ in range(count)]
        for index, value in enumerate(drawn):
            noise = part * PRIOR_SCALE * value / sum(drawn)
            self.tree[first + index] = round((1 - part) * self.tree[first + index] + noise)

    def run(self, limits: Limits, budget: TimeBudget, study: Study | None, report: ProgressCallback) -> Progress:
        """Search the root, which has a block, and return the best line; at least one playout is made.

        `states[0].root_result` then tells whether the root is proven. The clock of the schedule starts now.
        """
        with limits.stop.linked(*self.states):
            self._stop = limits.stop
            return self._run(limits, budget, study, report)

    def _run(self, limits: Limits, budget: TimeBudget, study: Study | None, report: ProgressCallback) -> Progress:
        started = CLOCK.now()
        self._deadline = CLOCK.deadline_in(budget.hard_ms)
        self._prepare(limits)
        told = 0
        while True:
            self._run_slice(study)
            elapsed_ms = CLOCK.ms_since(started)
            nodes = sum(state.nodes for state in self.states)
            is_over = self._is_over(limits, budget, elapsed_ms)
            if not is_over and nodes < 1.5 * told:
                continue
            told = nodes
            lines = self.multi_pv(limits.multi_pv, int(elapsed_ms))
            for line in lines:
                report(line)
            if is_over:
                return lines[0]

    def multi_pv(self, count: int, elapsed_ms: int = 0) -> list[Progress]:
        """The best root moves with their lines."""
        state = self.states[0]
        nodes = sum(state.nodes for state in self.states)
        found = []
        for number, branch in enumerate(self.move_statistics(state.root)[:count]):
            pv = [branch.move]
            child = branch.child
            while child > 0 and self.tree[child + VISITS]:
                move, child = self._best_of(child)
                pv.append(move)
            line = Progress(
                len(pv), state.max_depth_reached, probability_to_score(branch.mean), None, nodes, elapsed_ms
            )
            found.append(replace(line, pv=tuple(self._format_line(pv)), pv_index=number + 1))
        return found

    def _best_of(self, node: int) -> tuple[int, int]:
        """Return the move and the child of the first of `move_statistics`, in a tenth of their time."""
        count = self.tree[node + MOVE_COUNT]
        first = node + HEADER_WORDS
        visits = self.tree[first + ROW_VISITS * count : first + (ROW_VISITS + 1) * count]
        children = self.tree[first + ROW_CHILD * count : first + (ROW_CHILD + 1) * count]
        rank = {PROVEN_WIN: 1, PROVEN_LOSS: -1}
        best = max(range(count), key=lambda index: (rank.get(children[index], 0), visits[index]))
        return self.tree[first + best], children[best]

    def _prepare(self, limits: Limits) -> None:
        main = self.states[0]
        main.nodes, main.max_depth_reached, main.root_result = 0, 0, UNKNOWN
        playouts = [limits.nodes] if limits.nodes else []
        playouts += [DEPTH_PLAYOUTS << min(limits.depth, MOST_DEPTH)] if limits.depth else []
        main.node_limit = max(min(playouts) // len(self.states), 1) if playouts else 0
        for number, helper in enumerate(self.states[1:], 1):
            copy_state(main, helper)
            CLOCK.install(helper)
            helper.stop = int(self._stop.is_set)
            helper.random = (main.random * (2 * number + 1)) & ((1 << 64) - 1) or 1

    def _run_slice(self, study: Study | None) -> None:
        """Let all threads search for SLICE_MS, or less where the time is up or the root is proven."""
        self._full = False
        end = CLOCK.deadline_in(SLICE_MS)
        end = min(end, self._deadline) if self._deadline else end
        for state in self.states:
            state.root, state.aborted, state.next_poll, state.deadline = self.states[0].root, 0, state.nodes, end
        with running_threads(lambda number: self._work(number, study), range(1, len(self.states)), self._end_slice):
            self._work(0, study)
        for state in self.states:
            if state.root_result != UNKNOWN:
                self.states[0].root_result = state.root_result
        if self._full:
            self._thin_out()

    def _work(self, number: int, study: Study | None) -> None:
        """One thread's part of a slice."""
        state = self.states[number]
        while True:
            reason = self._library.search_tree(state, self.tree)
            if reason != NEEDS_SOLVER or study is None:
                break
            study(number, self.tree)
            if CLOCK.has_passed(state.deadline) or state.stop:
                break
        self._full |= reason == TREE_FULL
        self._end_slice()

    def _end_slice(self) -> None:
        """Have all threads return from their kernels."""
        for state in self.states:
            state.deadline = 1

    @property
    def _most_visits(self) -> int:
        """Of a node, so that its rewards have room in their words."""
        return MAX_REWARDS // self.states[0].win_reward

    def _thin_out(self) -> None:
        """Make room: forget what does not hang at the root, and of that as little as need be, what has few visits.

        A tree for which time or patience do not suffice stays as it is, full, for this search alone. One that cannot be
        thinned out is planted anew.
        """
        while self._least <= self._most_visits:
            fits = self._copy_to_spare()
            if fits is None:
                self._is_too_big = True
                return
            if fits:
                self.tree, self._spare = self._spare, self.tree
                self.states[0].root = TREE_START
                return
            self._least *= 2
        self.init_tree()

    def _copy_to_spare(self) -> bool | None:
        """Copy what has visits enough; whether half a tree holds it, None where stop or the end of the time came."""
        most, node = len(self._spare) // 2, 0
        while True:
            if self._stop.is_set or CLOCK.has_passed(self._deadline):
                return None
            node = self._library.copy_subtree(self.tree, self._spare, self.states[0].root, node, self._least, most)
            if node <= 0:
                return node == 0

    def _is_over(self, limits: Limits, budget: TimeBudget, elapsed_ms: float) -> bool:
        """Whether to stop: time, playouts, a proof, or, on a game's clock, a lead that the rest cannot change."""
        main = self.states[0]
        if self._stop.is_set or main.root_result != UNKNOWN or self.tree[main.root + VISITS] >= self._most_visits:
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
        rate = sum(state.nodes for state in self.states) / elapsed_ms
        unclear = any(other.mean > best.mean and other.visits * 4 > best.visits for other in others)
        end = budget.hard_ms if unclear and budget.hard_ms is not None else budget.soft_ms
        # time that a clock does not keep for later moves is best spent on the tree, which they inherit
        saves = budget.hard_ms is None or budget.soft_ms < budget.hard_ms
        return elapsed_ms >= end or (saves and best.visits - others[0].visits > rate * (end - elapsed_ms))
