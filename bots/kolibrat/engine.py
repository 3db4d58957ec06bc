"""`pentad`, our strongest Kolibrat player: perfect where there is a table, else alpha-beta to the time at hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bots.kolibrat.board_player import BoardPlayer
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.solver.distance import MOST_NODES, Bounds, find_shortest
from bots.kolibrat.solver.perfect import SolvedTable, open_solved_table
from bots.kolibrat.solver.solve import is_solved_at_once, solve_at_once
from bots.kolibrat.squares import DRAW_PLIES
from bots.kolibrat.weights import set_weights, tuned_weights
from core.play.options import Option, OptionSet, Value
from core.play.player import Decision, Limits, Progress, ProgressCallback, Setup, Solution, ignore_progress
from core.search.alphabeta_search import AlphaBetaPlayer, AlphaBetaSearch
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, StrengthLevels
from core.search.iterative_deepening import MAX_DEPTH
from core.search.scores import DRAW, MAX_EVALUATION, proven_score, win_distance

MARGIN_MS = 25
MOVES_TO_GO = 30  # of ours that a game may still need
LEVELS = StrengthLevels(
    nodes=(400, 1_000, 2_500, 6_000, 15_000, 40_000, 80_000, 250_000, 700_000),
    random_move_rates=(0.145, 0.095, 0.069, 0.048, 0.04, 0.02, 0.015, 0.01, 0.005),
)
SHORTEST = 2  # plies: a win in one is always seen, so that a win or a loss in two is never a shorter one
SOLVING_SHARE = 0.5  # of a move's time that solving the board may take
PERFECT = Option("perfect", True, "play from the table of a solved board where there is one")
TABLES = Option("tables", "", "folder with tables of further solved boards, as pentad solve writes them")
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, replace(MARGIN, default=MARGIN_MS), SEED, PERFECT, TABLES)


class KolibratEngine(BoardPlayer, AlphaBetaPlayer[KolibratPosition]):
    """The search player. It is also a `core.play.player.Solver`."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Kolibrat", position, position.format_line, options, SHORTEST)
        self._begin_board()

    def new_game(self, setup: Setup) -> None:
        """Begin a game; hash entries stay, for they hold in any game on the same board."""
        before = self.position.board_spec
        super().new_game(setup)
        self._alphabeta.new_game(before == self.position.board_spec)
        if before != self.position.board_spec:
            self._begin_board()
        if self.options["perfect"]:
            self._open_table()  # here, as before a move its 10 ms would be an overrun

    def _begin_board(self) -> None:
        set_weights(self.position.state, tuned_weights(self.position.board_spec))
        self._perfect: SolvedTable | None = None
        self._looked = self._tried = False

    def set_option(self, name: str, value: Value) -> None:
        """Store an option; another folder of tables is looked into when the next move is chosen."""
        super().set_option(name, value)
        self._begin_board()

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        """Choose a move; limits of depth or nodes ask for a search instead of a table."""
        allowed = self.position.allowed_numbers(limits.excluded_moves)
        if len(allowed) < 2:
            return Decision(self.position.format(allowed[0]) if allowed else "", note="only move")
        weak = self.options.get_int("level") < MAX_LEVEL
        exclude = [self.position.parse(move) for move in limits.excluded_moves]
        asks_for_search = limits.depth is not None or limits.nodes is not None or limits.multi_pv > 1
        table = None if weak or asks_for_search else self._table(limits)
        limits = limits.minus_elapsed(round(self._alphabeta.restart_clock()))
        if table:
            value, moves = self._look_up(table, allowed)
            if value or len(moves) == 1:
                return self._solved(value, moves[0], report)
            exclude = [move for move in self.position.legal_numbers() if move not in moves]  # they would lose
        decision = self._search(limits, exclude, report, "draw" if table else "")
        return replace(decision, note="solved") if table else decision

    def _search(self, limits: Limits, exclude: list[int], report: ProgressCallback, result: str = "") -> Decision:
        """Alpha-beta to the level's limits or those given, in a position whose result may be known."""

        def tell(progress: Progress) -> Progress:
            return progress.as_proven(result) if result else self._in_game(progress)

        budget = self._alphabeta.allocate_time(limits, MOVES_TO_GO)
        self._alphabeta.resize(budget)
        if self.options.get_int("level") < MAX_LEVEL:
            decision = self._alphabeta.run_at_level(
                LEVELS, self._random, limits, budget, exclude, lambda progress: report(tell(progress))
            )
        else:
            decision = self._alphabeta.run(limits, budget, exclude, lambda progress: report(tell(progress)))
        return replace(decision, progress=tell(decision.progress))

    def _in_game(self, progress: Progress) -> Progress:
        """The search knows nothing of the last ply of a game: what comes after it is no win and no loss."""
        distance = win_distance(progress.score)
        if distance is None or abs(distance) <= self._plies_left():
            return progress
        return replace(
            progress, score=MAX_EVALUATION if distance > 0 else -MAX_EVALUATION, win_in=None, proven_result=""
        )

    def _plies_left(self) -> int:
        return DRAW_PLIES - len(self.position.moves)

    def solve(self, limits: Limits) -> Solution:
        """The value from the table, else what a search can prove; a distance only where no way is shorter."""
        with self._alphabeta.begin_move(limits.stop):
            return self._solve(limits)

    def _solve(self, limits: Limits) -> Solution:
        legal = self.position.legal_numbers()
        if not legal:
            return Solution()
        table = self._table(limits)
        if table:
            value, moves = self._look_up(table, legal)
            return Solution.from_decision(self._solved(value, moves[0], ignore_progress))
        limits = limits.minus_elapsed(round(self._alphabeta.restart_clock()))
        hard_ms = self._alphabeta.allocate_time(limits, MOVES_TO_GO).hard_ms
        decision = self._search(replace(limits, depth=limits.depth or MAX_DEPTH), [], ignore_progress)
        told = decision.progress
        most = win_distance(told.score)
        if not told.result or told.win_in is not None or most is None:
            return Solution.from_decision(decision)
        left_ms = None if hard_ms is None else hard_ms - self._alphabeta.restart_clock()
        bounds = Bounds(abs(most), limits.nodes or MOST_NODES, left_ms)
        found = find_shortest(self.position.library, self.position.state, legal, bounds)
        if found is None:
            return Solution.from_decision(decision)
        return Solution(told.result, self.position.format_line([found.move])[0], found.plies)

    def _look_up(self, table: SolvedTable, moves: list[int]) -> tuple[int, list[int]]:
        """The best value that some moves reach and which do. An end after the last ply of a game is none."""
        value, best = table.best(self.position.state, moves)
        return value if abs(value) <= self._plies_left() else 0, best

    def _table(self, limits: Limits) -> SolvedTable | None:
        """The table of the present board, opened when a game begins, or made when it is first wanted.

        It is made where the board is small and that takes no more than half of the time.
        """
        if not self.options["perfect"]:
            return None
        board, state, library = self.position.board_spec, self.position.state, self.position.library
        self._open_table()
        if self._perfect is None and not self._tried:
            hard_ms = self._alphabeta.allocate_time(limits, MOVES_TO_GO).hard_ms
            time_ms = None if hard_ms is None else hard_ms * SOLVING_SHARE
            if is_solved_at_once(board, time_ms):
                solved = solve_at_once(board, time_ms, limits.stop)
                self._tried = not limits.stop.is_set
                library.number_placements(state)
                self._perfect = SolvedTable(solved, library) if solved else None
        return self._perfect

    def _open_table(self) -> None:
        """Read the table of the present board from a file, once."""
        if not self._looked:
            folder = Path(str(self.options["tables"])) if self.options["tables"] else None
            position = self.position
            self._perfect = open_solved_table(
                position.board_spec, position.library, position.state, folder, self._alphabeta.warnings
            )
            self._looked = True

    def _solved(self, value: int, move: int, report: ProgressCallback) -> Decision:
        text = self.position.format_line([move])[0]
        result, score = ("win" if value > 0 else "loss", proven_score(value)) if value else ("draw", DRAW)
        progress = Progress(abs(value), abs(value), score, value or None, 1, 0, (text,), proven_result=result)
        report(progress)
        return Decision(text, progress, "solved")
