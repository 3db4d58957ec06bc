"""Monte-Carlo tree search as players drive it: threads on one tree, time, nodes to study, best lines, tree reuse.

The kernels (core/search/kernels/mcts.py) run without the GIL and return every SLICE_MS, so that reports, clocks and
`stop` are kept. A score is the probability to win as the playouts have it, from -CERTAIN for none to CERTAIN; see
`score_of`.
"""

from __future__ import annotations

import ctypes
import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Generic, Protocol, TypeVar

from core.native.library import copy_record, new_array
from core.native.memory import format_mib, replace_table
from core.play.notes import Notes
from core.play.player import Limits, Progress, Report
from core.search.clock import CLOCK
from core.search.deepening import Schedule
from core.search.tree import (
    COUNT,
    FULL,
    HEADER,
    LOST,
    MOST_REWARDS,
    MOST_WORDS,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_REWARDS,
    ROW_SHARE,
    ROW_VISITS,
    SHARE_ONE,
    STUDY,
    TREE_START,
    UNKNOWN,
    VISITS,
    WON,
)
from core.system.threads import start_threads

CERTAIN = 10_000
SLICE_MS = 50.0
DEPTH_PLAYOUTS = 100  # a limit of depth d stands for DEPTH_PLAYOUTS * 2^d playouts: such a tree has no depth of its own
MOST_DEPTH = 40  # more playouts than there is time for
WORD_BYTES = 4
LEAST_WORDS = 1 << 16  # of a tree: more than twice the root's on the largest board, or it could not be thinned out
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
    deepest: int
    root: int
    root_result: int
    win: int
    random: int


R = TypeVar("R", bound=TreeRecord)


class TreeKernels(Protocol[R]):
    """The kernels of a game that has the skeleton of core/search/kernels/mcts.py."""

    def new(self, record: Any, /) -> R: ...
    def plant_tree(self, state: R, tree: Tree, /) -> int: ...
    def search_tree(self, state: R, tree: Tree, /) -> int: ...
    def keep_tree(self, tree: Tree, spare: Tree, root: int, node: int, least: int, most: int, /) -> int: ...


@dataclass(frozen=True)
class Branch:
    """A move of a node with its statistics. `proven` is WON or LOST for the side that makes it, or UNKNOWN."""

    move: int
    visits: int
    rewards: int
    child: int
    win: int  # reward of a win

    @property
    def proven(self) -> int:
        """WON or LOST for the side that makes the move, or UNKNOWN."""
        return {PROVEN_WIN: WON, PROVEN_LOSS: LOST}.get(self.child, UNKNOWN)

    @property
    def mean(self) -> float:
        """Probability that the side which makes the move wins."""
        if self.proven != UNKNOWN:
            return float(self.proven == WON)
        return self.rewards / (self.win * self.visits) if self.visits else 0.5


def score_of(probability: float) -> int:
    """The score that stands for a probability to win."""
    return round((2 * probability - 1) * CERTAIN)


