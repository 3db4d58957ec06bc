"""What every Hive player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from bots.hive.position import HivePosition
from core.play import board_player
from core.play.options import OptionSet
from core.play.player import Setup


class BoardPlayer(board_player.BoardPlayerBase[HivePosition]):
    """A player with a board of its own, at first an empty one of the game without expansions.

    A repeated position ends nothing here, for that is the referee's affair; after a surrounded queen no move is legal.
    """

    def __init__(self, options: OptionSet):
        super().__init__(options, HivePosition(Setup(variant="Base")))

    def _numbers(self, moves: Sequence[str]) -> list[int]:
        """Moves as the kernels number them, such as those that limits exclude; raise IllegalMove."""
        return [self.position.parse(move) for move in moves]
