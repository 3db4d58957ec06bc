"""What every Kolibrat player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from bots.kolibrat.notation import DEFAULT_VARIANT
from bots.kolibrat.position import KolibratPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(board_player.PlayerWithBoard[KolibratPosition]):
    """A player with a board of its own, at first that of the standard game."""

    def __init__(self, options: OptionSet):
        super().__init__(options, KolibratPosition(Setup(variant=DEFAULT_VARIANT)))

    def _wanted(self, exclude: Sequence[str]) -> list[int]:
        """The legal moves less those that limits exclude, but all where none would be left."""
        excluded = [self.position.parse(move) for move in exclude]
        legal = self.position.legal_numbers()
        return [move for move in legal if move not in excluded] or legal
