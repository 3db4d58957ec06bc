"""Balanced Pentago openings for match books; the random search for openings itself is in core/play/openings.py."""

from __future__ import annotations

from collections.abc import Iterator

from bots.pentago.players import PLAYERS
from bots.pentago.position import PentagoPosition
from core.play import openings
from core.play.player import Setup, build_player


def balanced_openings(setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, which lead to different boards even if symmetric ones count as equal.

    `depth` is the depth in plies of the searches that score them.
    """
    player = build_player(PLAYERS, PLAYERS[0].name)
    position = PentagoPosition(setup)
    return openings.balanced_openings(player, position, plies, depth, seed, canonical_form, lambda _: True)


def canonical_form(position: PentagoPosition) -> int:
    """Return the board's hash, which is equal for its eight symmetric images."""
    return position.library.key(position.state)
