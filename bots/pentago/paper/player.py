"""The thesis' players: random, greedy, alphabeta, genetic, mcts. All choose moves by the same rows or by playouts."""

from __future__ import annotations

import time
from abc import abstractmethod

from bots.pentago.board_player import BoardPlayer
from bots.pentago.layout import PLACEMENT
from bots.pentago.paper.genetic import ROULETTE, TOURNAMENT, GeneticSearch, GeneticSettings
from bots.pentago.position import PentagoPosition
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, ignore_progress
from core.search.clock import CLOCK
from core.search.scores import INFINITE, MAX_EVALUATION, WIN, proven_score, win_distance
from core.search.time_budget import allocate_time

MARGIN_MS = 20  # kept back of every time limit
MOVES_TO_GO = 14
MAX_DEPTH = 20

RANDOM_OPTIONS = (SEED,)
ALPHABETA_OPTIONS = (
    Option("depth", 4, "plies of the search", minimum=1, maximum=MAX_DEPTH),
    Option("time", 0.0, "seconds for a move, however deep that goes; 0 for the depth", minimum=0, maximum=86_400),
    SEED,
)
_GENETIC = GeneticSettings()
GENETIC_OPTIONS = (
    Option("population", 200, "genomes of a generation", minimum=2, maximum=100_000),
    Option("generations", _GENETIC.generations, "after which the search ends", minimum=1, maximum=1_000_000),
    Option("depth", 3, "moves of a genome", minimum=1, maximum=MAX_DEPTH),
    Option("crossover", _GENETIC.crossover, "probability that two parents are crossed", minimum=0, maximum=1),
    Option("mutation", _GENETIC.mutation, "probability that a move is changed", minimum=0, maximum=1),
    Option("elite", _GENETIC.elite, "genomes that go on unchanged", minimum=0, maximum=1000),
    Option("selection", TOURNAMENT, "how parents are drawn", choices=(TOURNAMENT, ROULETTE)),
    SEED,
)


class SeededPlayer(BoardPlayer, SeedMixin[PentagoPosition]):
    """A player with a random stream of its own; two of the same seed that see the same games choose alike."""

    sees_fives = True  # plays a placement that wins without thinking

    def __init__(self, options: OptionSet):
        super().__init__(options)
        CLOCK.install(self.position.state)
        self._ends_at = 0.0

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; none where the game is over."""
        started = time.perf_counter()
        moves = self.position.allowed_numbers(limits.excluded_moves)
        if len(moves) < 2:
            return Decision(self.position.format(moves[0]) if moves else "", note="only move")
        winning = [move for move in moves if move >= PLACEMENT]
        if winning and self.sees_fives:
            move = self.position.format(winning[0])
            return Decision(move, Progress(1, 1, proven_score(1), 1, 1, 0, (move,)))
        self._random.shuffle(moves)
        with limits.stop.linked(self.position.state):
            self._begin(limits, started)
            progress = self._think(moves, limits, report)
        report(progress)
        return Decision(progress.pv[0], progress)

    @abstractmethod
    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:
        """Choose one of two moves or more, which come in random order, none of them a placement that wins."""

    def _begin(self, limits: Limits, started: float) -> None:
        """Set what ends the choice."""
        state = self.position.state
        state.nodes, state.next_poll, state.aborted, state.deadline = 0, 0, 0, 0
        state.node_limit = limits.nodes or 0
        state.random = self._random.getrandbits(64) | 1
        self._started, self._ends_at = started, float("inf")
        hard_ms = allocate_time(limits, MARGIN_MS, MOVES_TO_GO).hard_ms
        if hard_ms is not None:
            self._end_in(hard_ms)

    def _end_in(self, milliseconds: float) -> None:
        self._ends_at = min(self._ends_at, self._started + max(milliseconds, 0) / 1000)
        left_ms = max((self._ends_at - time.perf_counter()) * 1000, 0)
        self.position.state.deadline = CLOCK.now() + int(left_ms * CLOCK.ticks_per_ms)

    def _is_over(self) -> bool:
        return bool(self.position.state.stop) or time.perf_counter() >= self._ends_at

    def _progress(self, depth: int, score: int, line: list[int]) -> Progress:
        elapsed_ms = int((time.perf_counter() - self._started) * 1000)
        pv = tuple(self.position.format_line(line))
        return Progress(depth, depth, score, win_distance(score), self.position.state.nodes, elapsed_ms, pv)


class Random(SeededPlayer):
    """`random`: any legal move, all equally likely."""

    sees_fives = False

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:  # noqa: ARG002
        return self._progress(1, 0, moves[:1])


class AlphaBeta(SeededPlayer):
    """`alphabeta`: plain alpha-beta, a ply deeper at a time, over the thesis' evaluation."""

    def _depth(self, limits: Limits) -> int:
        depth = MAX_DEPTH if self.options.get_float("time") else self.options.get_int("depth")
        return min(limits.depth or MAX_DEPTH, depth)

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:
        """Where time runs out, the best of the moves that the last depth has seen."""
        state, library = self.position.state, self.position.library
        if "time" in self.options and self.options.get_float("time"):
            self._end_in(self.options.get_float("time") * 1000)
        found = self._progress(0, 0, moves[:1])
        for depth in range(1, self._depth(limits) + 1):
            best, best_score = moves[0], -INFINITE
            for move in moves:
                library.apply(state, move)
                score = -library.thesis_search(state, -INFINITE, -best_score, depth - 1, 1)
                library.undo(state)
                if state.aborted:
                    break
                if score > best_score:
                    best, best_score = move, score
            if best_score >= -MAX_EVALUATION or not state.aborted:  # of moves that lose the rest may not
                moves = [best, *(move for move in moves if move != best)]
                found = self._progress(depth, best_score, [best])
                report(found)
            if state.aborted or found.win_in is not None:
                break
        return found


class Greedy(AlphaBeta):
    """`greedy`: the best by the thesis' evaluation after one move."""

    def _depth(self, limits: Limits) -> int:  # noqa: ARG002
        return 1


class Genetic(SeededPlayer):
    """`genetic`: genetic minimax (a `bots.pentago.paper.genetic.GeneticGame`)."""

    def list_moves(self) -> list[int]:
        """The legal moves."""
        return self.position.legal_numbers()

    def apply(self, move: int) -> None:
        """Play a move."""
        self.position.make(move)

    def undo(self) -> None:
        """Take it back."""
        self.position.undo()

    def side_to_move(self) -> int:
        """0 or 1."""
        return self.position.to_move

    def estimate(self, ply: int) -> int:
        """The thesis' evaluation."""
        self.position.state.nodes += 1
        return self.position.library.thesis_value(self.position.state, ply)

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:
        options, nodes = self.options, limits.nodes or 1 << 62
        depth = min(limits.depth or MAX_DEPTH, options.get_int("depth"))
        settings = GeneticSettings(
            options.get_int("population"),
            options.get_int("generations"),
            depth,
            options.get_float("crossover"),
            options.get_float("mutation"),
            options.get_int("elite"),
            str(options["selection"]),
        )
        search = GeneticSearch(
            self, settings, self._random, lambda: self._is_over() or self.position.state.nodes >= nodes
        )

        def look() -> Progress:
            """Of all replies it has tried some, so that only a move that ends the game proves anything."""
            value = search.root.value
            told = value if value == WIN - 1 else max(-MAX_EVALUATION, min(MAX_EVALUATION, value))
            return self._progress(depth, told, search.best_line())

        search.run(moves, lambda _: report(look()))
        return look()
