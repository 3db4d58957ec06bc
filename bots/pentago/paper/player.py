"""Players that follow a thesis on Pentago: `random`, `greedy`, `alphabeta` and `genetic`, and the base class of `mcts`.

The thesis is S. Jonsson's (University of Skövde, 2014; see bots/pentago/kernels/paper.py). All but `random` and `mcts`
use its evaluation by rows of marbles.
"""

from __future__ import annotations

from abc import abstractmethod

from bots.pentago.board_player import BoardPlayer
from bots.pentago.layout import PLACEMENT
from bots.pentago.paper.genetic import ROULETTE, TOURNAMENT, GeneticSearch, GeneticSettings
from bots.pentago.position import PentagoPosition
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback, ignore_progress
from core.search.clock import CLOCK
from core.search.scores import INFINITE, MAX_EVALUATION, WIN, proven_score
from core.search.time_budget import allocate_time
from core.search.timed_search import TimedSearch

MARGIN_MS = 20  # subtracted from every time limit but the option `time`
EXPECTED_MOVES_LEFT = 14  # moves that the player still makes in a game, for time allocation
MAX_DEPTH = 20  # plies

RANDOM_OPTIONS = (SEED,)
ALPHABETA_OPTIONS = (
    Option("depth", 4, "search depth in plies", minimum=1, maximum=MAX_DEPTH),
    Option("time", 0.0, "seconds per move instead of a fixed depth; 0: search to the depth", minimum=0, maximum=86_400),
    SEED,
)
GENETIC_DEFAULTS = GeneticSettings()
GENETIC_OPTIONS = (
    Option("population", 200, "genomes per generation", minimum=2, maximum=100_000),
    Option("generations", GENETIC_DEFAULTS.generations, "number of generations", minimum=1, maximum=1_000_000),
    Option("depth", 3, "moves per genome", minimum=1, maximum=MAX_DEPTH),
    Option(
        "crossover", GENETIC_DEFAULTS.crossover_rate, "probability that two parents are crossed", minimum=0, maximum=1
    ),
    Option("mutation", GENETIC_DEFAULTS.mutation_rate, "probability that a move is changed", minimum=0, maximum=1),
    Option("elite", GENETIC_DEFAULTS.elite_count, "best genomes that are kept unchanged", minimum=0, maximum=1000),
    Option("selection", TOURNAMENT, "how parents are selected", choices=(TOURNAMENT, ROULETTE)),
    SEED,
)


