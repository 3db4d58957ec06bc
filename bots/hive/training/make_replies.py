"""Makes the book of first replies, tables/replies.json: `python -m bots.hive.training.make_replies` (20 minutes).

Delete the file to make all entries again, as after a change of the evaluation; an interrupted run continues with the
game type that it was at. For each game type, the positions are those that can arise if one side plays the book's moves
and the other side any moves, up to MAX_BOOK_TILES tiles. Of positions that are equal by symmetry, one is searched. The
book has the moves whose scores are within MARGIN of the best.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bots.hive.engine import ENGINE_OPTIONS, HiveEngine
from bots.hive.notation import VARIANTS
from bots.hive.opening.replies import (
    MAX_BOOK_TILES,
    REPLIES_FILE,
    book_key,
    form_after,
    format_tile,
    group_placements,
    name_of_placed,
)
from bots.hive.opening.symmetry import Form, canonical_form, name_tile
from bots.hive.position import AXIAL_STEPS, HivePosition
from bots.hive.tiles import TILE_COUNT
from core.play.options import OptionSet
from core.play.player import Limits, Progress, Setup
from core.system.files import read_json_object, write_json_object

NODES = 1_000_000  # of each search
MAX_REPLIES = 3  # moves per position
MARGIN = 15  # evaluation units, less than 5 percentage points of the win probability
HASH = 64  # size of the transposition table in MiB

TILE_NAMES = {name_tile(tile) for tile in range(TILE_COUNT)}
Book = dict[str, dict[str, int]]


def main(path: Path = REPLIES_FILE, variants: Sequence[str] = VARIANTS, nodes: int = NODES) -> None:
    """Make the book, or complete it if the file exists."""
    engine = HiveEngine(OptionSet(ENGINE_OPTIONS))
    engine.set_option("hash", HASH)
    book: Book = read_json_object(path) if path.exists() else {}
    for variant in variants:
        for book_side in range(2):
            add_side(engine, HivePosition(Setup(variant=variant)), book_side, book, nodes)
            write_json_object(path, book)
        print(f"{variant} done: {len(book)} positions", file=sys.stderr)


def add_side(engine: HiveEngine, position: HivePosition, book_side: int, book: Book, nodes: int) -> None:
    """Add the entries that the book needs to play a side from a position on; the position is the same afterwards."""
    if len(position.moves) > MAX_BOOK_TILES:
        return
    groups = group_placements(position, TILE_NAMES)
    if position.to_move == book_side:
        form = canonical_form(position)
        key = book_key(position.setup.variant, form)
        if key not in book:
            book[key] = choose_replies(engine, position, groups, form, nodes)
        book_forms = {form_after(form, tile) for tile in book[key]}
        groups = {child: moves for child, moves in groups.items() if child in book_forms}
    for moves in groups.values():
        position.play(position.format(moves[0]))
        add_side(engine, position, book_side, book, nodes)
        position.undo()


def choose_replies(
    engine: HiveEngine, position: HivePosition, groups: Mapping[Form, Sequence[int]], form: Form, nodes: int
) -> dict[str, int]:
    """Return the best moves and their scores, as the book writes them, by a search with an empty table.

    Of the moves with equal forms in `groups`, one is searched. `form` is the canonical form of the position.
    """
    engine.new_game(position.setup)
    engine.clear_hash()
    engine.set_position(position.moves)
    images = [position.format(move) for moves in groups.values() for move in moves[1:]]
    multi_pv = min(MAX_REPLIES, len(groups))
    reports: dict[int, list[Progress]] = {}
    limits = Limits(nodes=nodes, multi_pv=multi_pv, excluded_moves=tuple(images))
    engine.choose(limits, lambda progress: reports.setdefault(progress.depth, []).append(progress))
    depth = max(depth for depth, lines in reports.items() if len(lines) >= multi_pv)  # the last complete iteration
    lines = reports[depth][-multi_pv:]
    forms = {move: child for child, moves in groups.items() for move in moves}
    replies = {}
    for line in lines:
        if line.score >= lines[0].score - MARGIN:
            move = position.parse(line.pv[0])
            replies[relative_tile(form, name_of_placed(move), forms[move])] = line.score
    return replies


def relative_tile(form: Form, name: str, child: Form) -> str:
    """Return the tile that changes one canonical form to another, as the book writes it."""
    occupied = {(q, r) for q, r, _ in form}
    beside = {(q + dq, r + dr) for q, r in occupied for dq, dr in AXIAL_STEPS} - occupied or {(0, 0)}
    tiles = [format_tile(name, cell) for cell in sorted(beside)]
    return next(tile for tile in tiles if form_after(form, tile) == child)


if __name__ == "__main__":
    main()
