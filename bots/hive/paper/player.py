"""The players of Urban Pettersson's bachelor's thesis "AI för Hive" (KTH, 2014, section 7).

They are `random`, `aggro`, `greedy`, `minimax` and `alphabeta`. Their kernels are in bots/hive/kernels/paper.py.
"""

from __future__ import annotations

from abc import abstractmethod

from bots.hive.board_player import BoardPlayer
from bots.hive.paper.state_fields import MAX_THESIS_DEPTH
from bots.hive.position import HivePosition
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, ignore_progress
from core.search.clock import CLOCK
from core.search.time_budget import allocate_time
from core.search.timed_search import TimedSearch

MARGIN_MS = 20  # subtracted from every time limit
EXPECTED_MOVES_LEFT = 20  # moves that the player still makes in a game, for time allocation

RANDOM_OPTIONS = (SEED,)
MINIMAX_OPTIONS = (
    Option("depth", 2, "search depth in plies", minimum=1, maximum=MAX_THESIS_DEPTH),
    Option("delta", 0, "choose at random among moves up to this many points below the best", minimum=0, maximum=1000),
    SEED,
)
ALPHABETA_OPTIONS = (Option("depth", 4, "search depth in plies", minimum=1, maximum=MAX_THESIS_DEPTH), SEED)


class SeededPlayer(BoardPlayer, SeedMixin[HivePosition]):
    """Base class of players that shuffle the legal moves with a random generator of their own.

    The same seed other than 0 gives the same random choices.
    """

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Return a move, or an empty one if the game is over."""
        search = TimedSearch(self.position.state)
        candidates = self.position.allowed_numbers(limits.excluded_moves)
        if not candidates:
            return Decision("", note="game over")
        if len(candidates) == 1:
            return Decision(self.position.format(candidates[0]), note="only move")
        self._random.shuffle(candidates)
        with limits.stop.linked(self.position.state):
            progress = self._think(candidates, limits, report, search)
        return Decision(progress.pv[0], progress)

    @abstractmethod
    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, search: TimedSearch) -> Progress:
        """Choose one of `moves`, which are at least two in random order; report the choice and return it."""


class Random(SeededPlayer):
    """`random`: a legal move, all equally likely."""

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, search: TimedSearch) -> Progress:  # noqa: ARG002
        progress = Progress(pv=(self.position.format(moves[0]),))
        report(progress)
        return progress


class Aggro(Random):
    """`aggro`: a random move that occupies one more cell beside the enemy queen, or any move if there is none."""

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, search: TimedSearch) -> Progress:
        state = self.position.state
        count = self.position.library.thesis_list_attacks(state)
        attacks = set(state.root_moves[:count])
        return super()._think([move for move in moves if move in attacks] or moves, limits, report, search)


class Minimax(SeededPlayer):
    """`minimax`: a random move within `delta` points of the best, by iterative deepening without pruning."""

    uses_alphabeta = False

    def __init__(self, options: OptionSet):
        super().__init__(options)
        CLOCK.install(self.position.state)

    def _depth(self) -> int:
        return self.options.get_int("depth")

    def _delta(self) -> int:
        return self.options.get_int("delta")

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, search: TimedSearch) -> Progress:
        """Deepen iteratively. If time runs out at a depth, choose among the root moves that it has searched so far."""
        state = self.position.state
        state.thesis_random = self._random.getrandbits(64) | 1  # seed of the kernels' random generator
        search.set_limits(limits.nodes, allocate_time(limits, MARGIN_MS, EXPECTED_MOVES_LEFT).hard_ms)
        best = Progress(pv=(self.position.format(moves[0]),))
        for depth in range(1, min(limits.depth or MAX_THESIS_DEPTH, self._depth()) + 1):
            state.root_move_count = len(moves)
            state.root_moves[: len(moves)] = moves
            score = self.position.library.thesis_search(state, depth, int(self.uses_alphabeta))
            if state.root_moves_searched:
                chosen = self._near_best(moves, score)
                moves = [chosen, *(move for move in moves if move != chosen)]  # searched first at the next depth
                best = search.progress(depth, score, [self.position.format(chosen)])
                report(best)
            if state.aborted or best.win_in is not None:
                break
        return best

    def _near_best(self, moves: list[int], score: int) -> int:
        """Return a random one of the searched moves that score at most `delta` points below the best."""
        state, min_score = self.position.state, score - self._delta()
        searched = enumerate(moves[: state.root_moves_searched])
        return self._random.choice([move for index, move in searched if state.root_scores[index] >= min_score])


class Greedy(Minimax):
    """`greedy`: a random one of the moves with the best evaluation after one ply."""

    def _depth(self) -> int:
        return 1

    def _delta(self) -> int:
        return 0


class AlphaBeta(Minimax):
    """`alphabeta`: the first best move of an alpha-beta search with the moves of every node in random order.

    Only the best move of the previous depth is searched first at the root.
    """

    uses_alphabeta = True

    def _delta(self) -> int:
        return 0
