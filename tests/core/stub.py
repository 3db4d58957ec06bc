"""A player that only holds options, for tests of how players are named and created."""

from __future__ import annotations

from collections.abc import Sequence

from core.play.options import Option, OptionSet
from core.play.player import Decision, Limits, Player, PlayerKind, ProgressCallback, Setup, ignore_progress


class Stub(Player):
    """Knows its options only."""

    def __init__(self, options: OptionSet) -> None:
        self.options = options

    def new_game(self, setup: Setup) -> None:
        """Nothing."""

    def set_position(self, moves: Sequence[str]) -> None:
        """Nothing."""

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:  # noqa: ARG002
        """No move."""
        return Decision("")


PAPER_OPTIONS = (Option("depth", 3, "plies", minimum=1, maximum=8), Option("noise", 0.0, "of the estimate", minimum=0))
KINDS = (
    PlayerKind("paper", "the player of the paper", Stub, PAPER_OPTIONS),
    PlayerKind("random", "any legal move", Stub),
)
