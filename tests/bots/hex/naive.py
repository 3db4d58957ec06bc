"""A slow and obvious Hex board: stones in a dictionary, flood fill for the winner."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

Cell = tuple[int, int]  # column and row, from 0
NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1))  # steps to the six neighbours, (dx, dy)


@dataclass
class NaiveHex:
    """A board; colours are 0 (black, top to bottom) and 1 (white, left to right)."""

    width: int
    height: int
    stones: dict[Cell, int] = field(default_factory=dict)

    def cells(self) -> list[Cell]:
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def empty(self) -> list[Cell]:
        return [cell for cell in self.cells() if cell not in self.stones]

    def is_connected(self, colour: int) -> bool:
        """Return whether a colour has a chain between its edges."""
        queue = [c for c in self.cells() if c[1 - colour] == 0 and self.stones.get(c) == colour]
        seen = set(queue)
        last = (self.height, self.width)[colour] - 1
        while queue:
            x, y = queue.pop()
            if (y, x)[colour] == last:
                return True
            neighbours = {(x + dx, y + dy) for dx, dy in NEIGHBOURS}
            queue += [c for c in neighbours - seen if self.stones.get(c) == colour]
            seen |= neighbours
        return False

    def winner(self) -> int | None:
        """Return the colour that has connected its edges, or None."""
        return next((colour for colour in (0, 1) if self.is_connected(colour)), None)

    def perft(self, depth: int, side: int = 0) -> int:
        """Return the number of sequences of `depth` legal moves, beginning with `side`."""
        if depth == 0:
            return 1
        if self.winner() is not None:
            return 0
        total = 0
        for cell in self.empty():
            self.stones[cell] = side
            total += self.perft(depth - 1, 1 - side)
            del self.stones[cell]
        return total

    def solve(self, side: int) -> int:
        """Return who wins with best play and `side` to move, by searching the whole game tree."""
        return _solve(self, side, {})


def _solve(board: NaiveHex, side: int, known: dict[tuple[int, ...], int]) -> int:
    """Return the winner. Games go on until the board is full, because stones after the winning one change nothing.

    `known` has the winners of positions that are searched already.
    """
    empty = board.empty()
    if not empty:
        return 0 if board.is_connected(0) else 1
    key = (side, *(board.stones.get(cell, 2) for cell in board.cells()))
    if key not in known:
        known[key] = 1 - side
        for cell in empty:
            board.stones[cell] = side
            winner = _solve(board, 1 - side, known)
            del board.stones[cell]
            if winner == side:
                known[key] = side
                break
    return known[key]


def random_position(rng: random.Random, max_empty: int = 7) -> NaiveHex:
    """Return a random small board without a winner and with at most `max_empty` empty cells."""
    while True:
        board = NaiveHex(*rng.choice([(3, 3), (4, 3), (3, 4), (4, 4), (5, 3), (2, 5), (5, 4), (1, 4), (5, 5)]))
        cells = board.cells()
        empty = min(len(cells), rng.randint(max_empty - 3, max_empty))
        for cell in rng.sample(cells, len(cells) - empty):
            board.stones[cell] = rng.randrange(2)
        if board.winner() is None:
            return board
