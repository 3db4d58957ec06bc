"""Three players that follow a Gomoku paper from the University of Waterloo.

The paper defines a pattern score of each side and the value V(x, y) of a move: what a stone on the square adds to the
score of its owner, for both colours together (bots/gomoku/kernels/paper_patterns.py). The player `paper` looks for a
forced win by fours and open threes (VCT), and else searches the moves of highest V by alpha-beta or minimax. `greedy`
plays the move of highest V, `random` any legal move.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from bots.gomoku.board_player import BoardPlayer
from bots.gomoku.paper.record import FIVE_VALUE, MAX_STATIC_VALUE
from bots.gomoku.position import GomokuPosition, format_cell
from core.native.library import new_array
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, allowed_moves, ignore_progress
from core.search.clock import CLOCK
from core.search.iterative_deepening import TranspositionTable
from core.search.scores import MAX_EVALUATION, WIN
from core.search.time_budget import allocate_time

TABLE_WORDS = 1 << 18  # 64-bit words of the transposition table
SAFETY_MARGIN_MS = 40  # subtracted from every time limit, but at most half of the shortest one
VCT_TIME_SHARE = 0.5  # fraction of a move's time that the VCT search may use
MAX_VCT_NODES = 50_000  # of the VCT search
MOVES_TO_GO = 20  # expected number of moves still to come, for time allocation

NEGAMAX, MINIMAX = "negamax", "minimax"  # values of the option `search`

PAPER_OPTIONS = (
    Option("depth", 2, "search depth in plies", minimum=1, maximum=20),
    Option("breadth", 10, "number of best moves searched at each node (beam width)", minimum=1, maximum=100),
    Option("gamma", 1.5, "weight of the opponent's patterns relative to one's own", minimum=1, maximum=100),
    Option(
        "kill",
        13,
        "longest victory by continuous threats (VCT) that is searched, in plies; 0: no such search",
        minimum=0,
        maximum=61,
    ),
    Option(
        "search",
        NEGAMAX,
        "search: negamax (alpha-beta with a transposition table) or minimax (no pruning)",
        choices=(NEGAMAX, MINIMAX),
    ),
)
RANDOM_OPTIONS = (SEED,)


class RankingPlayer(BoardPlayer):
    """Base of `paper` and `greedy`: sorts the legal moves by V(x, y)."""

    def _rank_moves(self, exclude: Sequence[str]) -> list[int]:
        """Return the legal cells, best first, without the excluded ones; an empty list if the game is over.

        Raise `AllMovesExcluded` if legal moves exist, but all are excluded.
        """
        state = self.position.state
        count = 0 if state.winner else self.position.library.paper_rank(state)
        return allowed_moves(state.root_moves[:count], self.position.parse_moves(exclude))


class GreedyPlayer(RankingPlayer):
    """`greedy`: plays the move of highest V(x, y); of equal moves, the one nearest the centre."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; if the game is over, any free square, or "" on a full board."""
        ranked = self._rank_moves(limits.excluded_moves)
        if not ranked:
            return Decision(self._free_square(), note="only move")
        move = format_cell(ranked[0])
        value = self.position.library.paper_point_value(self.position.state, ranked[0])
        progress = Progress(depth=1, selective_depth=1, score=min(value, MAX_EVALUATION), nodes=1, pv=(move,))
        report(progress)
        return Decision(move, progress)


class RandomPlayer(BoardPlayer, SeedMixin[GomokuPosition]):
    """`random`: plays any legal move, all with the same probability."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; if the game is over, any free square, or "" on a full board."""
        candidates = [format_cell(cell) for cell in self.position.allowed_numbers(limits.excluded_moves)]
        if not candidates:
            return Decision(self._free_square(), note="only move")
        progress = Progress(pv=(self._random.choice(candidates),))
        report(progress)
        return Decision(progress.pv[0], progress)


