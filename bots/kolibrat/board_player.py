"""Base class of all Kolibrat players: it holds the board. A subclass adds how a move is chosen."""

from __future__ import annotations

from bots.kolibrat.notation import DEFAULT_VARIANT
from bots.kolibrat.position import KolibratPosition
from core.play.board_player import BoardPlayerBase
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(BoardPlayerBase[KolibratPosition]):
    """A player with a board: at first the start position of the standard game (3x4, 4 pieces, 5 points)."""

    def __init__(self, options: OptionSet):
        super().__init__(options, KolibratPosition(Setup(variant=DEFAULT_VARIANT)))
