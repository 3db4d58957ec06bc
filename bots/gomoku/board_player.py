"""Base class of all Gomoku players: it holds the board. A subclass adds how a move is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from bots.gomoku.position import GomokuPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup
from core.play.squares import format_square


class BoardPlayer(board_player.BoardPlayerBase[GomokuPosition]):
    """A player with its own board, at first an empty freestyle board of 15x15.

    It accepts any stone on a free square, also a forbidden one or one after a five. Legality is for the referee to
    judge: a player that refused the move would continue on another board than its opponent.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, GomokuPosition(Setup(15, 15, "freestyle")))

    def _play(self, move: str) -> None:
        self.position.place(move)

    def forbidden(self) -> list[str]:
        """Return the squares that renju forbids to the side to move."""
        return self.position.forbidden() if self.position.to_move == 0 else []

    def _parse_cells(self, squares: Sequence[str]) -> list[int]:
        return [self.position.parse(square) for square in squares]

    def _free_square(self) -> str:
        state = self.position.state
        for y in range(self.position.setup.height):
            for x in range(self.position.setup.width):
                square = format_square(x, y)
                if state.cells[self.position.parse(square)] == 0:
                    return square
        return ""
