"""Plain minimax over what a game tells the alpha-beta skeleton, and positions of all phases to compare the two on."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
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
    """Starts of Kolibrat by the names of boards and goals."""
    return tuple(Setup(variant=variant) for variant in variants)


@dataclass(frozen=True)
class Boards:
    """Boards of a game, and after how many random plies they are looked at."""

    game: str
    setups: tuple[Setup, ...]
    plies: tuple[int, ...]


GOMOKU_BOARDS = tuple(Setup(6, 6, name) for name in ("freestyle", "standard", "renju", "caro", "caro-overline"))
PHASES = {  # opening, middle and late
    "gomoku": Boards("gomoku", GOMOKU_BOARDS, (0, 2, 3, 10, 15, 18, 24, 28, 31)),
    "hive": Boards("hive", (Setup(variant="Base"), Setup(variant="Base+MLP")), (1, 2, 4, 12, 20, 34, 50)),
    "pentago": Boards("pentago", (Setup(),), (0, 1, 5, 14, 20, 21, 27, 28, 30, 31, 33)),
    "kolibrat": Boards("kolibrat", kolibrat_setups("3x4-4-5", "4x5-5-2", "2x4-3-3"), (0, 3, 9, 20, 30, 40)),
}
ENDS = {  # solved boards
    "pentago": Boards("pentago", (Setup(),), (25, 26, 27, 28, 29)),
    "kolibrat": Boards("kolibrat", kolibrat_setups("3x3-3-1", "3x4-4-1", "3x4-5-2"), (6, 9, 12, 15, 18)),
}


@cache  # Gomoku's patterns take a while to fill in
def board_of(game: str, setup: Setup) -> Any:
    """A position of a board, to be used again and again."""
    return GAMES[game].new_position(setup)


def positions_of(boards: Boards, rounds: int, seed: object) -> Iterator[Any]:
    """So many times for each number of random plies a position that a search begins with, on one board after another.

    A position is good until the next one is asked for.
    """
    chance = random.Random(f"{boards.game} {seed}")
    places = cycle(board_of(boards.game, setup) for setup in boards.setups)
    for count in rounds * boards.plies:
        position = next(places)
        is_good = False
        while not is_good:
            position.restart(position.setup)
            while len(position.moves) < count and position.outcome() is None:
                position.play(chance.choice(position.legal_moves()))
            if boards.game == "hive":
                position.copy_keys_to_state()
            elif boards.game == "kolibrat":
                set_weights(position.state, tuned_weights(position.board_spec))
            is_good = position.outcome() is None and position.library.terminal_score(position.state, 0) == NO_SCORE
        yield position


class Minimax:
    """Every move that a game generates, to the same depth everywhere: no window, no table, no order.

    As in the skeleton a node in threat is no leaf, as far as the game's numbers say, and a lone move costs no depth.
    """

    def __init__(self, position: Any) -> None:
        self.library, self.state = position.library, position.state
        self.nodes = 0
        self._words = new_array("u64", BUCKET_WORDS)  # a leaf of Gomoku remembers in a table, here for itself alone
        self._last_forced_ply = 0
        self._numbers = import_module(f"bots.{position.game}.kernels.search").SEARCH_PARAMETERS

    def moves(self) -> list[int]:
        """What the game thinks worth considering."""
        found = list(self.state.root_moves[: self.library.prepare_root(self.state, 0)])
        assert all(0 < move < 1 << 16 for move in found)  # or the table would find another one
        return found

    def root(self, depth: int) -> dict[int, int]:
        """The value of each move."""
        self.nodes, self._last_forced_ply = 0, 2 * depth + 8
        return {move: self._after(move, depth - 1, 1) for move in self.moves()}

    def _after(self, move: int, depth: int, ply: int) -> int:
        side = self.state.side
        self.library.apply(self.state, move)
        value = self._value(depth, ply)
        value = value if self.state.side == side else -value  # in some games a side may move twice running
        self.library.undo(self.state)
        return value

    def _value(self, depth: int, ply: int) -> int:
        library, state = self.library, self.state
        self.nodes += 1
        settled = int(library.terminal_score(state, ply))
        if settled != NO_SCORE:
            return settled
        max_threat_plies = self._numbers.max_threat_plies
        is_near = depth > -max_threat_plies if max_threat_plies else ply <= self._last_forced_ply
        in_threat = library.must_answer_threat(state) and is_near
        if ply >= MAX_PLY - 2 or (depth <= 0 and not in_threat):
            ctypes.memset(self._words, 0, ctypes.sizeof(self._words))
            return int(library.quiescence(state, self._words, -INFINITE, INFINITE, ply))
        moves = self.moves()
        if not max_threat_plies:
            depth = max(depth, 1)
        rest = depth - 1 if len(moves) > 1 else depth + (self._numbers.one_reply_extension and depth > 0)
        return max((self._after(move, rest, ply + 1) for move in moves), default=DRAW)
