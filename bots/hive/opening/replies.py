"""The book of first replies: good moves for positions with up to three tiles, chosen by long searches.

`bots/hive/tables/replies.json` maps positions to moves and their scores for the side to move, for example
"Base bA1,0 wG0,0" to {"wQ-1,1": 12}: white's queen on the cell (-1, 1) of this position. A position is written in its
canonical form (bots/hive/opening/symmetry.py), so there is one entry for all its rotated and mirrored images. There are
only placements so early in a game. bots/hive/training/make_replies.py makes the file.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bots.hive.opening.symmetry import Form, name_stacks, name_tile, smallest_image
from bots.hive.position import Axial, HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT
from core.system.files import read_json_object

REPLIES_FILE = Path(__file__).parents[1] / "tables" / "replies.json"
MAX_BOOK_TILES = 3


@dataclass(frozen=True)
class BookReply:
    """A move of the book."""

    moves: tuple[int, ...]  # codes of the symmetric images of the move; only one if the hive has no symmetry
    score: int  # for the side to move, in evaluation units


def find_replies(position: HivePosition) -> list[BookReply]:
    """Return the book's moves for a position; empty if it has none.

    Raise OSError if the file cannot be read, ValueError with its path if it is damaged.
    """
    if len(position.moves) > MAX_BOOK_TILES:
        return []
    form = smallest_image(name_stacks(position))
    key = book_key(position.setup.variant, form)
    entry = _read_book(REPLIES_FILE).get(key, {})
    try:
        moves_by_form = group_placements(position, {tile[:2] for tile in entry})
        return [BookReply(tuple(moves_by_form[form_after(form, tile)]), int(score)) for tile, score in entry.items()]
    except (AttributeError, LookupError, TypeError, ValueError):
        raise ValueError(f"{REPLIES_FILE}: wrong moves for {key}: {entry!r}") from None


def group_placements(position: HivePosition, names: Container[str]) -> dict[Form, list[int]]:
    """Return the legal placements of tiles with some names, such as `wQ`, by the canonical form after them."""
    stacks, coordinates = name_stacks(position), position.coordinates()
    groups: dict[Form, list[int]] = {}
    for move in position.legal_numbers():
        name, cell = name_of_placed(move), coordinates[move % CELLS]
        if name in names:
            groups.setdefault(smallest_image({**stacks, cell: name}), []).append(move)
    return groups


def name_of_placed(move: int) -> str:
    """Return colour and kind of the tile that a move places, such as `wQ`."""
    return name_tile((move >> MOVE_SHIFT) - 1)


def book_key(variant: str, form: Form) -> str:
    """Return the book's key of a position, for example `Base bA1,0 wG0,0`."""
    return " ".join([variant, *(format_tile(name, (q, r)) for q, r, name in form)])


def format_tile(name: str, cell: Axial) -> str:
    """Return a tile on a cell as the book writes it, for example `wQ-1,1`."""
    return f"{name}{cell[0]},{cell[1]}"


def form_after(form: Form, tile: str) -> Form:
    """Return the canonical form after a tile, as the book writes it, was added to a canonical form."""
    q, r = map(int, tile[2:].split(","))
    return smallest_image({**{(q, r): names for q, r, names in form}, (q, r): tile[:2]})


_read_book = cache(read_json_object)
