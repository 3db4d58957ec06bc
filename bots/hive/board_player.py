"""What every Hive player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from bots.hive.position import HivePosition
from core.options import OptionSet
from core.player import IllegalMove, Player, Setup


class BoardPlayer(Player):
    """A player with a board of its own, at first an empty one of the game without expansions.

    A repeated position ends nothing here, for that is the referee's affair; after a surrounded queen no move is legal.
    """

    def __init__(self, options: OptionSet):
        self.options = options
        self.position = HivePosition(Setup(variant="Base"))

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup and change nothing where there is no such type of game."""
        self.position.restart(setup)

    def set_moves(self, moves: Sequence[str]) -> None:
        """Replace the position; on IllegalMove the old one stands again."""
        before = self.position.moves
        self.position.restart(self.position.setup)
        try:
            self._play_all(moves)
        except IllegalMove:
            self.position.restart(self.position.setup)
            self._play_all(before)
            raise

    def _play_all(self, moves: Sequence[str]) -> None:
        for move in moves:
            self.position.play(move)

    def play(self, move: str) -> None:
        """Play a move."""
        self.position.play(move)

    def undo(self) -> None:
        """Take a move back."""
        self.position.undo()

    def stop(self) -> None:
        """End a running choice; to one that takes no time it makes no difference."""

    def _numbers(self, moves: Sequence[str]) -> list[int]:
        """Moves as the kernels number them, such as those that limits exclude; raise IllegalMove."""
        return [self.position.parse(move) for move in moves]
