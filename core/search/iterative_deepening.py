"""Iterative deepening over a game's alpha-beta kernels: aspiration windows, MultiPV, time limits, lazy SMP threads.

The kernels (core/search/kernels/alphabeta.py) run without the GIL, so a session can read its input during a search.
After a stop request they return within some hundred nodes. Only `AlphaBetaSearch` (alphabeta_search.py) uses this.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from core.play.player import Decision, Limits, Progress, ProgressCallback, allowed_moves
from core.search.clock import CLOCK
from core.search.parameters import AspirationWindow
from core.search.scores import INFINITE, MAX_DISTANCE, MAX_EVALUATION, win_distance
from core.search.time_budget import TimeBudget, time_factor
from core.system.threads import running_threads

if TYPE_CHECKING:
    from core.search.boundary import AlphaBetaState

MAX_DEPTH = 100  # plies of the last iteration; extensions make variations longer, up to game_kernels.MAX_PLY

StateT = TypeVar("StateT", bound="AlphaBetaState")
TranspositionTable = ctypes.Array[ctypes.c_uint64]


class AlphaBetaKernels(Protocol[StateT]):
    """The kernels that this module calls; games get them from `make_alphabeta`."""

    def new(self, state_name: Any, /) -> StateT: ...
    def prepare_root(self, state: StateT, keep_history: int, /) -> int: ...
    def search_root(
        self, state: StateT, table: TranspositionTable, depth: int, alpha: int, beta: int, pv_index: int, /
    ) -> int: ...


@dataclass
class IterativeDeepening(Generic[StateT]):
    """A search of the position in `state`. Helper threads have states of their own; all share the transposition table.

    Wins and losses up to `exact_distance` plies are reported with their distance. Longer ones are reported as proven
    without a distance, because the search may have missed a shorter win.
    """

    library: AlphaBetaKernels[StateT]
    state: StateT
    table: TranspositionTable
    format_pv: Callable[[Sequence[int]], list[str]]  # moves from the root, in order, as text
    list_legal: Callable[[], list[int]]  # all legal moves of the root
    helpers: Sequence[StateT] = ()  # one state per helper thread
    exact_distance: int = MAX_DISTANCE  # plies
    aspiration: AspirationWindow = field(default_factory=AspirationWindow)

    def run(
        self, limits: Limits, budget: TimeBudget, excluded_moves: Sequence[int], report: ProgressCallback
    ) -> Decision:
        """Search and return the best move that is not excluded; call `report` for each PV of each iteration.

        If the PVs of an iteration are sorted differently at its end, they are reported again.

        The position in `state` is the same afterwards, but its root moves, node counts and PV are those of this search.
        Raise AllMovesExcluded if all legal moves are excluded.
        """
        with limits.stop.linked(self.state, *self.helpers):
            return self._run(limits, budget, excluded_moves, report)

    def _run(
        self, limits: Limits, budget: TimeBudget, excluded_moves: Sequence[int], report: ProgressCallback
    ) -> Decision:
        start = CLOCK.now()
        helper_count = self._prepare(limits, budget, excluded_moves)
        if self.state.root_move_count == 0:
            return Decision("")
        with running_threads(self._run_helper, range(helper_count), self._stop_helpers):
            move, best = self._deepen(limits, budget, report, start)
        elapsed_ms = int(CLOCK.ms_since(start))
        return Decision(self.format_pv([move])[0], replace(best, nodes=self._count_nodes(), time_ms=elapsed_ms))

    def _deepen(self, limits: Limits, budget: TimeBudget, report: ProgressCallback, start: int) -> tuple[int, Progress]:
        """Run the iterations; return the best move and its `Progress`. `start` is in ticks of `CLOCK`."""
        state, best = self.state, Progress()
        move, unchanged = state.root_moves[0], 0  # best move, and iterations since it changed
        for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            pv_results: list[Progress] = []
            for pv_index in range(min(limits.multi_pv, state.root_move_count)):
                score = self._search_pv(depth, best.score, pv_index)
                if state.aborted and (state.root_moves_searched == 0 or self._is_loss_unproven(score, pv_index)):
                    break
                progress = self._make_progress(depth, score, CLOCK.ms_since(start), pv_index)
                if pv_index == 0:
                    unchanged = unchanged + 1 if state.root_moves[0] == move else 0
                    move, best = state.root_moves[0], progress
                pv_results.append(progress)
                report(progress)
            sorted_results = self._sort_root_moves(pv_results)
            if sorted_results != pv_results:
                move, best = state.root_moves[0], sorted_results[0]
                for progress in sorted_results:
                    report(progress)
            soft_ms = budget.soft_limit(time_factor(unchanged, state.root_nodes[0] / max(state.nodes, 1)))
            is_past_soft_limit = soft_ms is not None and CLOCK.ms_since(start) >= soft_ms
            if state.aborted or limits.stop.is_set or is_past_soft_limit or self._can_stop_early(score, depth, limits):
                break
        return move, best

    def _stop_helpers(self) -> None:
        for helper in self.helpers:
            helper.stop = 1

    def _count_nodes(self) -> int:
        return self.state.nodes + sum(helper.nodes for helper in self.helpers)

    def _prepare(self, limits: Limits, budget: TimeBudget, excluded_moves: Sequence[int]) -> int:
        """Prepare all states for a search, and return the number of helpers that search.

        The node limit is divided among the threads. If there are more threads than nodes, some helpers stay idle,
        because a node limit of 0 would mean no limit.
        """
        count = min(len(self.helpers), limits.nodes - 1) if limits.nodes else len(self.helpers)
        nodes_each, remainder = divmod(limits.nodes or 0, count + 1)
        for state in (self.state, *self.helpers):
            state.node_limit = nodes_each + remainder if state is self.state else nodes_each
            state.deadline = CLOCK.deadline_in(budget.hard_ms)
            self.library.prepare_root(state, 0)
            if excluded_moves:
                self._exclude_root_moves(state, excluded_moves)
        for helper in self.helpers:  # otherwise helpers would replace the main thread's table entries as old ones
            helper.generation = self.state.generation
        return count

    def _exclude_root_moves(self, state: StateT, excluded_moves: Sequence[int]) -> None:
        """Remove excluded root moves.

        Games generate only promising root moves. If all of these are excluded, search all other legal moves; raise
        AllMovesExcluded if there are none.
        """
        moves = [move for move in state.root_moves[: state.root_move_count] if move not in excluded_moves]
        moves = moves or allowed_moves(self.list_legal(), excluded_moves)
        state.root_move_count = len(moves)
        state.root_moves[: len(moves)] = moves
        state.root_scores[: len(moves)] = [-INFINITE] * len(moves)
        state.root_nodes[: len(moves)] = [0] * len(moves)

    def _run_helper(self, index: int) -> None:
        """Lazy SMP: search deeper and deeper with the state `helpers[index]` until stopped.

        Every second helper starts at depth 2, so that the threads do not all search the same depth at the same time.
        """
        helper = self.helpers[index]
        for depth in range(1 + index % 2, MAX_DEPTH):
            self.library.search_root(helper, self.table, depth, -INFINITE, INFINITE, 0)
            if helper.aborted or helper.stop:
                return

    def _search_pv(self, depth: int, previous_score: int, pv_index: int) -> int:
        """Search the root moves from index `pv_index` on and return the score of the best of them.

        From `aspiration.min_depth` on the first PV has an aspiration window, unless the previous score is proven. The
        window is widened when the search fails high or low.
        """
        aspiration = self.aspiration
        if depth < aspiration.min_depth or abs(previous_score) > MAX_EVALUATION or pv_index > 0:
            return self.library.search_root(self.state, self.table, depth, -INFINITE, INFINITE, pv_index)
        delta = aspiration.delta
        alpha, beta = previous_score - delta, previous_score + delta
        while True:
            score = self.library.search_root(self.state, self.table, depth, alpha, beta, pv_index)
            if self.state.aborted or alpha < score < beta:
                return score
            is_last_step = delta > aspiration.max_delta or abs(score) > MAX_EVALUATION
            delta = INFINITE if is_last_step else aspiration.growth * delta
            alpha = max(score - delta, -INFINITE) if score <= alpha else alpha  # fail low
            beta = min(score + delta, INFINITE) if score >= beta else beta  # fail high

    def _can_stop_early(self, score: int, depth: int, limits: Limits) -> bool:
        """Return whether a deeper search is useless, which is so in two cases.

        - A win or loss at most `depth` + 1 plies away is proven, and only one PV is requested.
        - There is a single root move, and no limit of depth or nodes. With such a limit the user wants a full search.
        """
        distance = win_distance(score)
        is_proven = distance is not None and abs(distance) <= depth + 1
        is_single_move = self.state.root_move_count == 1 and limits.depth is None and limits.nodes is None
        return (is_proven and limits.multi_pv == 1) or is_single_move

    def _is_loss_unproven(self, score: int, pv_index: int) -> bool:
        """Return whether the root moves searched so far all lose, but others have not been searched yet."""
        return score < -MAX_EVALUATION and pv_index + self.state.root_moves_searched < self.state.root_move_count

    def _sort_root_moves(self, pv_results: Sequence[Progress]) -> list[Progress]:
        """Sort the PVs of an iteration, and their root moves in the state, by descending score; return the PVs.

        A later PV can have a higher score than the first, because the search for the first may have reduced its move.
        """
        order = sorted(range(len(pv_results)), key=lambda index: -pv_results[index].score)
        for values in (self.state.root_moves, self.state.root_scores, self.state.root_nodes):
            values[: len(order)] = [values[index] for index in order]
        return [replace(pv_results[index], pv_index=rank) for rank, index in enumerate(order, 1)]

    def _make_progress(self, depth: int, score: int, elapsed_ms: float, pv_index: int) -> Progress:
        state = self.state
        progress = Progress(
            depth=depth,
            selective_depth=state.selective_depth,
            score=score,
            nodes=self._count_nodes(),
            time_ms=int(elapsed_ms),
            pv=tuple(self.format_pv(state.pv[0][: state.pv_length[0]])),
            pv_index=pv_index + 1,
        )
        distance = win_distance(score)
        if distance is None:
            return progress
        # If the first iteration is aborted, a root move that was not searched may win faster
        exact_distance = 1 if state.aborted and depth == 1 else self.exact_distance
        win_in = distance if abs(distance) <= exact_distance else None
        proven_result = "" if win_in else "win" if distance > 0 else "loss"
        return replace(progress, win_in=win_in, proven_result=proven_result)
