"""`pentad`, the strongest Hive player: alpha-beta search with time management, threads and playing levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bots.hive.board_player import BoardPlayer
from bots.hive.network import load_network
from bots.hive.opening.replies import BookReply, find_replies
from bots.hive.position import HivePosition
from bots.hive.search_parameters import TUNABLE
from core.native.weights import load_or_warn
from core.play.game import FIRST
from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Progress, ProgressCallback
from core.search.alphabeta_search import AlphaBetaEngine, AlphaBetaSearch
from core.search.engine_options import HASH, LEVEL, MARGIN, MAX_LEVEL, SEED, THREADS, FirstSight, StrengthLevels

MARGIN_MS = 35  # default of the option `margin`
EXPECTED_MOVES_LEFT = 25  # moves that the engine still makes in a game, for time allocation
# Proven distances up to this many plies are the shortest ones; longer ones may be too long. The root sees every win in
# one move, but below it a throw of the enemy queen can be missed (`has_winning_move`, bots/hive/kernels/search.py).
EXACT_DISTANCE_PLIES = 3
LEVELS = StrengthLevels(  # for the levels 1 to 9; level 10 is full strength
    nodes=(500, 720, 1_600, 4_000, 10_000, 26_000, 60_000, 140_000, 230_000),
    mistake_rates=(0.6, 0.53, 0.4, 0.3, 0.2, 0.12, 0.06, 0.03, 0.02),
    first_sight=FirstSight(moves=8, scale=60),
)
# From this level on, the engine takes every win in one move, and lets the enemy win in one only if every move does.
CAREFUL_LEVEL = 5
CONTEMPT = Option(
    "contempt",
    0,
    "evaluation units that a draw counts as worse than an equal position; below 0 it counts as better",
    minimum=-1000,
    maximum=1000,
)
OWN_BOOK = Option("ownbook", True, "use the book of first replies at full strength, if time is the only limit")
BOOK_SEED = replace(SEED, help="seed of book moves, and of mistakes below level 10; 0 draws a new seed for each game")
ENGINE_OPTIONS = (
    LEVEL,
    THREADS,
    HASH,
    replace(MARGIN, default=MARGIN_MS),
    BOOK_SEED,
    OWN_BOOK,
    CONTEMPT,
    *TUNABLE,
)


class HiveEngine(BoardPlayer, AlphaBetaEngine[HivePosition]):
    """A player that searches with the kernels of bots/hive/kernels/search.py."""

    def __init__(self, options: OptionSet):
        super().__init__(options)
        position = self.position
        self._alphabeta = AlphaBetaSearch("Hive", position, position.format_line, options, EXACT_DISTANCE_PLIES)
        load_or_warn(lambda: load_network(position.state), self._alphabeta.warnings.add)
        self._draw_scores = (0, 0)  # of white and black in the entries of the transposition table

    def _choose(self, limits: Limits, report: ProgressCallback) -> Decision:
        allowed = self.position.allowed_numbers(limits.excluded_moves)
        if not allowed:
            return Decision("", note="game over")
        if len(allowed) == 1:
            return Decision(self.position.format(allowed[0]), note="only move")
        if self._may_use_book(limits):
            replies = self._alphabeta.warnings.attempt(
                lambda: find_replies(self.position), "cannot use the book of first replies"
            )
            if replies:
                return self._book_move(replies, report)
        self.position.copy_keys_to_state()
        exclude = self.position.parse_moves(limits.excluded_moves)
        self._set_contempt(self.options.get_int("contempt"))
        budget = self._alphabeta.allocate_time(limits, EXPECTED_MOVES_LEFT)
        self._alphabeta.resize(budget)
        level = self.options.get_int("level")
        if level < MAX_LEVEL:
            if level >= CAREFUL_LEVEL:
                exclude += self._list_careless(allowed)
            return self._alphabeta.run_at_level(LEVELS, self._random, limits, budget, exclude, report)
        return self._alphabeta.run(limits, budget, exclude, report)

    def _may_use_book(self, limits: Limits) -> bool:
        """Return whether the limits are those of a move in a game at full strength, not of an analysis."""
        has_clock = limits.move_time_ms is not None or limits.time_left_ms is not None
        asks_for_search = limits.is_analysis or limits.multi_pv > 1 or (limits.depth, limits.nodes) != (None, None)
        is_full_strength = self.options.get_int("level") == MAX_LEVEL
        is_on = self.options.get_bool("ownbook") and is_full_strength
        return is_on and has_clock and not asks_for_search and not limits.excluded_moves

    def _book_move(self, replies: Sequence[BookReply], report: ProgressCallback) -> Decision:
        """Return one of the book's moves, each with the same probability, whatever the symmetry of the hive."""
        reply = self._random.choice(replies)
        move = self.position.format(self._random.choice(reply.moves))
        progress = Progress(score=reply.score, pv=(move,))
        report(progress)
        return Decision(move, progress, "book")

    def _list_careless(self, moves: Sequence[int]) -> list[int]:
        """Return the moves that do not win at once if another one does, or that let the enemy win if another does not.

        The search alone could still play one: if its time is short, or if a pillbug throws the queen.
        """
        library, state = self.position.library, self.position.state
        results = {move: library.immediate_result(state, move) for move in moves}
        best_result = max(results.values())
        return [move for move, result in results.items() if result < best_result]

    def _set_contempt(self, contempt: int) -> None:
        """Set what a draw costs the side to move; clear the table if its entries count draws otherwise."""
        self.position.state.contempt = contempt
        draw_scores = (-contempt, contempt) if self.position.to_move == FIRST else (contempt, -contempt)
        if draw_scores != self._draw_scores:
            self._draw_scores = draw_scores
            self.clear_hash()
