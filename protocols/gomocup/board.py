"""The board of a Gomocup session: the stones of the commands and of the player's answers.

In Gomocup's terms the host that sends the commands is the manager. A `Point` is a pair (x, y) that counts from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.player import PASS
from core.play.squares import COLUMN_LETTERS, format_square
from protocols.gomocup.text import PASSED, Point, format_point
from protocols.text import CommandError

MAX_SIDE = len(COLUMN_LETTERS)  # larger boards would have columns without a letter


@dataclass
class ManagerBoard:
    """Stones in order of play, black's first; PASSED stands for a turn without a stone.

    The rules of the game are not checked here, because only the player knows them.
    """

    width: int
    height: int
    stones: list[Point] = field(default_factory=list)
    walls: frozenset[Point] = frozenset()  # occupied squares that belong to neither player: code 3 in BOARD

    def check_free(self, command: str, point: Point) -> None:
        """Raise CommandError if there is a stone or a wall on the point."""
        if point in self.stones or point in self.walls:
            raise CommandError(f"{command} must name a free square, not {format_point(point)}")

    def with_stones(self, *points: Point) -> ManagerBoard:
        """Return a copy of the board, with these stones added."""
        return ManagerBoard(self.width, self.height, [*self.stones, *points], self.walls)

    @property
    def placed(self) -> list[Point]:
        """Return the stones without the passes."""
        return [point for point in self.stones if point != PASSED]

    def is_free(self, point: Point) -> bool:
        """Return whether the point is on the board and has neither a stone nor a wall."""
        x, y = point
        is_on_board = 0 <= x < self.width and 0 <= y < self.height
        return is_on_board and point not in self.stones and point not in self.walls

    @property
    def free_count(self) -> int:
        """Return the number of free squares."""
        return self.width * self.height - len(self.walls.union(self.placed))

    def free_points(self) -> list[Point]:
        """Return the free squares, those nearest to the last stone (or to the centre) first."""
        placed = self.placed
        x0, y0 = placed[-1] if placed else (self.width // 2, self.height // 2)
        occupied = self.walls.union(placed)
        points = [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in occupied]
        return sorted(points, key=lambda point: max(abs(point[0] - x0), abs(point[1] - y0)))

    def squares(self) -> list[str]:
        """Return the moves as square names and passes, as in `["h8", "pass", "i9"]`."""
        return [PASS if point == PASSED else format_square(*point) for point in self.stones]

    def add_opponent(self, point: Point) -> None:
        """Add the opponent's move.

        If the last entry is a pass, the stone replaces it: `order_stones` (protocols/gomocup/text.py) has inserted that
        pass so that the player is to move.
        """
        if self.stones[-1:] == [PASSED]:
            self.stones.pop()
        self.stones.append(point)

    def take_back(self, point: Point) -> None:
        """Take back the last stone and the passes after it; raise CommandError if `point` is not the last stone."""
        placed = self.placed
        if not placed or placed[-1] != point:
            last = format_point(placed[-1]) if placed else "there is none"
            raise CommandError(f"TAKEBACK must name the last stone ({last}), not {format_point(point)}")
        while self.stones.pop() == PASSED:  # the last entry that is popped is the stone
            continue
