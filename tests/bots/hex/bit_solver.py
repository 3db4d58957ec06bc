"""Exhaustive Hex solver on sets of bits: fast enough for a dozen empty cells, on boards of any size.

Sides are 0 black, which joins top and bottom, and 1 white. A set of cells is an integer with bit x + y * width.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from tests.bots.hex.naive import NEIGHBOURS, Cell, NaiveHex

Neighbours = tuple[int, ...]


@cache
def neighbour_and_edge_sets(width: int, height: int) -> tuple[Neighbours, tuple[tuple[int, int], tuple[int, int]]]:
    """Return the set of neighbours of each cell, and the sets of cells along the two edges of black and of white."""
    cells = [(x, y) for y in range(height) for x in range(width)]
    neighbours = tuple(cell_set(((x + dx, y + dy) for dx, dy in NEIGHBOURS), width, height) for x, y in cells)
    rows = [cell_set(((x, y) for x in range(width)), width, height) for y in (0, height - 1)]
    columns = [cell_set(((x, y) for y in range(height)), width, height) for x in (0, width - 1)]
    return neighbours, ((rows[0], rows[1]), (columns[0], columns[1]))


def cell_set(cells: Iterable[Cell], width: int, height: int) -> int:
    """Return the set of those cells that are on the board."""
    return sum(1 << x + y * width for x, y in cells if 0 <= x < width and 0 <= y < height)


class BitHex:
    """The game tree below a board; each position is searched once."""

    def __init__(self, board: NaiveHex) -> None:
        self.width, self.height = board.width, board.height
        self.neighbours, self.edges = neighbour_and_edge_sets(board.width, board.height)
        self.stones = [self.cells(cell for cell, owner in board.stones.items() if owner == side) for side in range(2)]
        self.empty = self.cells(board.empty())
        self._known: dict[tuple[int, int, int], int] = {}

    def cells(self, cells: Iterable[Cell]) -> int:
        """Return a set of cells."""
        return cell_set(cells, self.width, self.height)

    def winner(self, side: int, black: Iterable[Cell] = (), white: Iterable[Cell] = ()) -> int:
        """Return who wins with `side` to move, after adding black and white stones on the given cells."""
        return self._solve(side, self.stones[0] | self.cells(black), self.stones[1] | self.cells(white))

    def joins(self, colour: int, start: int, end: int, moves_first: bool, carrier: int) -> bool:
        """Return whether a colour can join two sets of cells within a carrier, if the opponent has all other cells."""
        return self._can_join(self.stones[colour], start, end, moves_first, carrier & self.empty)

    def _solve(self, side: int, black: int, white: int) -> int:
        """Return the winner. Stones after the winning one change nothing, so games may be played until the board is
        full.
        """
        empty = self.empty & ~(black | white)
        if not empty:
            return 0 if self._reaches(black, *self.edges[0]) else 1
        key = (side, black, white)
        if key not in self._known:
            # Search only if both sides can still connect.
            stones = [black, white]
            if not self._reaches(stones[side] | empty, *self.edges[side]):
                self._known[key] = 1 - side
            elif self._reaches(stones[side], *self.edges[side]):
                self._known[key] = side
            else:
                self._known[key] = side if self._has_winning_move(side, black, white, empty) else 1 - side
        return self._known[key]

    def _has_winning_move(self, side: int, black: int, white: int, empty: int) -> bool:
        while empty:
            cell = empty & -empty
            empty ^= cell
            new_black, new_white = (black | cell, white) if side == 0 else (black, white | cell)
            if self._solve(1 - side, new_black, new_white) == side:
                return True
        return False

    def _reaches(self, stones: int, start: int, end: int) -> bool:
        """Return whether stones join two sets of cells."""
        seen = queue = stones & start
        while queue:
            if seen & end:
                return True
            cell = queue & -queue
            queue ^= cell
            new = self.neighbours[cell.bit_length() - 1] & stones & ~seen
            seen |= new
            queue |= new
        return False

    def _can_join(self, own: int, start: int, end: int, moves_first: bool, remaining: int) -> bool:
        """Return whether the owner of the stones `own` can join two sets of cells by moves on the `remaining` cells."""
        if self._reaches(own, start, end):
            return True
        if not self._reaches(own | remaining, start, end):
            return False
        moves = [1 << bit for bit in range(remaining.bit_length()) if remaining >> bit & 1]
        if moves_first:
            return any(self._can_join(own | cell, start, end, False, remaining & ~cell) for cell in moves)
        return all(self._can_join(own, start, end, True, remaining & ~cell) for cell in moves)
