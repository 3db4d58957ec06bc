"""The thesis' players: random, aggro, greedy, minimax and alphabeta (Pettersson, AI för Hive, KTH 2014, section 7)."""

from __future__ import annotations

import time
from abc import abstractmethod

from bots.hive.board_player import BoardPlayer
from bots.hive.paper.record import MAX_THESIS_DEPTH
from bots.hive.position import HivePosition
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, ignore_progress
from core.search.clock import CLOCK
from core.search.scores import win_distance
from core.search.time_budget import allocate_time

MARGIN_MS = 20  # kept back of every time limit
MOVES_TO_GO = 20

RANDOM_OPTIONS = (SEED,)
MINIMAX_OPTIONS = (
    Option("depth", 2, "plies of the search", minimum=1, maximum=MAX_THESIS_DEPTH),
    Option("delta", 0, "points below the best that a move may be worth and still be chosen", minimum=0, maximum=1000),
    SEED,
)
ALPHABETA_OPTIONS = (Option("depth", 4, "plies of the search", minimum=1, maximum=MAX_THESIS_DEPTH), SEED)


class SeededPlayer(BoardPlayer, SeedMixin[HivePosition]):
    """A player with a random stream of its own; two of the same seed that see the same games choose alike."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; none where the game is over."""
        started = time.perf_counter()
        wanted = self.position.allowed_numbers(limits.excluded_moves)
        if not wanted:
            return Decision("", note="game over")
        if len(wanted) == 1:
            return Decision(self.position.format(wanted[0]), note="only move")
        self._random.shuffle(wanted)
        with limits.stop.linked(self.position.state):
            progress = self._think(wanted, limits, report, started)
        return Decision(progress.pv[0], progress)

    @abstractmethod
    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, started: float) -> Progress:
        """Choose one of two moves or more, which come in random order, and report the choice."""


class Random(SeededPlayer):
    """`random`: any legal move, all equally likely."""

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, started: float) -> Progress:  # noqa: ARG002
        progress = Progress(pv=(self.position.format(moves[0]),))
        report(progress)
        return progress


class Aggro(Random):
    """`aggro`: a move that adds a tile round the enemy queen where there is one, else any."""

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, started: float) -> Progress:
        state = self.position.state
        count = self.position.library.thesis_attacks(state)
        attacks = set(state.root_moves[:count])
        return super()._think([move for move in moves if move in attacks] or moves, limits, report, started)


class Minimax(SeededPlayer):
    """`minimax`: any of the moves within delta of the best after a full search, which goes a ply deeper at a time."""

    prunes = False

    def __init__(self, options: OptionSet):
        super().__init__(options)
        CLOCK.install(self.position.state)

    def _depth(self) -> int:
        return self.options.get_int("depth")

    def _delta(self) -> int:
        return self.options.get_int("delta")

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback, started: float) -> Progress:
        """Where time runs out, the choice among the moves that were searched to the end, the best so far among them."""
        state = self.position.state
        self._begin(limits, started)
        best = Progress(pv=(self.position.format(moves[0]),))
        for depth in range(1, min(limits.depth or MAX_THESIS_DEPTH, self._depth()) + 1):
            state.root_move_count = len(moves)
            state.root_moves[: len(moves)] = moves
            score = self.position.library.thesis_search(state, depth, int(self.prunes))
            if state.root_moves_searched:
                chosen = self._near_best(moves, score)
                moves = [chosen, *(move for move in moves if move != chosen)]  # searched first at the next depth
                elapsed_ms = int((time.perf_counter() - started) * 1000)
                pv = (self.position.format(chosen),)
                best = Progress(depth, depth, score, win_distance(score), state.nodes, elapsed_ms, pv)
                report(best)
            if state.aborted or best.win_in is not None:
                break
        return best

    def _begin(self, limits: Limits, started: float) -> None:
        """Set what the kernels stop at."""
        state = self.position.state
        state.thesis_random = self._random.getrandbits(64) | 1
        state.nodes, state.next_poll, state.aborted, state.node_limit = 0, 0, 0, limits.nodes or 0
        state.deadline = 0
        hard_ms = allocate_time(limits, MARGIN_MS, MOVES_TO_GO).hard_ms
        if hard_ms is not None:
            left_ms = hard_ms - (time.perf_counter() - started) * 1000
            state.deadline = CLOCK.now() + int(max(left_ms, 0) * CLOCK.ticks_per_ms)

    def _near_best(self, moves: list[int], score: int) -> int:
        """Any of the searched moves within delta of the best."""
        state, least = self.position.state, score - self._delta()
        near = [
            move for index, move in enumerate(moves[: state.root_moves_searched]) if state.root_scores[index] >= least
        ]
        return self._random.choice(near)


class Greedy(Minimax):
    """`greedy`: any of the moves after which the estimate is best."""

    def _depth(self) -> int:
        return 1

    def _delta(self) -> int:
        return 0


class AlphaBeta(Minimax):
    """`alphabeta`: the move that comes out best first, of moves in random order at every node."""

    prunes = True

    def _delta(self) -> int:
        return 0
