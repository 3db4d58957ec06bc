"""The players of the PROP paper (IAHex family): potentials, minimax, queenbee, negamontescout and sexsearch.

The kernels that evaluate and search are in bots/hex/kernels/paper. The cost of a cell comes from two-distance
potentials: the less, the better the move.
"""

from __future__ import annotations

import math
from abc import abstractmethod

from bots.hex.board_player import BoardPlayer
from bots.hex.opening.first_moves import find_paper_opening
from bots.hex.paper.fields import (
    ALPHABETA_GROUPS,
    ALPHABETA_POTENTIALS,
    MAX_PAPER_DEPTH,
    NEGASCOUT_BUDGET,
    NEGASCOUT_SAMPLE,
    WINNING_MOVE_COST,
)
from bots.hex.position import HexPosition, format_cell
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, ignore_progress
from core.search.clock import CLOCK
from core.search.time_budget import allocate_time
from core.search.timed_search import TimedSearch

MARGIN_MS = 25  # subtracted from every time limit
EXPECTED_MOVES_LEFT = 25  # number of moves among which the time on the clock is divided
MIN_SAMPLE = 7  # smallest number of root moves in a random sample
AGGRESSIVE, PASSIVE = 2, 1  # weight of the opponent's shortest path; the weight of one's own is 3 minus this

OPENING = Option("opening", True, "play a known opening move on the first turn")
POTENTIALS_OPTIONS = (SEED, OPENING)
MINIMAX_OPTIONS = (
    Option("depth", 2, "search depth in plies", minimum=1, maximum=MAX_PAPER_DEPTH),
    Option(
        "near",
        0.4,
        "weigh the opponent's shortest path more if it is at most this fraction of the board's length",
        minimum=0,
        maximum=1,
    ),
    SEED,
    OPENING,
)
QUEENBEE_OPTIONS = (Option("depth", 3, "search depth in plies", minimum=1, maximum=MAX_PAPER_DEPTH), SEED, OPENING)
NEGAMONTESCOUT_OPTIONS = (
    Option("depth", 2, "search depth in plies at the start of the game", minimum=1, maximum=MAX_PAPER_DEPTH),
    Option(
        "root",
        0.7,
        "K at the root, where a random sample of (empty cells) / (K sqrt(board size)) cells is searched",
        minimum=0.05,
        maximum=10,
    ),
    Option("below", 0.85, "K at the nodes below the root", minimum=0.05, maximum=10),
    SEED,
    OPENING,
)
SEXSEARCH_OPTIONS = (
    Option("depth", 2, "search depth in plies at the start of the game", minimum=1, maximum=MAX_PAPER_DEPTH),
    Option(
        "slope",
        0.25,
        "depth that a move uses up, in plies, per point of cost above the cheapest move",
        minimum=0,
        maximum=10,
    ),
    Option("tempo", 150, "evaluation bonus for the side to move; one cell of distance is 100", minimum=0, maximum=1000),
    Option(
        "cut", 8, "points of cost above the cheapest move from which moves are not searched", minimum=0, maximum=1000
    ),
    SEED,
    OPENING,
)


class PaperPlayer(BoardPlayer, SeedMixin[HexPosition]):
    """Base class of the paper's players: they play a known opening move (option `opening`), else the one of `_think`.

    They never swap. Two players with the same seed other than 0 make the same random choices in the same games.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options)
        CLOCK.install(self.position.state)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; the move is empty if the game is over."""
        search = TimedSearch(self.position.state)
        cells = self._allowed_cells(limits.excluded_moves)
        if len(cells) < 2:
            return Decision(format_cell(cells[0]) if cells else "", note="only move" if cells else "game over")
        opening = find_paper_opening(self.position) if self.options.get_bool("opening") else ""
        if opening and self.position.parse(opening) in cells:
            return Decision(opening, Progress(pv=(opening,)), "opening")
        with limits.stop.linked(self.position.state):
            progress = self._think(self._rank(cells), limits, report, search)
        return Decision(progress.pv[0], progress)

    def _rank(self, cells: list[int]) -> list[tuple[int, int]]:
        """Return cells with their costs, cheapest first, ties in random order."""
        state = self.position.state
        self.position.library.paper_costs(state)
        pairs = zip(state.root_moves[: state.root_count], state.root_costs, strict=False)
        ranked = [(cell, cost) for cell, cost in pairs if cell in cells]
        self._random.shuffle(ranked)
        return sorted(ranked, key=lambda pair: pair[1])

    @abstractmethod
    def _think(
        self, ranked: list[tuple[int, int]], limits: Limits, report: ProgressCallback, search: TimedSearch
    ) -> Progress:
        """Choose one of at least two cells and report the choice. `ranked` has pairs of cell and cost, cheapest first.

        `search` measures the time from the beginning of `choose`.
        """


