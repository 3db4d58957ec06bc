"""`pentad`, the strongest Kolibrat player: perfect play on solved boards, alpha-beta search on others.

Tables of solved boards come with the program or from a folder (option `tables`); small boards are solved during the
game. A solved table has the value of every position: plies to a win (> 0) or to a loss (< 0), or 0 if nobody can force
an end.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bots.kolibrat.board_player import BoardPlayer
from bots.kolibrat.notation import Board
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.search_parameters import TUNABLE
from bots.kolibrat.solver.distance import MAX_NODES, find_exact_distance
from bots.kolibrat.solver.perfect import SolvedTable, open_solved_table
from bots.kolibrat.solver.solve import can_solve_at_once, solve_at_once
from bots.kolibrat.squares import DRAW_PLIES
from bots.kolibrat.weights import set_weights, tuned_weights
from core.play.options import Option, OptionSet, Value
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, Solution, ignore_progress
from core.search.alphabeta_search import AlphaBetaEngine, AlphaBetaSearch
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, StrengthLevels
from core.search.iterative_deepening import MAX_DEPTH
from core.search.scores import DRAW, MAX_EVALUATION, proven_score, win_distance

MARGIN_MS = 25  # default of the option `margin`
EXPECTED_MOVES_LEFT = 30  # moves that the engine still makes in a game, for time allocation
LEVELS = StrengthLevels(  # for the levels 1 to 9; level 10 is full strength
    nodes=(400, 1_000, 2_500, 6_000, 15_000, 40_000, 80_000, 250_000, 700_000),
    mistake_rates=(0.145, 0.095, 0.069, 0.048, 0.04, 0.02, 0.015, 0.01, 0.005),
)
# Proven distances up to this many plies are the shortest ones, because the search sees every win in one move.
EXACT_DISTANCE_PLIES = 2
MAX_SOLVING_FRACTION = 0.5  # part of a move's time that solving a small board may take
PERFECT = Option("perfect", True, "play perfectly on solved boards, and solve small boards during the game")
TABLES = Option("tables", "", "folder with additional tables of solved boards, written by `pentad kolibrat solve`")
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, replace(MARGIN, default=MARGIN_MS), SEED, PERFECT, TABLES, *TUNABLE)


class KolibratEngine(BoardPlayer, AlphaBetaEngine[KolibratPosition]):
    """A player that uses solved tables and alpha-beta search. It implements `core.play.player.Solver`."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Kolibrat", position, position.format_line, options, EXACT_DISTANCE_PLIES)
        self._reset_for_board()

    @property
    def table_scope(self) -> Board:
        """The board: start positions on the same board share the transposition table."""
        return self.position.board_spec

    def new_game(self, setup: Setup) -> None:
        """Begin a game. If the board is another one, its weights and its solved table are used from now on."""
        previous_board = self.position.board_spec
        super().new_game(setup)
        if previous_board != self.position.board_spec:
            self._reset_for_board()
        if self.options.get_bool("perfect"):
            self._open_table()  # takes about 10 ms, which must not count as time of the first move

    def _reset_for_board(self) -> None:
        """Use the weights for the board, and forget its solved table."""
        set_weights(self.position.state, tuned_weights(self.position.board_spec))
        self._solved_table: SolvedTable | None = None
        self._file_was_read = self._was_solving_tried = False

    def set_option(self, name: str, value: Value) -> None:
        """Set an option. A new folder of tables takes effect at the next move."""
        super().set_option(name, value)
        if not self.options.get_option(name).is_hidden:
            self._reset_for_board()

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        """Choose a move from the solved table or by search.

        The table is not used below the highest level, nor if the option `perfect` is off, nor if the limits set
        depth, nodes or several variations (multi-PV).
        """
        allowed = self.position.allowed_numbers(limits.excluded_moves)
        if not allowed:
            return Decision("", note="game over")
        if len(allowed) == 1:
            return Decision(self.position.format(allowed[0]), note="only move")
        is_weakened = self.options.get_int("level") < MAX_LEVEL
        exclude = self.position.parse_moves(limits.excluded_moves)
        asks_for_search = limits.depth is not None or limits.nodes is not None or limits.multi_pv > 1
        table = None if is_weakened or asks_for_search else self._table(limits)
        limits = limits.minus_elapsed(round(self._alphabeta.restart_clock()))  # less the time for making the table
        if table:
            value, moves = self._best_by_table(table, allowed)
            if value or len(moves) == 1:
                return self._decide_by_table(value, moves[0], report)
            # Several moves keep the draw: search chooses among them, without the moves that would lose.
            exclude = [move for move in self.position.legal_numbers() if move not in moves]
        decision = self._search(limits, exclude, report, "draw" if table else "")
        return replace(decision, note="solved") if table else decision

    def _search(self, limits: Limits, exclude: list[int], report: ProgressCallback, result: str = "") -> Decision:
        """Search by alpha-beta, without the moves `exclude`.

        `result` is the proven result of the position ("win", "loss" or "draw"), empty if it is not known.
        """

        def corrected(progress: Progress) -> Progress:
            return progress.as_proven(result) if result else self._drop_result_beyond_ply_limit(progress)

        budget = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT)
        self._alphabeta.resize(budget)
        if self.options.get_int("level") < MAX_LEVEL:
            decision = self._alphabeta.run_at_level(
                LEVELS, self._random, limits, budget, exclude, lambda progress: report(corrected(progress))
            )
        else:
            decision = self._alphabeta.run(limits, budget, exclude, lambda progress: report(corrected(progress)))
        return replace(decision, progress=corrected(decision.progress))

    def _drop_result_beyond_ply_limit(self, progress: Progress) -> Progress:
        """Replace the score of a win or loss that comes too late: after DRAW_PLIES plies the game is a draw.

        The search does not know that limit.
        """
        distance = win_distance(progress.score)
        if distance is None or abs(distance) <= self._plies_left():
            return progress
        return replace(
            progress, score=MAX_EVALUATION if distance > 0 else -MAX_EVALUATION, win_in=None, proven_result=""
        )

    def _plies_left(self) -> int:
        """Return after how many plies the game is a draw."""
        return DRAW_PLIES - len(self.position.moves)

    def solve(self, limits: Limits) -> Solution:
        """Return the result from the solved table, or what a search can prove.

        The distance is given only if it is proven to be the shortest.
        """
        with self._alphabeta.begin_move(limits.stop):
            return self._solve(limits)

    def _solve(self, limits: Limits) -> Solution:
        legal = self.position.legal_numbers()
        if not legal:
            return Solution()
        table = self._table(limits)
        if table:
            value, moves = self._best_by_table(table, legal)
            return Solution.from_decision(self._decide_by_table(value, moves[0], ignore_progress))
        limits = limits.minus_elapsed(round(self._alphabeta.restart_clock()))
        hard_ms = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT).hard_ms
        decision = self._search(replace(limits, depth=limits.depth or MAX_DEPTH), [], ignore_progress)
        progress = decision.progress
        distance = win_distance(progress.score)
        if not progress.result or progress.win_in is not None or distance is None:
            return Solution.from_decision(decision)
        left_ms = None if hard_ms is None else hard_ms - self._alphabeta.restart_clock()
        exact = find_exact_distance(
            self.position.library, self.position.state, legal, abs(distance), limits.nodes or MAX_NODES, left_ms
        )
        if exact is None:
            return Solution.from_decision(decision)
        move, plies = exact
        return Solution(progress.result, self.position.format(move), plies)

    def _best_by_table(self, table: SolvedTable, moves: list[int]) -> tuple[int, list[int]]:
        """Return the best value among `moves` and the moves that reach it.

        The value is 0 for a win or loss that comes after ply DRAW_PLIES.
        """
        value, best = table.best(self.position.state, moves)
        return value if abs(value) <= self._plies_left() else 0, best

    def _table(self, limits: Limits) -> SolvedTable | None:
        """Return the solved table of the current board, or None if there is none or the option `perfect` is off.

        If there is no table file, a small board is solved now if that is expected to take at most half of the move's
        time.
        """
        if not self.options.get_bool("perfect"):
            return None
        board, state, library = self.position.board_spec, self.position.state, self.position.library
        self._open_table()
        if self._solved_table is None and not self._was_solving_tried:
            hard_ms = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT).hard_ms
            time_ms = None if hard_ms is None else hard_ms * MAX_SOLVING_FRACTION
            if can_solve_at_once(board, time_ms):
                solved = solve_at_once(board, time_ms, limits.stop)
                self._was_solving_tried = not limits.stop.is_set
                library.number_placements(state)
                self._solved_table = SolvedTable(solved, library) if solved else None
        return self._solved_table

    def _open_table(self) -> None:
        """Read the table of the current board from its file, once per board and after each change of an option."""
        if not self._file_was_read:
            tables = self.options.get_str("tables")
            folder = Path(tables) if tables else None
            position = self.position
            self._solved_table = open_solved_table(
                position.board_spec, position.library, position.state, folder, self._alphabeta.warnings
            )
            self._file_was_read = True

    def _decide_by_table(self, value: int, move: int, report: ProgressCallback) -> Decision:
        """Report and return a move; `value` is its value from the solved table."""
        text = self.position.format(move)
        result, score = ("win" if value > 0 else "loss", proven_score(value)) if value else ("draw", DRAW)
        progress = Progress(
            depth=abs(value),
            selective_depth=abs(value),
            score=score,
            win_in=value or None,
            nodes=1,
            pv=(text,),
            proven_result=result,
        )
        report(progress)
        return Decision(text, progress, "solved")
