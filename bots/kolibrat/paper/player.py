"""The agent of Aron Lindberg's bachelor's thesis "A.I. in board games" (DTU, 2007), and two simple players.

`minimax` is the thesis' agent (kernels in bots/kolibrat/kernels/paper.py); `greedy` uses its evaluation only.
"""

from __future__ import annotations

from bots.kolibrat.board_player import BoardPlayer
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.weights import START_WEIGHTS, Weights, set_weights, tuned_weights
from core.native.library import new_array
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet, Value
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, ignore_progress
from core.search.clock import CLOCK
from core.search.table_size import table_words
from core.search.time_budget import allocate_time
from core.search.timed_search import TimedSearch

MARGIN_MS = 20  # subtracted from every time limit but the option `time`
EXPECTED_MOVES_LEFT = 25  # moves that the player still makes in a game, for time allocation
TABLE_BYTES = 32 << 20  # transposition table of `minimax`
MAX_DEPTH = 100  # plies

DEPTH = Option("depth", 0, "search depth in plies; 0: as deep as the time allows", minimum=0, maximum=MAX_DEPTH)
TIME = Option(
    "time", 1.0, "maximum seconds per move if neither depth nor nodes are limited", minimum=0.001, maximum=86_400
)
WEIGHTS = Option("weights", "start", "evaluation weights: start (set by hand) or tuned", choices=("start", "tuned"))
MINIMAX_OPTIONS = (DEPTH, TIME, WEIGHTS)
RANDOM_OPTIONS = (SEED,)


class Random(BoardPlayer, SeedMixin[KolibratPosition]):
    """`random`: a legal move, all equally likely. The same seed other than 0 gives the same choices."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Return a move, or an empty one if the game is over."""
        candidates = self._candidates(self.position.allowed_numbers(limits.excluded_moves))
        if not candidates:
            return Decision("", note="game over")
        move = self.position.format(self._random.choice(candidates))
        progress = Progress(pv=(move,))
        report(progress)
        return Decision(move, progress)

    def _candidates(self, moves: list[int]) -> list[int]:
        """Return the moves to choose from."""
        return moves


class Greedy(Random):
    """`greedy`: a random one of the moves with the best evaluation after one ply.

    A move that ends the game counts as a win or loss.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options)
        set_weights(self.position.state, START_WEIGHTS)

    def _candidates(self, moves: list[int]) -> list[int]:
        values = [self._value(move) for move in moves]
        return [move for move, value in zip(moves, values, strict=True) if value == max(values)]

    def _value(self, move: int) -> int:
        """Return the value of a move for the side that makes it."""
        position, state = self.position, self.position.state
        side = state.side
        position.library.apply(state, move)
        score = position.library.terminal_score(state, 0) if state.result else position.library.evaluate(state)
        position_side = state.side  # a side may move twice in a row
        position.library.undo(state)
        return int(score) if position_side == side else -int(score)


class Minimax(BoardPlayer):
    """`minimax`: iterative deepening to a time or depth; plays the best move of the last completed depth.

    If not even depth 1 is completed, it plays the first legal move.
    """

    def __init__(self, options: OptionSet, table_bytes: int = TABLE_BYTES):
        super().__init__(options)
        self._table_words = table_words(table_bytes)
        CLOCK.install(self.position.state)
        self._apply_weights_option()

    def use_weights(self, weights: Weights) -> None:
        """Use other evaluation weights from now on."""
        set_weights(self.position.state, weights)
        self._clear_table()

    def new_game(self, setup: Setup) -> None:
        """Begin a game. On another board the weights are chosen again and the transposition table is cleared."""
        previous_board = self.position.board_spec
        super().new_game(setup)
        if previous_board != self.position.board_spec:
            self._apply_weights_option()

    def set_option(self, name: str, value: Value) -> None:
        """Set an option; clear the transposition table."""
        super().set_option(name, value)
        self._apply_weights_option()

    def _apply_weights_option(self) -> None:
        tuned = self.options["weights"] == "tuned"
        self.use_weights(tuned_weights(self.position.board_spec) if tuned else START_WEIGHTS)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Return a move, or an empty one if the game is over."""
        search = TimedSearch(self.position.state)
        moves = self.position.allowed_numbers(limits.excluded_moves)
        if not moves:
            return Decision("", note="game over")
        if len(moves) == 1:
            return Decision(self.position.format(moves[0]), note="only move")
        with limits.stop.linked(self.position.state):
            best = self._search(moves, limits, report, search)
        return Decision(best.pv[0], best)

    def _search(self, moves: list[int], limits: Limits, report: ProgressCallback, search: TimedSearch) -> Progress:
        """Search and return the result of the last completed depth."""
        state = self.position.state
        search.set_limits(limits.nodes, self._time_limit_ms(limits))
        state.root_move_count = len(moves)
        state.root_moves[: len(moves)] = moves
        best = Progress(pv=(self.position.format(moves[0]),))
        for depth in range(1, min(limits.depth or MAX_DEPTH, self.options.get_int("depth") or MAX_DEPTH) + 1):
            score = self.position.library.minimax_root(state, self._table, depth)
            if state.aborted:
                break
            best = search.progress(depth, score, [self.position.format(state.root_moves[0])])
            report(best)
            if best.win_in is not None:
                break
        return best

    def _time_limit_ms(self, limits: Limits) -> float | None:
        """Return the time limit of a move; the option `time` counts only if neither depth nor nodes are limited."""
        hard_ms = allocate_time(limits, MARGIN_MS, EXPECTED_MOVES_LEFT).hard_ms
        if self.options.get_int("depth") or limits.depth or limits.nodes:
            return hard_ms
        option_ms = self.options.get_float("time") * 1000
        return option_ms if hard_ms is None else min(hard_ms, option_ms)

    def _clear_table(self) -> None:
        """Replace the transposition table by an empty one."""
        self._table = new_array("u64", self._table_words)
