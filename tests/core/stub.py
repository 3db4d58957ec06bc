"""A player without a game, for tests that create players from texts and from the command line.

Its kinds are `paper`, named as the players that replicate a published program, and `random`.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Player, PlayerKind, ProgressCallback, Setup, ignore_progress


class Stub(Player):
    """A player that has options and always returns an empty decision."""

    def __init__(self, options: OptionSet) -> None:
        self.options = options

    def new_game(self, setup: Setup) -> None:
        """Do nothing."""

    def set_position(self, moves: Sequence[str]) -> None:
        """Do nothing."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        """Return a decision without a move."""
        return Decision("")


PAPER_OPTIONS = (Option("depth", 3, "plies", minimum=1, maximum=8), Option("noise", 0.0, "of the score", minimum=0))
KINDS = (
    PlayerKind("paper", "the player of the paper", Stub, PAPER_OPTIONS),
    PlayerKind("random", "any legal move", Stub),
)
