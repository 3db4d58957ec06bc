"""What every Pentago player shares: its board. A player adds how it chooses."""

from __future__ import annotations

from collections.abc import Sequence

from bots.pentago.position import PentagoPosition
from core.options import OptionSet
from core.player import IllegalMove, Limits, Player, Setup


class BoardPlayer(Player):
    """A player with a board of its own, at first an empty one."""

    def __init__(self, options: OptionSet):
        self.options = options
        self.position = PentagoPosition(Setup())

    def new_game(self, setup: Setup) -> None:
        """Begin a game; raise BadSetup and change nothing where there is no such position."""
        self.position.restart(setup)

    def set_moves(self, moves: Sequence[str]) -> None:
        """Replace the moves; on IllegalMove the old ones stand again."""
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

    def candidates(self, limits: Limits) -> list[int]:
        """The legal moves without those that the limits exclude, unless that leaves none; raise IllegalMove."""
        legal, excluded = self.position.legal_numbers(), {self.position.parse(move) for move in limits.exclude}
        return [move for move in legal if move not in excluded] or legal
