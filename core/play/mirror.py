"""The copy that a player has of the position which sessions, referee and pages keep."""

from __future__ import annotations

from collections.abc import Sequence

from core.play.player import Player, Setup


class PlayerMirror:
    """Brings a player to the end of a line of moves with few calls. The player is touched nowhere else."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._setup: Setup | None = None
        self._moves: list[str] | None = None  # None where the player's position is unknown

    def new_game(self, setup: Setup) -> None:
        """Begin a game on an empty board; raise BadSetup and change nothing where the player cannot play it."""
        self._player.new_game(setup)
        self._setup, self._moves = setup, []

    def forget(self) -> None:
        """The player may have broken off in the middle: the next follow() starts from scratch."""
        self._setup = self._moves = None

    def follow(self, setup: Setup, moves: Sequence[str]) -> None:
        """Make the player's position that after `moves`; raise BadSetup or IllegalMove where it refuses."""
        if setup != self._setup:
            self.new_game(setup)
        known, wanted = self._moves, list(moves)
        self._moves = None
        if known is None or not (known == wanted[: len(known)] or wanted == known[: len(wanted)]):
            self._player.set_moves(wanted)
        else:
            for _ in known[len(wanted) :]:
                self._player.undo()
            for move in wanted[len(known) :]:
                self._player.play(move)
        self._moves = wanted