class SeededPlayer(BoardPlayer, SeedMixin[PentagoPosition]):
    """A player with its own random generator.

    Two players with the same seed other than 0 make the same random choices in the same games.
    """

    plays_winning_placement = True  # without thinking, if the position has one

    def __init__(self, options: OptionSet):
        super().__init__(options)
        CLOCK.install(self.position.state)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; none if the game is over."""
        self._timed_search = TimedSearch(self.position.state)
        moves = self.position.allowed_numbers(limits.excluded_moves)
        if len(moves) < 2:
            return Decision(self.position.format(moves[0]) if moves else "", note="only move")
        winning = [move for move in moves if move >= PLACEMENT]
        if winning and self.plays_winning_placement:
            move = self.position.format(winning[0])
            progress = Progress(depth=1, selective_depth=1, score=proven_score(1), win_in=1, nodes=1, pv=(move,))
            return Decision(move, progress)
        self._random.shuffle(moves)
        with limits.stop.linked(self.position.state):
            self.position.state.random = self._random.getrandbits(64) | 1  # seed of the playouts; must not be 0
            self._timed_search.set_limits(limits.nodes, self._time_limit_ms(limits))
            progress = self._think(moves, limits, report)
        report(progress)
        return Decision(progress.pv[0], progress)

    @abstractmethod
    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:
        """Choose one of at least two moves, which are in random order."""

    def _time_limit_ms(self, limits: Limits) -> float | None:
        """Return the time limit of a move, or None."""
        return allocate_time(limits, MARGIN_MS, EXPECTED_MOVES_LEFT).hard_ms

    def _should_stop(self) -> bool:
        """Return whether the search was stopped or its deadline has passed."""
        state = self.position.state
        return bool(state.stop) or CLOCK.has_passed(state.deadline)

    def _progress(self, depth: int, score: int, line: list[int]) -> Progress:
        """Return the progress of the search; `line` is its principal variation."""
        return self._timed_search.progress(depth, score, self.position.format_line(line))


class RandomPlayer(SeededPlayer):
    """`random`: plays any legal move, all with the same probability."""

    plays_winning_placement = False

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:  # noqa: ARG002
        return self._progress(1, 0, moves[:1])


class AlphaBetaPlayer(SeededPlayer):
    """`alphabeta`: plain alpha-beta with iterative deepening, over the thesis' evaluation."""

    def _depth(self, limits: Limits) -> int:
        depth = MAX_DEPTH if self.options.get_float("time") else self.options.get_int("depth")
        return min(limits.depth or MAX_DEPTH, depth)

    def _time_limit_ms(self, limits: Limits) -> float | None:
        hard_ms = super()._time_limit_ms(limits)
        if "time" not in self.options or not self.options.get_float("time"):  # `greedy` has no such option
            return hard_ms
        option_ms = self.options.get_float("time") * 1000
        return option_ms if hard_ms is None else min(hard_ms, option_ms)

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:
        """Search; if time runs out, return the best of the moves that the last depth has searched."""
        state, library = self.position.state, self.position.library
        progress = self._progress(0, 0, moves[:1])
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
            # If the depth is aborted and its moves so far lose, keep the last result: an unsearched move may not lose.
            if best_score >= -MAX_EVALUATION or not state.aborted:
                moves = [best, *(move for move in moves if move != best)]
                progress = self._progress(depth, best_score, [best])
                report(progress)
            if state.aborted or progress.win_in is not None:
                break
        return progress


class GreedyPlayer(AlphaBetaPlayer):
    """`greedy`: plays the best move by the thesis' evaluation, without looking further."""

    def _depth(self, limits: Limits) -> int:  # noqa: ARG002
        return 1


class GeneticPlayer(SeededPlayer):
    """`genetic`: genetic minimax; implements `bots.pentago.paper.genetic.GeneticGame` itself."""

    def list_moves(self) -> list[int]:
        """Return the legal moves."""
        return self.position.legal_numbers()

    def apply(self, move: int) -> None:
        """Play a move."""
        self.position.make(move)

    def undo(self) -> None:
        """Undo the last move."""
        self.position.undo()

    def side_to_move(self) -> int:
        """Return the side to move, 0 or 1."""
        return self.position.to_move

    def evaluate(self, ply: int) -> int:
        """Return the thesis' evaluation."""
        self.position.state.nodes += 1
        return self.position.library.thesis_evaluate(self.position.state, ply)

    def _think(self, moves: list[int], limits: Limits, report: ProgressCallback) -> Progress:
        options, max_nodes = self.options, limits.nodes or 1 << 62
        depth = min(limits.depth or MAX_DEPTH, options.get_int("depth"))
        settings = GeneticSettings(
            population=options.get_int("population"),
            generations=options.get_int("generations"),
            depth=depth,
            crossover_rate=options.get_float("crossover"),
            mutation_rate=options.get_float("mutation"),
            elite_count=options.get_int("elite"),
            selection=options.get_str("selection"),
        )
        search = GeneticSearch(
            self, settings, self._random, lambda: self._should_stop() or self.position.state.nodes >= max_nodes
        )

        def current_progress() -> Progress:
            """Return the result of the search so far.

            Not all replies are tried, so a win is proven only if the first move ends the game.
            """
            value = search.root.value
            score = value if value == WIN - 1 else max(-MAX_EVALUATION, min(MAX_EVALUATION, value))
            return self._progress(depth, score, search.principal_variation())

        search.run(moves, lambda _: report(current_progress()))
        return current_progress()
