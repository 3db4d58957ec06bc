"""What every Kolibrat player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from bots.kolibrat.notation import DEFAULT_VARIANT
from bots.kolibrat.position import KolibratPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(board_player.BoardPlayerBase[KolibratPosition]):
    """A player with a board of its own, at first that of the standard game."""

    def __init__(self, options: OptionSet):
        super().__init__(options, KolibratPosition(Setup(variant=DEFAULT_VARIANT)))