class TreeSearch(Generic[R]):
    """Search trees over one kind of record, a record for each thread; the caller sets the root in `states[0]`."""

    def __init__(self, library: TreeKernels[R], record: str, format_line: Callable[[Sequence[int]], list[str]]) -> None:
        self.notes = Notes()  # what there was no memory for
        self.states: list[R] = []
        self.tree: Tree
        self._library = library
        self._record = record
        self._format_line = format_line
        self._spare: Tree
        self._asked_words = 0  # a tree may have fewer
        self._stopped = False
        self._full = False
        self._is_too_big = False
        self._least = 1  # visits of a node that is kept when the tree is thinned out
        self._ends_s = math.inf  # when the time of the running search is over, by the clock of time.perf_counter
        self.fit(0, 1)

    def fit(self, tree_bytes: int, threads: int) -> None:
        """Have so many bytes for two trees, one of them in use, and a record for each thread. New trees are empty.

        Where there is no memory for that, there are less of both, and a note.
        """
        words = min(max(tree_bytes // (2 * WORD_BYTES), LEAST_WORDS), MOST_WORDS)
        if words != self._asked_words:
            self._replace_trees(words, threads)
            self._asked_words = words
        with suppress(MemoryError):
            while len(self.states) < threads:
                self.states.append(self._library.new(self._record))
                CLOCK.install(self.states[-1])
        if len(self.states) < threads:
            self.notes.add(f"no memory for {threads} threads: there are {len(self.states)}")
        del self.states[threads:]

    def _replace_trees(self, words: int, threads: int) -> None:
        if self._asked_words and words == len(self.tree):
            return
        replace_table(
            words,
            LEAST_WORDS,
            lambda length: (new_array("i32", length), new_array("i32", length)),
            self._use,
            threads=threads,
        )
        if len(self.tree) < words:
            asked, got = (format_mib(2 * WORD_BYTES * count) for count in (words, len(self.tree)))
            self.notes.add(f"no memory for a tree of {asked}: it has {got}")

    def _use(self, trees: tuple[Tree, Tree]) -> None:
        self.tree, self._spare = trees
        if self.states:
            self.states[0].root = 0

    def begin(self) -> None:
        """Forget an earlier `stop`; called before anything that may take time."""
        self._stopped = False
        for state in self.states:
            state.stop = 0

    def stop(self) -> None:
        """End a running search; from any thread."""
        self._stopped = True
        for state in self.states:
            state.stop = 1

    def branches(self, node: int) -> list[Branch]:
        """The moves of a node, best first: proven wins, then by visits; what is proven lost comes last."""
        count = self.tree[node + COUNT]
        first = node + HEADER
        rows = [self.tree[first + row * count : first + (row + 1) * count] for row in range(ROW_CHILD + 1)]
        found = map(Branch, rows[0], rows[ROW_VISITS], rows[ROW_REWARDS], rows[ROW_CHILD], repeat(self.states[0].win))
        rank = {WON: 0, UNKNOWN: 1, LOST: 2}
        return sorted(found, key=lambda branch: (rank[branch.proven], -branch.visits))

    def best_branch(self, node: int) -> Branch:
        """The first of `branches`, without sorting them: a line has many nodes, each with hundreds of moves."""
        count = self.tree[node + COUNT]
        first = node + HEADER
        visits = self.tree[first + ROW_VISITS * count : first + (ROW_VISITS + 1) * count]
        children = self.tree[first + ROW_CHILD * count : first + (ROW_CHILD + 1) * count]
        if PROVEN_WIN in children:
            visits = [number if child == PROVEN_WIN else -1 for number, child in zip(visits, children, strict=True)]
        elif PROVEN_LOSS in children:
            lost = 1 + max(visits)  # what is lost comes after all else
            visits = [number - lost * (child == PROVEN_LOSS) for number, child in zip(visits, children, strict=True)]
        place = first + visits.index(max(visits))
        rows = (self.tree[place + row * count] for row in (0, ROW_VISITS, ROW_REWARDS, ROW_CHILD))
        return Branch(*rows, self.states[0].win)

    def plant(self) -> bool:
        """Begin with an empty tree at the root in `states[0]`; False where the root has no move."""
        self._least, self._is_too_big = 1, False
        return bool(self._library.plant_tree(self.states[0], self.tree))

    def follow(self, moves: Sequence[int]) -> int:
        """The block that is reached from the root of the tree by moves, or 0 where it does not go so far.

        Nor is there one where the tree was too big to be thinned out in the time of the last search.
        """
        node = 0 if self._is_too_big else self.states[0].root
        for move in moves:
            child = next((branch.child for branch in self.branches(node) if branch.move == move), 0) if node else 0
            node = max(child, 0)
        return node

    def keep(self, node: int) -> None:
        """Make a block the root. What does not hang at it is forgotten when its room is needed."""
        self.states[0].root, self._least = node, 1

    def rule_out(self, moves: Sequence[int]) -> None:
        """Do not search these root moves. The tree is no longer of use for anything but this."""
        node = self.states[0].root
        count = self.tree[node + COUNT]
        for index in range(count):
            if self.tree[node + HEADER + index] in moves:
                self.tree[node + HEADER + ROW_CHILD * count + index] = PROVEN_LOSS

    def add_noise(self, part: float, spread: float, chance: random.Random) -> None:
        """Let a part of the shares of the root's moves be drawn from a Dirichlet distribution, for games to learn from.

        `spread` is the sum of its parameters, alike for all moves: the less, the fewer moves have most of it. From
        Silver et al., "Mastering the game of Go without human knowledge" (2017), where 361 moves had 0.03 each.
        """
        node = self.states[0].root
        count = self.tree[node + COUNT]
        first = node + HEADER + ROW_SHARE * count
        drawn = [chance.gammavariate(spread / count, 1.0) for _ in range(count)]
        for index, value in enumerate(drawn):
            noise = part * SHARE_ONE * value / sum(drawn)
            self.tree[first + index] = round((1 - part) * self.tree[first + index] + noise)

    def run(self, limits: Limits, schedule: Schedule, study: Study | None, report: Report) -> Progress:
        """Search the root, which has a block, and return the best line; at least one playout is made.

        `states[0].root_result` then tells whether the root is proven. The clock of the schedule starts now.
        """
        started = time.perf_counter()
        self._ends_s = math.inf if schedule.hard_ms is None else started + schedule.hard_ms / 1000
        self._prepare(limits)
        told = 0
        while True:
            self._run_slice(study)
            elapsed_ms = (time.perf_counter() - started) * 1000
            nodes = sum(state.nodes for state in self.states)
            is_over = self._is_over(limits, schedule, elapsed_ms)
            if not is_over and nodes < 1.5 * told:
                continue
            told = nodes
            lines = self.lines(limits.lines, int(elapsed_ms))
            for line in lines:
                report(line)
            if is_over:
                return lines[0]

    def lines(self, count: int, elapsed_ms: int = 0) -> list[Progress]:
        """The best root moves with their lines."""
        state = self.states[0]
        nodes = sum(state.nodes for state in self.states)
        found = []
        for number, branch in enumerate(self.branches(state.root)[:count]):
            pv = [branch.move]
            child = branch.child
            while child > 0 and self.tree[child + VISITS]:
                best = self.best_branch(child)
                pv.append(best.move)
                child = best.child
            line = Progress(len(pv), state.deepest, score_of(branch.mean), None, nodes, elapsed_ms)
            found.append(replace(line, pv=tuple(self._format_line(pv)), line=number + 1))
        return found

    def _prepare(self, limits: Limits) -> None:
        main = self.states[0]
        main.nodes, main.deepest, main.root_result = 0, 0, UNKNOWN
        playouts = [limits.nodes] if limits.nodes else []
        playouts += [DEPTH_PLAYOUTS << min(limits.depth, MOST_DEPTH)] if limits.depth else []
        main.node_limit = max(min(playouts) // len(self.states), 1) if playouts else 0
        for number, helper in enumerate(self.states[1:], 1):
            stop = helper.stop
            copy_record(main, helper)
            CLOCK.install(helper)
            helper.stop = stop
            helper.random = (main.random * (2 * number + 1)) & ((1 << 64) - 1) or 1

    def _run_slice(self, study: Study | None) -> None:
        """Let all threads search for SLICE_MS, or less where the time is up or the root is proven."""
        self._full = False
        left = min(SLICE_MS, max((self._ends_s - time.perf_counter()) * 1000, 0))
        end = CLOCK.now() + int(left * CLOCK.ticks_per_ms)
        for state in self.states:
            state.root, state.aborted, state.next_poll, state.deadline = self.states[0].root, 0, state.nodes, end
        helpers = start_threads(lambda number: self._work(number, study), range(1, len(self.states)))
        self._work(0, study)
        for helper in helpers:
            helper.join()
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
            if reason != STUDY or study is None:
                break
            study(number, self.tree)
            if CLOCK.now() >= state.deadline or state.stop:
                break
        self._full |= reason == FULL
        for other in self.states:
            other.deadline = 1

    @property
    def _most_visits(self) -> int:
        """Of a node, so that its rewards have room in their words."""
        return MOST_REWARDS // self.states[0].win

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
        self.plant()

    def _copy_to_spare(self) -> bool | None:
        """Copy what has visits enough; whether half a tree holds it, None where stop or the end of the time came."""
        most, node = len(self._spare) // 2, 0
        while True:
            if self._stopped or time.perf_counter() >= self._ends_s:
                return None
            node = self._library.keep_tree(self.tree, self._spare, self.states[0].root, node, self._least, most)
            if node <= 0:
                return node == 0

    def _is_over(self, limits: Limits, schedule: Schedule, elapsed_ms: float) -> bool:
        """Whether to stop: time, playouts, a proof, or, on a game's clock, a lead that the rest cannot change."""
        main = self.states[0]
        if self._stopped or main.root_result != UNKNOWN or self.tree[main.root + VISITS] >= self._most_visits:
            return True
        if main.node_limit and any(state.nodes >= state.node_limit for state in self.states):
            return True
        if schedule.hard_ms is not None and elapsed_ms >= schedule.hard_ms - 1:
            return True
        if schedule.soft_ms is None or limits.lines > 1 or main.node_limit:
            return False
        best, *others = self.branches(main.root)
        if not others:
            return True
        rate = sum(state.nodes for state in self.states) / elapsed_ms
        unclear = any(other.mean > best.mean and other.visits * 4 > best.visits for other in others)
        end = schedule.hard_ms if unclear and schedule.hard_ms is not None else schedule.soft_ms
        # time that a clock does not keep for later moves is best spent on the tree, which they inherit
        saves = schedule.hard_ms is None or schedule.soft_ms < schedule.hard_ms
        return elapsed_ms >= end or (saves and best.visits - others[0].visits > rate * (end - elapsed_ms))