class Potentials(PaperPlayer):
    """`potentials`: play the cell of least cost by two-distance potentials, without a search."""

    def _think(
        self,
        ranked: list[tuple[int, int]],
        limits: Limits,  # noqa: ARG002
        report: ProgressCallback,
        search: TimedSearch,
    ) -> Progress:
        cell, cost = ranked[0]
        win_in = 1 if cost == WINNING_MOVE_COST else None
        progress = Progress(1, 1, -cost, win_in, 1, search.elapsed_ms, (format_cell(cell),))
        report(progress)
        return progress


class PaperSearchPlayer(PaperPlayer):
    """Base class of the searching players: iterative deepening; the best move of the last completed depth is played."""

    method: int  # value of `paper_method`, see fields.py

    def _depth(self) -> int:
        """Return the maximum depth in plies."""
        return self.options.get_int("depth")

    def _prepare(self, ranked: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Set the parameters of the method; return the root moves in the order in which to search them."""
        return ranked

    def _think(
        self, ranked: list[tuple[int, int]], limits: Limits, report: ProgressCallback, search: TimedSearch
    ) -> Progress:
        state = self.position.state
        state.paper_method, state.paper_root_side = self.method, state.side
        roots = self._prepare(ranked)
        search.set_limits(limits.nodes, allocate_time(limits, MARGIN_MS, EXPECTED_MOVES_LEFT).hard_ms)
        best = Progress(time_ms=search.elapsed_ms, pv=(format_cell(roots[0][0]),))
        for depth in range(1, min(limits.depth or MAX_PAPER_DEPTH, self._depth()) + 1):
            state.root_count = len(roots)
            for index, (cell, cost) in enumerate(roots):
                state.root_moves[index], state.root_costs[index] = cell, cost
            score = self.position.library.paper_search(state, depth)
            if state.aborted:
                break
            roots.insert(0, roots.pop(state.root_best))
            best = search.progress(depth, score, [format_cell(roots[0][0])])
            report(best)
            if best.win_in is not None:
                break
        return best

    def _length(self) -> int:
        """Return the number of cells along the longer side of the board."""
        return max(self.position.setup.width, self.position.setup.height)


class Minimax(PaperSearchPlayer):
    """`minimax`: alpha-beta over shortest paths, resistance and virtual connections of groups."""

    method = ALPHABETA_GROUPS

    def _prepare(self, ranked: list[tuple[int, int]]) -> list[tuple[int, int]]:
        state = self.position.state
        theirs = self.position.library.shortest_path(state, 1 - state.side)
        is_near = theirs <= self.options.get_float("near") * self._length()
        state.paper_opponent_weight = AGGRESSIVE if is_near else PASSIVE
        return ranked


class QueenBee(PaperSearchPlayer):
    """`queenbee`: alpha-beta over two-distance potentials, with all moves ordered by cost."""

    method = ALPHABETA_POTENTIALS


class NegaMonteScout(PaperSearchPlayer):
    """`negamontescout`: negascout over a random sample of the moves. A win in one move is always played.

    A sample has min(max(empty / (K sqrt(size)), 7), empty) cells. The depth grows by one ply each 2.3 * size stones.
    `size` is the length of the longer side.
    """

    method = NEGASCOUT_SAMPLE
    board_lengths_per_ply = 2.3  # stones per additional ply, divided by `size`

    def _depth(self) -> int:
        played = self.position.state.stones
        return self.options.get_int("depth") + int(played / (self.board_lengths_per_ply * self._length()))

    def _prepare(self, ranked: list[tuple[int, int]]) -> list[tuple[int, int]]:
        state, root_of_size = self.position.state, math.sqrt(self._length())
        state.paper_sample_divisor = round(1000 * self.options.get_float("below") * root_of_size)
        state.paper_seed = self._random.getrandbits(64)
        if ranked[0][1] == WINNING_MOVE_COST:
            return ranked[:1]
        count = max(int(len(ranked) / (self.options.get_float("root") * root_of_size)), MIN_SAMPLE)
        return self._random.sample(ranked, min(count, len(ranked)))


class SexSearch(NegaMonteScout):
    """`sexsearch`: negascout ordered by cost, on a budget of plies that expensive moves use up sooner.

    Moves that cost much more than the cheapest are not searched. The depth grows by one ply each 1.3 * size stones.
    """

    method = NEGASCOUT_BUDGET
    board_lengths_per_ply = 1.3

    def _prepare(self, ranked: list[tuple[int, int]]) -> list[tuple[int, int]]:
        state = self.position.state
        state.paper_slope = round(100 * self.options.get_float("slope"))
        state.paper_tempo = self.options.get_int("tempo")
        state.paper_cut = self.options.get_int("cut")
        return ranked
