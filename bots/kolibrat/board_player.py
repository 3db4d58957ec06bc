"""What every Kolibrat player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from bots.kolibrat.notation import DEFAULT_VARIANT
from bots.kolibrat.position import KolibratPosition
from core.options import OptionSet
from core.player import IllegalMove, Player, Setup


class BoardPlayer(Player):
    """A player with a board of its own, at first that of the standard game."""

    def __init__(self, options: OptionSet):
        self.options = options
        self.position = KolibratPosition(Setup(variant=DEFAULT_VARIANT))

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup and change nothing where there is no such board."""
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

    def _wanted(self, exclude: Sequence[str]) -> list[int]:
        """The legal moves less those that limits exclude, but all where none would be left."""
        excluded = [self.position.parse(move) for move in exclude]
        legal = self.position.legal_numbers()
        return [move for move in legal if move not in excluded] or legal
