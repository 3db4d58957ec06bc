"""Hex the slow and obvious way: stones in a dictionary, a flood fill for the winner."""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]
NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1))


@dataclass
class NaiveHex:
    """A board of columns and rows; colours are 0 (black, top to bottom) and 1 (white, left to right)."""

    width: int
    height: int
    stones: dict[Cell, int] = field(default_factory=dict)

    def cells(self) -> list[Cell]:
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def empty(self) -> list[Cell]:
        return [cell for cell in self.cells() if cell not in self.stones]

    def is_connected(self, colour: int) -> bool:
        """Whether a colour has a chain between its edges."""
        waiting = [c for c in self.cells() if c[1 - colour] == 0 and self.stones.get(c) == colour]
        seen = set(waiting)
        last = (self.height, self.width)[colour] - 1
        while waiting:
            x, y = waiting.pop()
            if (y, x)[colour] == last:
                return True
            near = {(x + dx, y + dy) for dx, dy in NEIGHBOURS}
            waiting += [c for c in near - seen if self.stones.get(c) == colour]
            seen |= near
        return False

    def winner(self) -> int | None:
        return next((colour for colour in (0, 1) if self.is_connected(colour)), None)

    def perft(self, depth: int, side: int = 0) -> int:
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
