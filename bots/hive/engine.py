"""`pentad`, our strongest Hive player: alpha-beta to the time that there is."""

from __future__ import annotations

from dataclasses import replace

from bots.hive.board_player import BoardPlayer
from bots.hive.position import HivePosition
from core.play.options import OptionSet
from core.play.player import Decision, Limits, ProgressCallback, Setup
from core.search.alphabeta_search import AlphaBetaPlayer, AlphaBetaSearch
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, StrengthLevels

MARGIN_MS = 35
MOVES_TO_GO = 25  # of ours that a game may still need
SHORTEST = 3  # plies: a win in one is seen at the root, at other nodes all but some throws of a queen
LEVELS = StrengthLevels(
    nodes=(500, 850, 1_600, 4_000, 10_000, 26_000, 60_000, 130_000, 300_000),
    random_move_rates=(0.21, 0.185, 0.175, 0.14, 0.085, 0.04, 0.025, 0.012, 0.005),
)
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, replace(MARGIN, default=MARGIN_MS), SEED)


class HiveEngine(BoardPlayer, AlphaBetaPlayer[HivePosition]):
    """The search player."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Hive", position, position.format_line, options, SHORTEST)

    def new_game(self, setup: Setup) -> None:
        """Begin a game; table entries stay, for they hold in any game of the same type."""
        before = self.position.setup
        super().new_game(setup)
        self._alphabeta.new_game(before == self.position.setup)

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        allowed = self.position.allowed_numbers(limits.excluded_moves)
        if len(allowed) < 2:
            return Decision(self.position.format(allowed[0]) if allowed else "", note="only move")
        self.position.copy_keys_to_state()
        budget, exclude = self._alphabeta.allocate_time(limits, MOVES_TO_GO), self._numbers(limits.excluded_moves)
        self._alphabeta.resize(budget)
        if self.options.get_int("level") < MAX_LEVEL:
            return self._alphabeta.run_at_level(LEVELS, self._random, limits, budget, exclude, report)
        return self._alphabeta.run(limits, budget, exclude, report)
