"""Base class of all Pentago players: it holds the board. A subclass adds how a move is chosen."""

from __future__ import annotations

from bots.pentago.position import PentagoPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(board_player.BoardPlayerBase[PentagoPosition]):
    """A player with its own board, at first an empty one."""

    def __init__(self, options: OptionSet):
        super().__init__(options, PentagoPosition(Setup()))
