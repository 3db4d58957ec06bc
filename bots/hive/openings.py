"""Balanced Hive openings for match books.

The random search for openings itself is in core/play/openings.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from bots.hive.opening.symmetry import canonical_form
from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from bots.hive.tiles import SIDE_TILES
from core.play import openings
from core.play.player import Player, Setup, build_player


def balanced_openings(
    setup: Setup, plies: int, depth: int, seed: int, player: Player | None = None
) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two the same under rotation and reflection.

    From six plies on both queens are in play, so that tiles can move. `player` scores the openings; by default it is
    the strongest player. `depth` is its search depth in plies.
    """
    player = player or build_player(PLAYERS, PLAYERS[0].name)
    return openings.balanced_openings(player, HivePosition(setup), plies, depth, seed, canonical_form, has_queens)


def has_queens(position: HivePosition) -> bool:
    """Return whether each side that has had at least three turns has its queen in play."""
    turns = (len(position.moves) + 1) // 2, len(position.moves) // 2
    cells = position.state.tile_cell[0], position.state.tile_cell[SIDE_TILES]
    return all(cell >= 0 or count < 3 for cell, count in zip(cells, turns, strict=True))
