"""`pentad`, the strongest Hive player: alpha-beta search with time management, threads and playing levels."""

from __future__ import annotations

from dataclasses import replace

from bots.hive.board_player import BoardPlayer
from bots.hive.position import HivePosition
from bots.hive.search_parameters import TUNABLE
from core.play.options import OptionSet
from core.play.player import Decision, Limits, ProgressCallback
from core.search.alphabeta_search import AlphaBetaEngine, AlphaBetaSearch
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, StrengthLevels

MARGIN_MS = 35  # default of the option `margin`
EXPECTED_MOVES_LEFT = 25  # moves that the engine still makes in a game, for time allocation
# Proven distances up to this many plies are the shortest ones; longer ones may be too long. The root sees every win in
# one move, but below it a throw of the enemy queen can be missed (`has_winning_move`, bots/hive/kernels/search.py).
EXACT_DISTANCE_PLIES = 3
LEVELS = StrengthLevels(  # for the levels 1 to 9; level 10 is full strength
    nodes=(500, 850, 1_600, 4_000, 10_000, 26_000, 60_000, 130_000, 300_000),
    random_move_rates=(0.21, 0.185, 0.175, 0.14, 0.085, 0.04, 0.025, 0.012, 0.005),
)
ENGINE_OPTIONS = (LEVEL, THREADS, HASH, replace(MARGIN, default=MARGIN_MS), SEED, *TUNABLE)


class HiveEngine(BoardPlayer, AlphaBetaEngine[HivePosition]):
    """A player that searches with the kernels of bots/hive/kernels/search.py."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Hive", position, position.format_line, options, EXACT_DISTANCE_PLIES)

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        allowed = self.position.allowed_numbers(limits.excluded_moves)
        if not allowed:
            return Decision("", note="game over")
        if len(allowed) == 1:
            return Decision(self.position.format(allowed[0]), note="only move")
        self.position.copy_keys_to_state()
        exclude = self.position.parse_moves(limits.excluded_moves)
        budget = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT)
        self._alphabeta.resize(budget)
        if self.options.get_int("level") < MAX_LEVEL:
            return self._alphabeta.run_at_level(LEVELS, self._random, limits, budget, exclude, report)
        return self._alphabeta.run(limits, budget, exclude, report)
