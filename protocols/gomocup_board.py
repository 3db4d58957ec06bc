"""The manager's board as the Gomocup session keeps it, and the player's copy that follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.player import Player, Setup
from core.squares import LETTERS, format_square
from protocols.gomocup_text import CommandError, Point, format_point

MAX_SIDE = len(LETTERS)  # square names have no more columns


@dataclass
class Board:
    """Stones in order of play. It knows no rule but that a square holds one stone."""

    width: int
    height: int
    stones: list[Point] = field(default_factory=list)
    walls: frozenset[Point] = frozenset()  # squares of BOARD field 3: taken, but by no stone that counts

    def check_free(self, command: str, point: Point) -> None:
        """Raise CommandError where a stone stands on the point."""
        if point in self.stones or point in self.walls:
            raise CommandError(f"{command} wants a free square, not {format_point(point)}")

    def free_points(self) -> list[Point]:
        """All squares without a stone, the nearest to the last stone (or the centre) first."""
        x0, y0 = self.stones[-1] if self.stones else (self.width // 2, self.height // 2)
        taken = self.walls.union(self.stones)
        points = [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in taken]
        return sorted(points, key=lambda point: max(abs(point[0] - x0), abs(point[1] - y0)))

    def squares(self) -> list[str]:
        """The stones by square name."""
        return [format_square(x, y) for x, y in self.stones]


class PlayerMirror:
    """Brings a player to the manager's position with as few calls as possible. The player is touched nowhere else."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._setup: Setup | None = None
        self._moves: list[str] | None = None  # None where the player's position is unknown

    def new_game(self, setup: Setup) -> None:
        """Begin a game on an empty board; raise BadSetup and change nothing where the player cannot play it."""
        self._player.new_game(setup)
        self._setup, self._moves = setup, []

    def forget(self) -> None:
        """The player may have broken off in the middle: the next follow() starts from scratch."""
        self._setup = self._moves = None

    def follow(self, setup: Setup, moves: Sequence[str]) -> None:
        """Make the player's position that after `moves`; raise BadSetup or IllegalMove where it refuses."""
        if setup != self._setup:
            self.new_game(setup)
        known, wanted = self._moves, list(moves)
        self._moves = None
        if known is None or not (known == wanted[: len(known)] or wanted == known[: len(wanted)]):
            self._player.set_moves(wanted)
        else:
            for _ in known[len(wanted) :]:
                self._player.undo()
            for move in wanted[len(known) :]:
                self._player.play(move)
        self._moves = wanted
