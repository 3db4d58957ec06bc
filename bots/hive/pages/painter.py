"""How Hive is drawn: tiles on a plane of hexagons, stacks seen from above with each tile a little higher, two hands.

Places come from the numbers of the kernels' cells, so that a tile that rests keeps its place from move to move. A hive
that wanders over the edge of the kernels' torus moves on the picture as a whole, once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.hive.notation import PASS_TEXT, TILE_NAMES
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, KINDS, MOVE_SHIFT, ORIGIN, PASS, SIDE_TILES, STRIDE, neighbour
from core.play.player import Setup
from core.play.scene import CELL, DECISIVE, FROM, LAST, Cell, DrawnBoard, InHand, Mark, Painter, Piece, Scene

RADIUS = CELL * 0.62
_WIDTH = RADIUS * 1.7320508
_ROW = RADIUS * 1.5
_RISE = 0.2 * RADIUS  # of each tile upon the one below it
_DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_VIEW = 7.0  # cells of the least box, so that the first tiles are not huge

Place = tuple[int, int]  # axial coordinates


def make_board(setup: Setup) -> DrawnBoard:  # noqa: ARG001 - the plane is the same in all types of game
    """An empty plane; its box grows with the hive."""
    half = _VIEW * _WIDTH / 2
    box = (-half, -0.75 * half, 2 * half, 1.5 * half)
    return DrawnBoard("hive", ("white", "black"), box, "hex", grows=True, how="click a tile, then its place")


def make_scene(position: HivePosition) -> Scene:
    """The tiles, both hands, the places beside the hive, surrounded queens, where the last move began and ended."""
    places = find_places(position)
    pieces = {}
    for place, tiles in find_stacks(position, places).items():
        for level, tile in enumerate(tiles):
            x, y = _centre(place)
            side, name = tile // SIDE_TILES, TILE_NAMES[tile]
            pieces[name] = Piece(side, name[1:], x + _RISE / 2 * level, y - _RISE * level, level=level)
    cells = {_spell(place): Cell(*_centre(place)) for place in places.values()}
    marks = (*_mark_queens(position, pieces), *_mark(position, pieces))
    return Scene(pieces, marks, cells, (_hand(position, 0), _hand(position, 1)))


def list_clicks(position: HivePosition) -> Mapping[str, Sequence[str]]:
    """The tile, in hand or in play, then the place; a pass is a button."""
    places = find_places(position)
    steps: dict[str, tuple[str, ...]] = {}
    for number in position.legal_numbers():
        if number == PASS:
            steps[PASS_TEXT] = (PASS_TEXT,)
            continue
        tile, cell = (number >> MOVE_SHIFT) - 1, number % CELLS
        steps[position.format(number)] = (TILE_NAMES[tile], _spell(places[cell]))
    return steps


def find_places(position: HivePosition) -> dict[int, Place]:
    """Axial coordinates of the kernels' cells that hold tiles or lie beside one; on an empty board, the first cell."""
    tiles = {int(cell) for cell in position.state.tile_cell if cell >= 0}
    start = min(tiles, default=ORIGIN)
    row, column = divmod(start, STRIDE)
    found = {start: (column - STRIDE // 2, row - STRIDE // 2)}
    waiting = [start] if tiles else []
    while waiting:
        cell = waiting.pop()
        q, r = found[cell]
        for direction, (dq, dr) in enumerate(_DIRECTIONS):
            beside = neighbour(cell, direction)
            if beside not in found:
                found[beside] = (q + dq, r + dr)
                if beside in tiles:
                    waiting.append(beside)
    return found


def find_stacks(position: HivePosition, places: Mapping[int, Place]) -> dict[Place, list[int]]:
    """The tiles of each occupied place from the ground up."""
    stacks: dict[Place, list[int]] = {}
    for cell in {int(cell) for cell in position.state.tile_cell if cell >= 0}:
        tile = position.state.top[cell]
        stack = stacks.setdefault(places[cell], [])
        while tile >= 0:
            stack.insert(0, tile)
            tile = position.state.tile_below[tile]
    return stacks


def _hand(position: HivePosition, side: int) -> tuple[InHand, ...]:
    """One entry a kind, with the tile that comes next."""
    waiting: dict[int, list[int]] = {}
    for place, kind in enumerate(KINDS):
        tile = side * SIDE_TILES + place
        if position.state.tile_cell[tile] < 0 and position.state.limits[kind]:
            waiting.setdefault(kind, []).append(tile)
    names = {kind: TILE_NAMES[tiles[0]] for kind, tiles in waiting.items()}
    return tuple(InHand(names[kind], names[kind][1:2], len(tiles)) for kind, tiles in waiting.items())


def _mark_queens(position: HivePosition, pieces: Mapping[str, Piece]) -> list[Mark]:
    """Surrounded queens, each marked on the uppermost tile of its place."""
    cells = (position.state.tile_cell[TILE_NAMES.index(queen)] for queen in position.decided_by())
    tiles = [pieces[TILE_NAMES[position.state.top[cell]]] for cell in cells]
    return [Mark(DECISIVE, tile.x, tile.y) for tile in tiles]


def _mark(position: HivePosition, pieces: Mapping[str, Piece]) -> tuple[Mark, ...]:
    """Where the last move's tile is, and where it came from: found by taking the move back for a moment."""
    if not position.moves or position.moves[-1] == PASS_TEXT:
        return ()
    move = position.moves[-1]
    piece = pieces[move.split()[0]]
    ground = piece.x - _RISE / 2 * piece.level, piece.y + _RISE * piece.level
    marks = [Mark(LAST, piece.x, piece.y)]
    position.undo()
    tile = TILE_NAMES.index(move.split()[0])
    cell = position.state.tile_cell[tile]
    before = find_places(position).get(cell)
    position.play(move)
    if before is not None and _centre(before) != ground:
        marks.insert(0, Mark(FROM, *_centre(before)))
    return tuple(marks)


def _spell(place: Place) -> str:
    return f"{place[0]},{place[1]}"


def _centre(place: Place) -> tuple[float, float]:
    q, r = place
    return round(_WIDTH * (q + r / 2), 2), round(_ROW * r, 2)


PAINTER = Painter(make_board, make_scene, list_clicks)
