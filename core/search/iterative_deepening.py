"""Iterative deepening over a game's `search_root` kernel: aspiration windows, best lines, time, progress.

The kernel runs without the GIL, so the protocol's thread keeps reading; the limits' stop token ends it within a
thousand nodes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from core.native.library import ArrayField
from core.play.player import Decision, Limits, Progress, ProgressCallback, allowed_moves
from core.search.clock import CLOCK
from core.search.scores import INFINITE, MAX_DISTANCE, MAX_EVALUATION, win_distance
from core.system.threads import running_threads

MAX_DEPTH = 100  # plies; the tree itself is bounded by game_kernels.MAX_PLY
ASPIRATION_DEPTH = 4  # from here on a window round the last score
ASPIRATION_WINDOW = 40
MAX_ASPIRATION = 2000  # beyond that the window is opened altogether


@dataclass(frozen=True)
class TimeBudget:
    """When to stop: `soft_ms` after the start no further iteration begins, at `hard_ms` the search is cut off."""

    soft_ms: float | None
    hard_ms: float | None


class SearchRecord(Protocol):
    """The fields of a record that drive its search; see `alphabeta_fields` in core/search/kernels/game_kernels.py."""

    stop: int
    deadline: int
    nodes: int
    node_limit: int
    aborted: int
    generation: int
    selective_depth: int
    root_move_count: int
    root_moves: ArrayField[int]
    root_scores: ArrayField[int]
    root_nodes: ArrayField[int]
    root_moves_searched: int
    pv: ArrayField[ArrayField[int]]
    pv_length: ArrayField[int]


R = TypeVar("R", bound=SearchRecord)
TranspositionTable = ctypes.Array[ctypes.c_uint64]


class SearchKernels(Protocol[R]):
    """The kernels of a game that has the skeleton of core/search/kernels/alphabeta.py."""

    def new(self, record: Any, /) -> R: ...
    def prepare_root(self, state: R, keep_history: int, /) -> int: ...
    def search_root(
        self, state: R, table: TranspositionTable, depth: int, alpha: int, beta: int, first: int, /
    ) -> int: ...


@dataclass
class Search(Generic[R]):
    """One search engine over one record and its table; helper threads have records of their own and share the table.

    The search finds wins and losses, not always the shortest: `shortest` is the distance up to which it does.
    """

    library: SearchKernels[R]
    state: R
    table: TranspositionTable
    format_line: Callable[[Sequence[int]], list[str]]  # moves played one after the other from the root
    list_legal: Callable[[], list[int]]  # all moves of the root
    helpers: Sequence[R] = ()
    shortest: int = MAX_DISTANCE

    def run(self, limits: Limits, budget: TimeBudget, exclude: Sequence[int], report: ProgressCallback) -> Decision:
        """Search the position in `state` and return the best move found; the state is unchanged after it.

        Raise AllExcluded if no legal move is left.
        """
        with limits.stop.linked(self.state, *self.helpers):
            return self._run(limits, budget, exclude, report)

    def _run(self, limits: Limits, budget: TimeBudget, exclude: Sequence[int], report: ProgressCallback) -> Decision:
        started = CLOCK.now()
        helpers = self._prepare(limits, budget, exclude)
        if self.state.root_move_count == 0:
            return Decision("")
        with running_threads(self._help, range(helpers), self._stop_helpers):
            move, best = self._deepen(limits, budget, report, started)
        elapsed_ms = int(CLOCK.ms_since(started))
        return Decision(self.format_line([move])[0], replace(best, nodes=self._count_nodes(), time_ms=elapsed_ms))

    def _deepen(
        self, limits: Limits, budget: TimeBudget, report: ProgressCallback, started: int
    ) -> tuple[int, Progress]:
        """Search one depth after the other; return the best move and its line. Ticks at the start are `started`."""
        state, best = self.state, Progress()
        move = state.root_moves[0]
        for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            lines = min(limits.multi_pv, state.root_move_count)
            found: list[Progress] = []
            for line in range(lines):
                score = self._search_line(depth, best.score if line == 0 else state.root_scores[line], line)
                if state.aborted and (state.root_moves_searched == 0 or self._is_open(score, line)):
                    break
                if line == 0:
                    move = state.root_moves[0]
                progress = self._progress(depth, score, CLOCK.ms_since(started), line)
                best = progress if line == 0 else best
                found.append(progress)
                report(progress)
            ranked = self._rank(found)
            if ranked != found:
                move, best = state.root_moves[0], ranked[0]
                for progress in ranked:
                    report(progress)
            past_soft = budget.soft_ms is not None and CLOCK.ms_since(started) >= budget.soft_ms
            if state.aborted or limits.stop.is_set or past_soft or self._decided(score, depth, limits):
                break
        return move, best

    def _stop_helpers(self) -> None:
        for helper in self.helpers:
            helper.stop = 1

    def _count_nodes(self) -> int:
        return self.state.nodes + sum(helper.nodes for helper in self.helpers)

    def _prepare(self, limits: Limits, budget: TimeBudget, exclude: Sequence[int]) -> int:
        """Set up all records for a search; return how many helpers take part, the first ones.

        The limit of nodes is one for all threads together. It is shared out: a helper without a node stays idle.
        """
        count = min(len(self.helpers), limits.nodes - 1) if limits.nodes else len(self.helpers)
        share, rest = divmod(limits.nodes or 0, count + 1)
        for state in (self.state, *self.helpers):
            state.node_limit = share + rest if state is self.state else share
            state.deadline = CLOCK.deadline_in(budget.hard_ms)
            self.library.prepare_root(state, 0)
            if exclude:
                self._leave_out(state, exclude)
        for helper in self.helpers:  # else what others have just stored would be the oldest to them
            helper.generation = self.state.generation
        return count

    def _leave_out(self, state: R, exclude: Sequence[int]) -> None:
        """Search the root moves without some; if none of them is left, the other legal moves. Raise AllExcluded."""
        kept = [move for move in state.root_moves[: state.root_move_count] if move not in exclude]
        kept = kept or allowed_moves(self.list_legal(), exclude)
        state.root_move_count = len(kept)
        state.root_moves[: len(kept)] = kept
        state.root_scores[: len(kept)] = [-INFINITE] * len(kept)
        state.root_nodes[: len(kept)] = [0] * len(kept)

    def _help(self, number: int) -> None:
        """Fill the shared table from another record (lazy SMP); odd helpers run a ply ahead."""
        helper = self.helpers[number]
        for depth in range(1 + number % 2, MAX_DEPTH):
            self.library.search_root(helper, self.table, depth, -INFINITE, INFINITE, 0)
            if helper.aborted or helper.stop:
                return

    def _search_line(self, depth: int, guess: int, first: int) -> int:
        """Search one depth, in a window round the last score that opens where the score falls outside."""
        if depth < ASPIRATION_DEPTH or abs(guess) > MAX_EVALUATION or first > 0:
            return self.library.search_root(self.state, self.table, depth, -INFINITE, INFINITE, first)
        width = ASPIRATION_WINDOW
        alpha, beta = guess - width, guess + width
        while True:
            score = self.library.search_root(self.state, self.table, depth, alpha, beta, first)
            if self.state.aborted or alpha < score < beta:
                return score
            width = INFINITE if width > MAX_ASPIRATION or abs(score) > MAX_EVALUATION else 4 * width
            alpha = max(score - width, -INFINITE) if score <= alpha else alpha
            beta = min(score + width, INFINITE) if score >= beta else beta

    def _decided(self, score: int, depth: int, limits: Limits) -> bool:
        """True where deeper search cannot change the move: a proven end within the depth, or a single move."""
        distance = win_distance(score)
        proven = distance is not None and abs(distance) <= depth + 1
        lone = self.state.root_move_count == 1 and limits.depth is None and limits.nodes is None
        return (proven and limits.multi_pv == 1) or lone

    def _is_open(self, score: int, line: int) -> bool:
        """Whether the moves searched so far lose, and there are others that may not."""
        return score < -MAX_EVALUATION and line + self.state.root_moves_searched < self.state.root_move_count

    def _rank(self, found: Sequence[Progress]) -> list[Progress]:
        """Lines by their scores, and the root's moves with them: a reduced move may prove better than the first."""
        order = sorted(range(len(found)), key=lambda line: -found[line].score)
        for values in (self.state.root_moves, self.state.root_scores, self.state.root_nodes):
            values[: len(order)] = [values[line] for line in order]
        return [replace(found[line], pv_index=place + 1) for place, line in enumerate(order)]

    def _progress(self, depth: int, score: int, elapsed_ms: float, line: int) -> Progress:
        state = self.state
        pv = self.format_line(state.pv[0][: state.pv_length[0]])
        nodes, time_ms = self._count_nodes(), int(elapsed_ms)
        told = Progress(depth, state.selective_depth, score, None, nodes, time_ms, tuple(pv), line + 1)
        distance = win_distance(score)
        if distance is None:
            return told
        shortest = 1 if state.aborted and depth == 1 else self.shortest
        win_in = distance if abs(distance) <= shortest else None
        return replace(told, win_in=win_in, proven_result="" if win_in else "win" if distance > 0 else "loss")


def allocate_time(limits: Limits, margin_ms: float, expected_moves_left: float) -> TimeBudget:
    """Share the time out: a move gets `move_time`, but no more than its part of the game's clock; never past either.

    `expected_moves_left` is how many more moves of ours the game may need.
    """
    hard: float | None = None
    soft: float | None = None
    if limits.move_time_ms is not None:
        hard = limits.move_time_ms - margin_ms
        soft = hard
    if limits.time_left_ms is not None:
        left = limits.time_left_ms - margin_ms
        share = left / expected_moves_left + 0.8 * limits.increment_ms
        most = min(left, 4 * share)  # an iteration under way may finish within this
        hard = most if hard is None else min(hard, most)
        soft = share * 0.6 if soft is None else min(soft, share * 0.6)
    return TimeBudget(soft, hard)
