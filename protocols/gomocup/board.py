"""The manager's board as the Gomocup session keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.player import PASS
from core.play.squares import COLUMN_LETTERS, format_square
from protocols.gomocup.text import PASSED, Point, format_point
from protocols.text import CommandError

MAX_SIDE = len(COLUMN_LETTERS)  # square names have no more columns


@dataclass
class ManagerBoard:
    """Stones in order of play, black's first; a turn without a stone is PASSED.

    The only rule that it knows is that a square holds one stone.
    """

    width: int
    height: int
    stones: list[Point] = field(default_factory=list)
    walls: frozenset[Point] = frozenset()  # squares of BOARD field 3: taken, but by no stone that counts

    def check_free(self, command: str, point: Point) -> None:
        """Raise CommandError if a stone stands on the point."""
        if point in self.stones or point in self.walls:
            raise CommandError(f"{command} wants a free square, not {format_point(point)}")

    def with_stones(self, *points: Point) -> ManagerBoard:
        """Return a copy with further stones."""
        return ManagerBoard(self.width, self.height, [*self.stones, *points], self.walls)

    @property
    def placed(self) -> list[Point]:
        """The stones without the turns that were PASSED."""
        return [point for point in self.stones if point != PASSED]

    def free_points(self) -> list[Point]:
        """All squares without a stone, the nearest to the last stone (or the centre) first."""
        placed = self.placed
        x0, y0 = placed[-1] if placed else (self.width // 2, self.height // 2)
        taken = self.walls.union(placed)
        points = [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in taken]
        return sorted(points, key=lambda point: max(abs(point[0] - x0), abs(point[1] - y0)))

    def squares(self) -> list[str]:
        """The line of play by square names and passes."""
        return [PASS if point == PASSED else format_square(*point) for point in self.stones]

    def add_opponent(self, point: Point) -> None:
        """Add a stone that the manager names as the opponent's move.

        If the opponent has passed only to give us the move, the stone takes the place of that pass.
        """
        if self.stones[-1:] == [PASSED]:
            self.stones.pop()
        self.stones.append(point)

    def take_back(self, point: Point) -> None:
        """Take back the last stone, which the point names, and the passes after it; raise CommandError."""
        placed = self.placed
        if not placed or placed[-1] != point:
            last = format_point(placed[-1]) if placed else "none"
            raise CommandError(f"TAKEBACK wants the last stone ({last}), not {format_point(point)}")
        while self.stones.pop() == PASSED:
            continue
