"""The manager's board as the Gomocup session keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.squares import LETTERS, format_square
from protocols.gomocup.text import Point, format_point
from protocols.text import CommandError

MAX_SIDE = len(LETTERS)  # square names have no more columns


@dataclass
class ManagerBoard:
    """Stones in order of play. It knows no rule but that a square holds one stone."""

    width: int
    height: int
    stones: list[Point] = field(default_factory=list)
    walls: frozenset[Point] = frozenset()  # squares of BOARD field 3: taken, but by no stone that counts

    def check_free(self, command: str, point: Point) -> None:
        """Raise CommandError where a stone stands on the point."""
        if point in self.stones or point in self.walls:
            raise CommandError(f"{command} wants a free square, not {format_point(point)}")

    def with_stones(self, *points: Point) -> ManagerBoard:
        """Return a copy with further stones."""
        return ManagerBoard(self.width, self.height, [*self.stones, *points], self.walls)

    def free_points(self) -> list[Point]:
        """All squares without a stone, the nearest to the last stone (or the centre) first."""
        x0, y0 = self.stones[-1] if self.stones else (self.width // 2, self.height // 2)
        taken = self.walls.union(self.stones)
        points = [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in taken]
        return sorted(points, key=lambda point: max(abs(point[0] - x0), abs(point[1] - y0)))

    def squares(self) -> list[str]:
        """The stones by square name."""
        return [format_square(x, y) for x, y in self.stones]
