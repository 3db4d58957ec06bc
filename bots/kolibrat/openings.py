"""What Kolibrat adds to the search for balanced openings: its player, and the two images of a board."""

from __future__ import annotations

from collections.abc import Iterator

from bots.kolibrat.players import PLAYERS
from bots.kolibrat.position import KolibratPosition
from core.play import openings
from core.play.player import Setup, build_player


def balanced_openings(setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two to the same position or to its mirror image (core/play/openings.py).

    The side to move has a choice after each: a player does not search where it has none.
    """
    player = build_player(PLAYERS, PLAYERS[0].name)
    return openings.balanced_openings(
        player, KolibratPosition(setup), plies, depth, seed, canonical_form, lambda board: len(board.legal_moves()) > 1
    )


def canonical_form(position: KolibratPosition) -> str:
    """The lesser of a position's text and that of its mirror image, columns in reverse."""
    ranks, _, rest = position.position_text().partition(" ")
    mirrored = "/".join(rank[::-1] for rank in ranks.split("/"))
    return f"{min(ranks, mirrored)} {rest}"
