"""What every Pentago player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from bots.pentago.position import PentagoPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(board_player.BoardPlayerBase[PentagoPosition]):
    """A player with a board of its own, at first an empty one."""

    def __init__(self, options: OptionSet):
        super().__init__(options, PentagoPosition(Setup()))
