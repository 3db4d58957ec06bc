"""Base class of all Gomoku players: it holds the board. A subclass adds the method that chooses a move."""

from __future__ import annotations

from bots.gomoku.position import GomokuPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup
from core.play.squares import format_square


class BoardPlayer(board_player.BoardPlayerBase[GomokuPosition]):
    """A player with a board, at first an empty one of 15x15 with freestyle rules.

    It accepts a stone on any free square, even if renju forbids the square or the game has been won. The referee judges
    legality: a player that refused a move would continue on another board than its opponent.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, GomokuPosition(Setup(15, 15, "freestyle")))

    def _play(self, move: str) -> None:
        self.position.place(move)

    def forbidden(self) -> list[str]:
        """Return the squares that renju forbids to the side to move; none if that is white (side 1)."""
        return self.position.forbidden() if self.position.to_move == 0 else []

    def _free_square(self) -> str:
        """Return the first free square, row by row from the top; "" on a full board."""
        position, setup = self.position, self.position.setup
        squares = (format_square(x, y) for y in range(setup.height) for x in range(setup.width))
        return next((square for square in squares if not position.state.cells[position.parse(square)]), "")
