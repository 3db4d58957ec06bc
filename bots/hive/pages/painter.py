"""Draws Hive for the web pages: hexagonal tiles seen from above, raised on stacks, and the tiles in hand.

Coordinates are derived from the kernels' cell codes, so a tile that does not move stays where it is drawn. A hive that
travels over the seam of the kernels' torus (bots/hive/tiles.py) is shifted as a whole once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.hive.notation import PASS_TEXT, TILE_NAMES
from bots.hive.position import Axial, HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, SIDE_TILES, TILE_KINDS
from core.play.hexagons import COLUMN_STEP, RADIUS, hex_centre
from core.play.player import Setup
from core.play.scene import DECISIVE, FROM, LAST, Cell, DrawnBoard, InHand, Mark, Painter, Piece, Scene

_LEVEL_RISE = 0.2 * RADIUS  # a tile is drawn this much higher than the one below it, and half as much to the right
_MIN_VIEW_CELLS = 7.0  # width of the smallest picture, so that the first tiles are not huge


def make_board(setup: Setup) -> DrawnBoard:  # noqa: ARG001 - the plane is the same in all types of game
    """Return the empty plane, whose visible box grows with the hive."""
    half = _MIN_VIEW_CELLS * COLUMN_STEP / 2
    box = (-half, -0.75 * half, 2 * half, 1.5 * half)  # x, y, width, height
    how = "click a tile, then its target"
    return DrawnBoard("hive", sides=("white", "black"), box=box, cell="hex", grows=True, how=how)


def make_scene(position: HivePosition) -> Scene:
    """Return the tiles, the cells to click, both hands, and marks on surrounded queens and the last move."""
    pieces = {}
    for axial, tiles in position.stacks().items():
        for level, tile in enumerate(tiles):
            x, y = hex_centre(*axial)
            side, name = tile // SIDE_TILES, TILE_NAMES[tile]
            pieces[name] = Piece(side, name[1:], x + _LEVEL_RISE / 2 * level, y - _LEVEL_RISE * level, level=level)
    cells = {_cell_id(axial): Cell(*hex_centre(*axial)) for axial in position.coordinates().values()}
    marks = (*_mark_queens(position, pieces), *_mark_last_move(position, pieces))
    return Scene(pieces, marks, cells, (_list_hand(position, 0), _list_hand(position, 1)))


def list_clicks(position: HivePosition) -> Mapping[str, Sequence[str]]:
    """Return the clicks of each legal move: the tile, in hand or in play, then its target.

    A pass is one click, on a button that the page shows for it.
    """
    coordinates = position.coordinates()
    clicks: dict[str, tuple[str, ...]] = {}
    for move_code in position.legal_numbers():
        if move_code == PASS:
            clicks[PASS_TEXT] = (PASS_TEXT,)
            continue
        tile, cell = (move_code >> MOVE_SHIFT) - 1, move_code % CELLS
        clicks[position.format(move_code)] = (TILE_NAMES[tile], _cell_id(coordinates[cell]))
    return clicks


def _list_hand(position: HivePosition, side: int) -> tuple[InHand, ...]:
    """Return one entry per kind in a side's hand, named after the tile that is placed next."""
    in_hand: dict[int, list[int]] = {}  # tiles by kind
    for side_tile, kind in enumerate(TILE_KINDS):
        tile = side * SIDE_TILES + side_tile
        if position.state.tile_cell[tile] < 0 and position.state.kind_limits[kind]:
            in_hand.setdefault(kind, []).append(tile)
    names = {kind: TILE_NAMES[tiles[0]] for kind, tiles in in_hand.items()}
    # The look is the letter of the kind, without colour and number.
    return tuple(InHand(names[kind], names[kind][1:2], len(tiles)) for kind, tiles in in_hand.items())


def _mark_queens(position: HivePosition, pieces: Mapping[str, Piece]) -> list[Mark]:
    """Return a mark for each surrounded queen, on the top tile of its cell."""
    cells = (position.state.tile_cell[TILE_NAMES.index(queen)] for queen in position.decided_by())
    top_pieces = [pieces[TILE_NAMES[position.state.top[cell]]] for cell in cells]
    return [Mark(DECISIVE, piece.x, piece.y) for piece in top_pieces]


def _mark_last_move(position: HivePosition, pieces: Mapping[str, Piece]) -> tuple[Mark, ...]:
    """Return marks on the last moved tile and on the cell that it came from, if that was another cell.

    To find that cell, the move is undone for a moment and played again.
    """
    if not position.moves or position.moves[-1] == PASS_TEXT:
        return ()
    move = position.moves[-1]
    piece = pieces[move.split()[0]]
    target_centre = piece.x - _LEVEL_RISE / 2 * piece.level, piece.y + _LEVEL_RISE * piece.level
    marks = [Mark(LAST, piece.x, piece.y)]
    position.undo()
    tile = TILE_NAMES.index(move.split()[0])
    cell = position.state.tile_cell[tile]
    origin = position.coordinates().get(cell)  # None for a tile from the hand
    position.play(move)
    if origin is not None and hex_centre(*origin) != target_centre:
        marks.insert(0, Mark(FROM, *hex_centre(*origin)))
    return tuple(marks)


def _cell_id(axial: Axial) -> str:
    """Return the id that the page reports for a click on a cell."""
    return f"{axial[0]},{axial[1]}"


PAINTER = Painter(make_board, make_scene, list_clicks)
