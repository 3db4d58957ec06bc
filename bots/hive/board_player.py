"""Base class of all Hive players: it holds the board. A subclass adds how a move is chosen."""

from __future__ import annotations

from bots.hive.position import HivePosition
from core.play.board_player import BoardPlayerBase
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(BoardPlayerBase[HivePosition]):
    """A player with a board: at first the start position of the game without expansion tiles.

    A repeated position does not end the game here; the referee may declare a draw. Once a queen is surrounded, no move
    is legal.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, HivePosition(Setup(variant="Base")))
