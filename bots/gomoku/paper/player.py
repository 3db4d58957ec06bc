"""The paper's players: `paper` searches, `greedy` takes the best point by the paper's table, `random` any."""

from __future__ import annotations

import time
from collections.abc import Sequence

from bots.gomoku.board_player import BoardPlayer
from bots.gomoku.paper.record import FIVE_VALUE, MAX_VALUE
from bots.gomoku.position import GomokuPosition, format_cell
from core.native.library import new_array
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, allowed_moves, ignore_progress
from core.search.clock import CLOCK
from core.search.iterative_deepening import TranspositionTable, allocate_time
from core.search.scores import MAX_EVALUATION, WIN

TABLE_WORDS = 1 << 18
MARGIN_MS = 40  # kept back of every time limit
KILL_SHARE = 0.5  # of a move's time
KILL_NODES = 50_000
MOVES_TO_GO = 20

NEGAMAX, MINIMAX = "negamax", "minimax"

PAPER_OPTIONS = (
    Option("depth", 2, "plies of the search", minimum=1, maximum=20),
    Option("breadth", 10, "best points considered at a node", minimum=1, maximum=100),
    Option("gamma", 1.5, "weight of the opponent's patterns against one's own", minimum=1, maximum=100),
    Option("kill", 13, "longest win by fours and open threes to look for, in plies; 0 for none", minimum=0, maximum=61),
    Option("search", NEGAMAX, "alpha-beta with a table, or every move at every node", choices=(NEGAMAX, MINIMAX)),
)
RANDOM_OPTIONS = (SEED,)


class RankingPlayer(BoardPlayer):
    """A player that begins with the legal cells by V(x, y)."""

    def _ranked(self, exclude: Sequence[str]) -> list[int]:
        """Return the legal cells, best first, without the excluded ones; raise AllMovesExcluded if none is left."""
        state = self.position.state
        count = 0 if state.winner else self.position.library.paper_rank(state)
        return allowed_moves(state.root_moves[:count], self._cells(exclude))


class Greedy(RankingPlayer):
    """`greedy`: the point of highest V(x, y), of equal ones that nearest to the centre."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; at a finished game any free square, on a full board none."""
        ranked = self._ranked(limits.excluded_moves)
        if not ranked:
            return Decision(self._free_square(), note="only move")
        move = format_cell(ranked[0])
        value = self.position.library.paper_point_value(self.position.state, ranked[0])
        progress = Progress(depth=1, selective_depth=1, score=min(value, MAX_EVALUATION), nodes=1, pv=(move,))
        report(progress)
        return Decision(move, progress)


class RandomPlayer(BoardPlayer, SeedMixin[GomokuPosition]):
    """`random`: any legal move, all equally likely."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; at a finished game any free square, on a full board none."""
        wanted = [format_cell(cell) for cell in self.position.allowed_numbers(limits.excluded_moves)]
        if not wanted:
            return Decision(self._free_square(), note="only move")
        progress = Progress(pv=(self._random.choice(wanted),))
        report(progress)
        return Decision(progress.pv[0], progress)


class Paper(RankingPlayer):
    """`paper`: a win by fours and open threes where the kill search finds one, else a search of the best points."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        self._table: TranspositionTable  # made anew for each decision
        CLOCK.install(self.position.state)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; at a finished game any free square, on a full board none."""
        started = time.perf_counter()
        state = self.position.state
        state.nodes = 0
        ranked = self._ranked(limits.excluded_moves)
        if len(ranked) < 2:
            return Decision(format_cell(ranked[0]) if ranked else self._free_square(), note="only move")
        self._table = new_array("u64", TABLE_WORDS)  # what it holds is of use to one decision only
        state.paper_agent = state.side
        hard_ms = _hard_ms(limits)
        with limits.stop.linked(state):
            progress = None if limits.excluded_moves else self._kill(limits, hard_ms, started)
            note = "kill" if progress else ""
            progress = progress or self._search(ranked, limits, hard_ms, started)
        report(progress)
        return Decision(progress.pv[0], progress, note)

    def _kill(self, limits: Limits, hard_ms: float | None, started: float) -> Progress | None:
        """A forced win by fours and open threes."""
        longest = self.options.get_int("kill")
        nodes = min(KILL_NODES, max(limits.nodes // 2, 1)) if limits.nodes else KILL_NODES
        self._allow(nodes, None if hard_ms is None else hard_ms * KILL_SHARE, started)
        state = self.position.state
        length = self.position.library.paper_kill(state, self._table, longest) if longest else 0
        return self._progress(FIVE_VALUE - length, length, started) if length else None

    def _search(self, ranked: list[int], limits: Limits, hard_ms: float | None, started: float) -> Progress:
        """The best of the best points; where time allows no look ahead, the first of them."""
        state, options = self.position.state, self.options
        state.paper_breadth = options.get_int("breadth")
        state.paper_prunes = int(options["search"] == NEGAMAX)
        state.paper_gamma_per_mille = round(1000 * options.get_float("gamma"))
        state.root_move_count = min(state.paper_breadth, len(ranked))
        state.root_moves[: state.root_move_count] = ranked[: state.root_move_count]
        depth = min(options.get_int("depth"), limits.depth or options.get_int("depth"))
        self._allow(limits.nodes or 0, hard_ms, started)
        state.pv[0][0], state.pv_length[0] = ranked[0], 1
        value = self.position.library.paper_search(state, self._table, depth)
        return self._progress(value, depth, started) if state.root_moves_searched else self._progress(0, 0, started)

    def _allow(self, nodes: int, milliseconds: float | None, started: float) -> None:
        """Set the number of nodes (0 for any) and the time since `started` that the kernels stop at."""
        state = self.position.state
        state.aborted, state.next_poll, state.node_limit = 0, 0, nodes
        state.deadline = 0
        if milliseconds is not None:
            left = milliseconds - (time.perf_counter() - started) * 1000
            state.deadline = CLOCK.now() + int(max(left, 0) * CLOCK.ticks_per_ms)

    def _progress(self, value: int, depth: int, started: float) -> Progress:
        state = self.position.state
        pv = tuple(format_cell(cell) for cell in state.pv[0][: state.pv_length[0]])
        elapsed_ms = int((time.perf_counter() - started) * 1000)
        win_in = None
        score = max(-MAX_EVALUATION, min(MAX_EVALUATION, value))
        if abs(value) > MAX_VALUE:
            win_in = FIVE_VALUE - value if value > 0 else -(FIVE_VALUE + value)
            score = WIN - win_in if value > 0 else -(WIN + win_in)
        return Progress(depth, depth, score, win_in, state.nodes, elapsed_ms, pv)


def _hard_ms(limits: Limits) -> float | None:
    """Milliseconds that a move may take, or None for as long as it takes."""
    if limits.move_time_ms is not None and limits.move_time_ms <= 0:
        return 0
    shortest = min(value for value in (limits.move_time_ms, limits.time_left_ms, 1 << 40) if value is not None)
    return allocate_time(limits, min(MARGIN_MS, max(shortest, 0) / 2), MOVES_TO_GO).hard_ms
