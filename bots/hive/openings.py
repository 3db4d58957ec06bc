"""What Hive adds to the search for balanced openings: both queens in play, and the images of a hive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bots.hive.position import HivePosition
from bots.hive.tiles import KIND_LETTERS, KINDS, SIDE_TILES
from core.play import openings
from core.play.player import Player, Setup

Form = tuple[tuple[int, int, str], ...]


def balanced_openings(player: Player, setup: Setup, plies: int, depth: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of `plies` moves, no two alike under the hive's symmetries (core/play/openings.py).

    Both queens are in play where there are plies enough for that, so that tiles may move.
    """
    return openings.balanced_openings(player, HivePosition(setup), plies, depth, seed, canonical_form, _has_queens)


def _has_queens(position: HivePosition) -> bool:
    """Whether both queens are in play; a side that has had fewer than three turns may keep it in hand."""
    turns = (len(position.moves) + 1) // 2, len(position.moves) // 2
    cells = position.state.tile_cell[0], position.state.tile_cell[SIDE_TILES]
    return all(cell >= 0 or count < 3 for cell, count in zip(cells, turns, strict=True))


def canonical_form(position: HivePosition) -> Form:
    """The least of a hive's twelve images, moved to the origin: each cell's tiles by colour and kind, ground first."""
    stacks = {place: _name_stack(tiles) for place, tiles in position.stacks().items()}
    images = []
    for image in range(12):
        turned = [(*_transform(q, r, image), names) for (q, r), names in stacks.items()]
        left, top = min((q for q, _, _ in turned), default=0), min((r for _, r, _ in turned), default=0)
        images.append(tuple(sorted((q - left, r - top, names) for q, r, names in turned)))
    return min(images)


def _name_stack(tiles: Sequence[int]) -> str:
    return "".join("wb"[tile // SIDE_TILES] + KIND_LETTERS[KINDS[tile % SIDE_TILES]] for tile in tiles)


def _transform(q: int, r: int, image: int) -> tuple[int, int]:
    """Turn axial coordinates by sixths, the images from 6 on mirrored first."""
    if image >= 6:
        q, r = r, q
    for _ in range(image % 6):
        q, r = -r, q + r
    return q, r
