"""What every Pentago player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from bots.pentago.position import PentagoPosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Limits, Setup


class BoardPlayer(board_player.PlayerWithBoard[PentagoPosition]):
    """A player with a board of its own, at first an empty one."""

    def __init__(self, options: OptionSet):
        super().__init__(options, PentagoPosition(Setup()))

    def candidates(self, limits: Limits) -> list[int]:
        """The legal moves without those that the limits exclude, unless that leaves none; raise IllegalMove."""
        legal, excluded = self.position.legal_numbers(), {self.position.parse(move) for move in limits.exclude}
        return [move for move in legal if move not in excluded] or legal
