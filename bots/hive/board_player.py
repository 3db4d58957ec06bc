"""Base class of all Hive players: it owns the position; a subclass adds how a move is chosen."""

from __future__ import annotations

from bots.hive.position import HivePosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(board_player.BoardPlayerBase[HivePosition]):
    """A player with its own position, initially the start of the game without expansions.

    A repeated position does not end the game here: the referee decides that. After a queen is surrounded no move is
    legal.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, HivePosition(Setup(variant="Base")))