class PaperPlayer(RankingPlayer):
    """`paper`: plays a forced win if its VCT search finds one, else searches the best moves (option `search`)."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        self._table: TranspositionTable  # allocated for each decision
        CLOCK.install(self.position.state)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; if the game is over, any free square, or "" on a full board."""
        started = time.perf_counter()
        state = self.position.state
        state.nodes = 0
        ranked = self._rank_moves(limits.excluded_moves)
        if len(ranked) < 2:
            return Decision(format_cell(ranked[0]) if ranked else self._free_square(), note="only move")
        self._table = new_array("u64", TABLE_WORDS)  # not reused: scores depend on the side at the root
        state.paper_root_side = state.side
        hard_ms = allocate_time(limits, SAFETY_MARGIN_MS, MOVES_TO_GO).hard_ms
        with limits.stop.linked(state):
            # The VCT search cannot leave moves out, so an excluded move might be its win.
            progress = None if limits.excluded_moves else self._find_forced_win(limits, hard_ms, started)
            note = "kill" if progress else ""
            progress = progress or self._search(ranked, limits, hard_ms, started)
        report(progress)
        return Decision(progress.pv[0], progress, note)

    def _find_forced_win(self, limits: Limits, hard_ms: float | None, started: float) -> Progress | None:
        """Return the result of the VCT search if it finds a forced win by fours and open threes, else None.

        It may use MAX_VCT_NODES, but only half of a node limit.
        """
        max_plies = self.options.get_int("kill")
        nodes = min(MAX_VCT_NODES, max(limits.nodes // 2, 1)) if limits.nodes else MAX_VCT_NODES
        self._set_limits(nodes, None if hard_ms is None else hard_ms * VCT_TIME_SHARE, started)
        state = self.position.state
        length = self.position.library.paper_find_vct(state, self._table, max_plies) if max_plies else 0
        return self._make_progress(FIVE_VALUE - length, length, started) if length else None

    def _search(self, ranked: list[int], limits: Limits, hard_ms: float | None, started: float) -> Progress:
        """Search the `breadth` best moves by alpha-beta or minimax.

        If the search ends before one move is finished, return the first of `ranked` with score 0.
        """
        state, options = self.position.state, self.options
        state.paper_beam_width = options.get_int("breadth")
        state.paper_uses_alphabeta = int(options["search"] == NEGAMAX)
        state.paper_gamma_per_mille = round(1000 * options.get_float("gamma"))
        state.root_move_count = min(state.paper_beam_width, len(ranked))
        state.root_moves[: state.root_move_count] = ranked[: state.root_move_count]
        depth = min(options.get_int("depth"), limits.depth or options.get_int("depth"))
        self._set_limits(limits.nodes or 0, hard_ms, started)
        state.pv[0][0], state.pv_length[0] = ranked[0], 1
        value = self.position.library.paper_search(state, self._table, depth)
        if not state.root_moves_searched:
            return self._make_progress(0, 0, started)
        return self._make_progress(value, depth, started)

    def _set_limits(self, nodes: int, milliseconds: float | None, started: float) -> None:
        """Set the kernels' limits: total nodes (0 for none), and milliseconds since `started` (None for none)."""
        state = self.position.state
        state.aborted, state.next_poll, state.node_limit = 0, 0, nodes
        elapsed_ms = (time.perf_counter() - started) * 1000
        state.deadline = CLOCK.deadline_in(None if milliseconds is None else milliseconds - elapsed_ms)

    def _make_progress(self, value: int, depth: int, started: float) -> Progress:
        """Return the search's result, with the PV of the state.

        `value` has the scale of the paper's values (bots/gomoku/paper/record.py). Values beyond MAX_STATIC_VALUE become
        wins and losses with a distance.
        """
        state = self.position.state
        pv = tuple(format_cell(cell) for cell in state.pv[0][: state.pv_length[0]])
        elapsed_ms = int((time.perf_counter() - started) * 1000)
        win_in = None
        score = max(-MAX_EVALUATION, min(MAX_EVALUATION, value))
        if abs(value) > MAX_STATIC_VALUE:
            win_in = FIVE_VALUE - value if value > 0 else -(FIVE_VALUE + value)
            score = WIN - win_in if value > 0 else -(WIN + win_in)
        return Progress(
            depth=depth,
            selective_depth=depth,
            score=score,
            win_in=win_in,
            nodes=state.nodes,
            time_ms=elapsed_ms,
            pv=pv,
        )
