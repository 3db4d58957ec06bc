"""Base class of all Pentago players: it holds the board. A subclass adds how a move is chosen."""

from __future__ import annotations

from bots.pentago.position import PentagoPosition
from core.play.board_player import BoardPlayerBase
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(BoardPlayerBase[PentagoPosition]):
    """A player with a board; at first the start position, an empty board."""

    def __init__(self, options: OptionSet):
        super().__init__(options, PentagoPosition(Setup()))
