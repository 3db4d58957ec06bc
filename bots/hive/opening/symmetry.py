"""A canonical form of hives, equal for all rotated, reflected and translated images of a hive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.hive.position import Axial, HivePosition
from bots.hive.tiles import KIND_LETTERS, SIDE_TILES, TILE_KINDS

# Each element is (q, r, tiles), with the tiles of the cell by colour and kind from the ground up, such as `wQbB`
Form = tuple[tuple[int, int, str], ...]


def canonical_form(position: HivePosition) -> Form:
    """Return the smallest of the twelve rotations and reflections of the hive, translated to the origin."""
    return smallest_image(name_stacks(position))


def name_stacks(position: HivePosition) -> dict[Axial, str]:
    """Return the tiles of each occupied cell by colour and kind, by the coordinates of `HivePosition.coordinates`."""
    return {coordinates: _name_stack(tiles) for coordinates, tiles in position.stacks().items()}


def smallest_image(stacks: Mapping[Axial, str]) -> Form:
    """Return the canonical form of a hive that is given as in `name_stacks`."""
    transformed = []
    for symmetry in range(12):
        moved = [(*_transform(q, r, symmetry), names) for (q, r), names in stacks.items()]
        min_q, min_r = min((q for q, _, _ in moved), default=0), min((r for _, r, _ in moved), default=0)
        transformed.append(tuple(sorted((q - min_q, r - min_r, names) for q, r, names in moved)))
    return min(transformed)


def name_tile(tile: int) -> str:
    """Return colour and kind of a tile, such as `wQ`."""
    return "wb"[tile // SIDE_TILES] + KIND_LETTERS[TILE_KINDS[tile % SIDE_TILES]]


def _name_stack(tiles: Sequence[int]) -> str:
    return "".join(map(name_tile, tiles))


def _transform(q: int, r: int, symmetry: int) -> Axial:
    """Apply symmetry 0 to 11 to axial coordinates: mirror from 6 on, then rotate by `symmetry % 6` times 60 degrees."""
    if symmetry >= 6:
        q, r = r, q
    for _ in range(symmetry % 6):
        q, r = -r, q + r
    return q, r
