"""The DTU thesis' agent and two yardsticks: minimax, greedy, random (Lindberg 2007)."""

from __future__ import annotations

import time

from bots.kolibrat.board_player import BoardPlayer
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.weights import START_WEIGHTS, Weights, set_weights, tuned_weights
from core.native.library import new_array
from core.play.board_player import SEED, SeedMixin
from core.play.options import Option, OptionSet, Value
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, ignore_progress
from core.search.clock import CLOCK
from core.search.scores import win_distance
from core.search.table_size import table_words
from core.search.time_budget import allocate_time

MARGIN_MS = 20  # kept back of every time limit
MOVES_TO_GO = 25
TABLE_BYTES = 32 << 20
DEEPEST = 100

DEPTH = Option("depth", 0, "plies of the search, 0 for as many as the time allows", minimum=0, maximum=DEEPEST)
TIME = Option("time", 1.0, "seconds for a move at most", minimum=0.001, maximum=86_400)
WEIGHTS = Option("weights", "start", "of the evaluation: set by hand, or tuned", choices=("start", "tuned"))
MINIMAX_OPTIONS = (DEPTH, TIME, WEIGHTS)
RANDOM_OPTIONS = (SEED,)


class Random(BoardPlayer, SeedMixin[KolibratPosition]):
    """`random`: any legal move, all equally likely; two of the same seed that see the same games choose alike."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; none where the game is over."""
        wanted = self._near_best(self.position.allowed_numbers(limits.excluded_moves))
        if not wanted:
            return Decision("", note="game over")
        move = self.position.format_line([self._random.choice(wanted)])[0]
        progress = Progress(pv=(move,))
        report(progress)
        return Decision(move, progress)

    def _near_best(self, moves: list[int]) -> list[int]:
        """The moves to choose among."""
        return moves


class Greedy(Random):
    """`greedy`: any of the moves after which the estimate is best; a move that wins at once, and none that loses so."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        set_weights(self.position.state, START_WEIGHTS)

    def _near_best(self, moves: list[int]) -> list[int]:
        values = [self._value(move) for move in moves]
        return [move for move, value in zip(moves, values, strict=True) if value == max(values)]

    def _value(self, move: int) -> int:
        position, state = self.position, self.position.state
        side = state.side
        position.library.apply(state, move)
        over = position.library.terminal_score(state, 0) if state.result else position.library.evaluate(state)
        value = int(over) if state.side == side else -int(over)
        position.library.undo(state)
        return value


class Minimax(BoardPlayer):
    """`minimax`: iterative deepening to the time or depth; the best move of the last finished depth.

    Where time runs out within the first depth it is the first of the legal moves.
    """

    def __init__(self, options: OptionSet, table_bytes: int = TABLE_BYTES):
        super().__init__(options)
        self._words = table_words(table_bytes)
        CLOCK.install(self.position.state)
        self._choose_weights()

    def use_weights(self, weights: Weights) -> None:
        """Evaluate by other weights from now on."""
        set_weights(self.position.state, weights)
        self._forget()

    def new_game(self, setup: Setup) -> None:
        """Begin a game; what the table holds is of no use on another board."""
        before = self.position.board_spec
        super().new_game(setup)
        if before != self.position.board_spec:
            self._choose_weights()

    def set_option(self, name: str, value: Value) -> None:
        """Store an option."""
        super().set_option(name, value)
        self._choose_weights()

    def _choose_weights(self) -> None:
        tuned = self.options["weights"] == "tuned"
        self.use_weights(tuned_weights(self.position.board_spec) if tuned else START_WEIGHTS)

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Choose a move; none where the game is over."""
        started = time.perf_counter()
        moves = self.position.allowed_numbers(limits.excluded_moves)
        if len(moves) < 2:
            return Decision(self.position.format_line(moves)[0] if moves else "", note="only move")
        with limits.stop.linked(self.position.state):
            best = self._search(moves, limits, report, started)
        return Decision(best.pv[0], best)

    def _search(self, moves: list[int], limits: Limits, report: ProgressCallback, started: float) -> Progress:
        """Return the report of the last finished depth."""
        state = self.position.state
        self._begin(limits, started)
        state.root_move_count = len(moves)
        state.root_moves[: len(moves)] = moves
        best = Progress(pv=tuple(self.position.format_line(moves[:1])))
        for depth in range(1, min(limits.depth or DEEPEST, self.options.get_int("depth") or DEEPEST) + 1):
            score = self.position.library.minimax_root(state, self._table, depth)
            if state.aborted:
                break
            pv = tuple(self.position.format_line([state.root_moves[0]]))
            elapsed_ms = int((time.perf_counter() - started) * 1000)
            best = Progress(depth, depth, score, win_distance(score), state.nodes, elapsed_ms, pv)
            report(best)
            if best.win_in is not None:
                break
        return best

    def _begin(self, limits: Limits, started: float) -> None:
        """Set what the kernels stop at."""
        state = self.position.state
        state.nodes, state.next_poll, state.aborted, state.node_limit = 0, 0, 0, limits.nodes or 0
        hard_ms = allocate_time(limits, MARGIN_MS, MOVES_TO_GO).hard_ms
        if not (self.options.get_int("depth") or limits.depth or limits.nodes):
            own_ms = self.options.get_float("time") * 1000
            hard_ms = own_ms if hard_ms is None else min(hard_ms, own_ms)
        left_ms = None if hard_ms is None else max(hard_ms - (time.perf_counter() - started) * 1000, 0)
        state.deadline = 0 if left_ms is None else CLOCK.now() + int(left_ms * CLOCK.ticks_per_ms)

    def _forget(self) -> None:
        """An empty table."""
        self._table = new_array("u64", self._words)
