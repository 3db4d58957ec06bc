"""Balanced Hive openings for match books, and a canonical form of a position that ignores symmetries.

The random search for openings itself is in core/play/openings.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bots.hive.players import PLAYERS
from bots.hive.position import HivePosition
from bots.hive.tiles import KIND_LETTERS, SIDE_TILES, TILE_KINDS
from core.play import openings
from core.play.player import Player, Setup, build_player

Form = tuple[tuple[int, int, str], ...]  # see `canonical_form`


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


def canonical_form(position: HivePosition) -> Form:
    """Return the smallest of the twelve rotations and reflections of the hive, translated to the origin.

    Each element is (q, r, tiles), with the tiles of the cell by colour and kind from the ground up, such as `wQbB`.
    """
    stacks = {coordinates: _name_stack(tiles) for coordinates, tiles in position.stacks().items()}
    transformed = []
    for symmetry in range(12):
        moved = [(*_transform(q, r, symmetry), names) for (q, r), names in stacks.items()]
        min_q, min_r = min((q for q, _, _ in moved), default=0), min((r for _, r, _ in moved), default=0)
        transformed.append(tuple(sorted((q - min_q, r - min_r, names) for q, r, names in moved)))
    return min(transformed)


def _name_stack(tiles: Sequence[int]) -> str:
    return "".join("wb"[tile // SIDE_TILES] + KIND_LETTERS[TILE_KINDS[tile % SIDE_TILES]] for tile in tiles)


def _transform(q: int, r: int, symmetry: int) -> tuple[int, int]:
    """Apply symmetry 0 to 11 to axial coordinates: mirror from 6 on, then rotate by `symmetry % 6` times 60 degrees."""
    if symmetry >= 6:
        q, r = r, q
    for _ in range(symmetry % 6):
        q, r = -r, q + r
    return q, r
