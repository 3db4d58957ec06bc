"""Plain minimax over the kernels of a game: the reference for the alpha-beta search, with positions to compare on."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from typing import Any

from bots.kolibrat.weights import set_weights, tuned_weights
from bots.registry import GAMES
from core.native.library import new_array
from core.play.player import Setup
from core.search.kernels.game_kernels import MAX_PLY
from core.search.scores import DRAW, INFINITE, NO_SCORE
from core.search.table_size import BUCKET_WORDS


def kolibrat_setups(*variants: str) -> tuple[Setup, ...]:
    """Return start positions of Kolibrat; `4x5-5-2` is a 4x5 board with 5 pieces a side and 2 points to win."""
    return tuple(Setup(variant=variant) for variant in variants)


@dataclass(frozen=True)
class Boards:
    """Test positions of a game: their setups, and how many random moves are played from the start of the game."""

    game: str
    setups: tuple[Setup, ...]
    plies: tuple[int, ...]  # the numbers of random moves


GOMOKU_BOARDS = tuple(Setup(6, 6, name) for name in ("freestyle", "standard", "renju", "caro", "caro-overline"))
PHASES = {  # positions from opening, middlegame and endgame
    "gomoku": Boards("gomoku", GOMOKU_BOARDS, (0, 2, 3, 10, 15, 18, 24, 28, 31)),
    "hive": Boards("hive", (Setup(variant="Base"), Setup(variant="Base+MLP")), (1, 2, 4, 12, 20, 34, 50)),
    "pentago": Boards("pentago", (Setup(),), (0, 1, 5, 14, 20, 21, 27, 28, 30, 31, 33)),
    "kolibrat": Boards("kolibrat", kolibrat_setups("3x4-4-5", "4x5-5-2", "2x4-3-3"), (0, 3, 9, 20, 30, 40)),
}
NEAR_ENDS = {  # positions near the end of the game, whose results a solver can prove
    "pentago": Boards("pentago", (Setup(),), (25, 26, 27, 28, 29)),
    "kolibrat": Boards("kolibrat", kolibrat_setups("3x3-3-1", "3x4-4-1", "3x4-5-2"), (6, 9, 12, 15, 18)),
}


@cache  # computing Gomoku's pattern tables takes long
def shared_position(game: str, setup: Setup) -> Any:
    """Return a position of a setup. All callers share it and must restart it before use."""
    return GAMES[game].new_position(setup)


def positions_of(boards: Boards, rounds: int, seed: object) -> Iterator[Any]:
    """Yield positions that can be searched: `rounds` for each entry of `boards.plies`, with the setups in turn.

    Use a position before the next one is requested, which may be the same object.
    """
    rng = random.Random(f"{boards.game} {seed}")
    positions = cycle(shared_position(boards.game, setup) for setup in boards.setups)
    for ply_count in rounds * boards.plies:
        position = next(positions)
        is_searchable = False
        while not is_searchable:
            position.restart(position.setup)
            while len(position.moves) < ply_count and position.outcome() is None:
                position.play(rng.choice(position.legal_moves()))
            if boards.game == "hive":
                position.copy_keys_to_state()
            elif boards.game == "kolibrat":
                set_weights(position.state, tuned_weights(position.board_spec))
            is_searchable = (
                position.outcome() is None and position.library.terminal_score(position.state, 0) == NO_SCORE
            )
        yield position


class Minimax:
    """Minimax over every generated move, without window, transposition table and move ordering.

    As in core/search/kernels/alphabeta.py, threats are answered below the horizon, and an only move does not reduce the
    depth.
    """

    def __init__(self, position: Any) -> None:
        self.library, self.state = position.library, position.state
        self.nodes = 0
        self._table = new_array("u64", BUCKET_WORDS)  # for Gomoku's quiescence search; cleared for each leaf
        self._last_threat_ply = 0  # greatest ply at which threats are answered, in games without `max_threat_plies`
        self._has_one_reply_extension = position.game == "gomoku"

    def moves(self) -> list[int]:
        """Return the moves that the game generates in the current position."""
        moves = list(self.state.root_moves[: self.library.prepare_root(self.state, 0)])
        assert all(0 < move < 1 << 16 for move in moves)  # so that they fit the transposition table
        return moves

    def root_values(self, depth: int) -> dict[int, int]:
        """Return the value of each root move for a search of `depth` plies."""
        self.nodes, self._last_threat_ply = 0, 2 * depth + 8
        return {move: self._value_of_move(move, depth - 1, 1) for move in self.moves()}

    def _value_of_move(self, move: int, depth: int, ply: int) -> int:
        side = self.state.side
        self.library.apply(self.state, move)
        value = self._value(depth, ply)
        value = value if self.state.side == side else -value  # Kolibrat: a side may move twice in a row
        self.library.undo(self.state)
        return value

    def _value(self, depth: int, ply: int) -> int:
        library, state = self.library, self.state
        self.nodes += 1
        terminal = int(library.terminal_score(state, ply))
        if terminal != NO_SCORE:
            return terminal
        max_threat_plies = state.max_threat_plies
        may_extend = depth > -max_threat_plies if max_threat_plies else ply <= self._last_threat_ply
        answers_threat = library.must_answer_threat(state) and may_extend
        if ply >= MAX_PLY - 2 or (depth <= 0 and not answers_threat):
            ctypes.memset(self._table, 0, ctypes.sizeof(self._table))
            return int(library.quiescence(state, self._table, -INFINITE, INFINITE, ply))
        moves = self.moves()
        if not max_threat_plies:
            depth = max(depth, 1)
        next_depth = depth - 1 if len(moves) > 1 else depth + (self._has_one_reply_extension and depth > 0)
        return max((self._value_of_move(move, next_depth, ply + 1) for move in moves), default=DRAW)
