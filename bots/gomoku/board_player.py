"""What every Gomoku player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from bots.gomoku.position import GomokuPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup
from core.play.squares import format_square


class BoardPlayer(board_player.BoardPlayerBase[GomokuPosition]):
    """A player with a board of its own, at first an empty freestyle board of 15 by 15.

    It takes any stone on a free square, also a foul or one after a five: that is for the referee to judge, and a player
    that refused it would stand on another board than its opponent.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, GomokuPosition(Setup(15, 15, "freestyle")))

    def _play(self, move: str) -> None:
        self.position.place(move)

    def forbidden(self) -> list[str]:
        """Squares that renju forbids to the side to move."""
        return self.position.forbidden() if self.position.to_move == 0 else []

    def _cells(self, squares: Sequence[str]) -> list[int]:
        return [self.position.parse(square) for square in squares]

    def _free_square(self) -> str:
        state = self.position.state
        for y in range(self.position.setup.height):
            for x in range(self.position.setup.width):
                square = format_square(x, y)
                if state.cells[self.position.parse(square)] == 0:
                    return square
        return ""
