"""Balanced Kolibrat openings for match books, and a canonical form of a position that ignores the mirror symmetry.

The random search for openings itself is in core/play/openings.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from bots.kolibrat.players import PLAYERS
from bots.kolibrat.position import KolibratPosition
from core.play import openings
from core.play.player import Setup, build_player


def balanced_openings(setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, which lead to different positions even if mirror images count as equal.

    After each opening the side to move has at least two moves: if there is only one, a player neither searches nor
    scores the position. `depth` is the search depth of the scores in plies.
    """
    player = build_player(PLAYERS, PLAYERS[0].name)
    return openings.balanced_openings(
        player, KolibratPosition(setup), plies, depth, seed, canonical_form, lambda board: len(board.legal_moves()) > 1
    )


def canonical_form(position: KolibratPosition) -> str:
    """Return the smaller of the texts of a position and of its mirror image (columns in reverse order)."""
    ranks, _, other_fields = position.position_text().partition(" ")
    mirrored = "/".join(rank[::-1] for rank in ranks.split("/"))
    return f"{min(ranks, mirrored)} {other_fields}"
