"""`pentad`, our strongest Kolibrat player: perfect where there is a table, else alpha-beta to the time at hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bots.kolibrat.board_player import BoardPlayer
from bots.kolibrat.perfect import PerfectTable, open_table
from bots.kolibrat.weights import set_weights, tuned_weights
from core.options import Option, OptionSet, Value
from core.player import Decision, Limits, Progress, Report, Setup, Solution, ignore_progress
from core.scores import DRAW, proven_score
from core.searcher import DEFAULT_TABLE_BYTES, FULL_LEVEL, HASH, LEVEL, MARGIN, MIB, SEED, THREADS, Levels, Searcher

MARGIN_MS = 25
MOVES_TO_GO = 30  # of ours that a game may still need
LEVELS = Levels(
    nodes=(8, 25, 80, 250, 800, 2_500, 8_000, 30_000, 120_000),
    slack=(200, 150, 110, 80, 60, 40, 25, 12, 0),
)
PERFECT = Option("perfect", True, "play from the table of a solved board where there is one")
TABLES = Option("tables", "", "folder with tables of further solved boards, as pentad solve writes them")
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, replace(MARGIN, default=MARGIN_MS), SEED, PERFECT, TABLES)


class Engine(BoardPlayer):
    """The search player. It is also a `core.player.Solver`."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._searcher = Searcher(position.library, "Kolibrat", position.state, position.format_line, options)
        self._begin_board()

    def new_game(self, setup: Setup) -> None:
        """Begin a game; hash entries stay, for they hold in any game on the same board."""
        before = self.position.board_size
        super().new_game(setup)
        if before != self.position.board_size:
            self._searcher.clear_hash()
            self._begin_board()

    def _begin_board(self) -> None:
        set_weights(self.position.state, tuned_weights(self.position.board_size))
        self._perfect: PerfectTable | None = None
        self._looked = False

    def stop(self) -> None:
        """End a running choice."""
        self._searcher.stop()

    def clear_hash(self) -> None:
        """Forget the transposition table."""
        self._searcher.clear_hash()

    def set_option(self, name: str, value: Value) -> None:
        """Store an option; another folder of tables is looked into when the next move is chosen."""
        super().set_option(name, value)
        self._begin_board()

    def choose(self, limits: Limits, report: Report = ignore_progress) -> Decision:
        """Choose a move; none where the game is over. Who sets a depth or a number of nodes gets a search, no table."""
        self._searcher.begin()
        legal = self.position.legal_moves()
        if len(legal) < 2:
            return Decision(legal[0] if legal else "", note="only move")
        weak = self.options.integer("level") < FULL_LEVEL
        exclude = [self.position.parse(move) for move in limits.exclude]
        asks_for_search = limits.depth is not None or limits.nodes is not None or limits.lines > 1
        table = None if weak or asks_for_search else self._table()
        if table:
            value, moves = table.best(self.position.state, self._wanted(limits.exclude))
            if value or len(moves) == 1:
                return self._solved(value, moves[0], report)
            exclude = [move for move in self.position.legal_numbers() if move not in moves]  # they would lose
            told, report = report, lambda progress: told(progress.as_proven("draw"))
        schedule = self._searcher.schedule(limits, MOVES_TO_GO)
        self._searcher.fit(self.options.integer("hash") * MIB or DEFAULT_TABLE_BYTES, schedule)
        if weak:
            return self._searcher.run_weakly(LEVELS, limits, schedule, exclude, report)
        decision = self._searcher.run(limits, schedule, exclude, report)
        return Decision(decision.move, decision.progress.as_proven("draw"), "solved") if table else decision

    def solve(self, limits: Limits) -> Solution:
        """The value from the table, else what a search can prove."""
        table = self._table()
        if table is None:
            decision = self.choose(limits)
            distance = decision.progress.win_in
            if distance is None:
                return Solution(move=decision.move)
            return Solution("win" if distance > 0 else "loss", decision.move, abs(distance))
        value, moves = table.best(self.position.state, self.position.legal_numbers())
        text = self.position.format_line(moves[:1])[0]
        if value == 0:
            return Solution("draw", text)
        return Solution("win" if value > 0 else "loss", text, abs(value))

    def _table(self) -> PerfectTable | None:
        """The table of the present board, opened when it is first wanted; raise DamagedTableError."""
        if not self.options["perfect"]:
            return None
        if not self._looked:
            folder = Path(str(self.options["tables"])) if self.options["tables"] else None
            position = self.position
            self._perfect = open_table(position.board_size, position.library, position.state, folder)
            self._looked = True
        return self._perfect

    def _solved(self, value: int, move: int, report: Report) -> Decision:
        text = self.position.format_line([move])[0]
        result, score = ("win" if value > 0 else "loss", proven_score(value)) if value else ("draw", DRAW)
        progress = Progress(abs(value), abs(value), score, value or None, 1, 0, (text,), proven=result)
        report(progress)
        return Decision(text, progress, "solved")
