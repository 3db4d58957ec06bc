"""Draws Hex for the pages in the browser: a rhombus of hexagons, a1 at the upper left, edges in their side's colour.

The corners of a hexagon are numbered clockwise from the top, so the top edge of a cell has the corners 5, 0, 1:

      0
    5   1
    4   2
      3
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.hex.notation import COLOURS, SWAP
from bots.hex.position import STRIDE, HexPosition, cell_index, format_cell
from core.play.hexagons import COLUMN_STEP, RADIUS, hex_centre, hexagon
from core.play.player import Setup
from core.play.scene import DECISIVE, LAST, Cell, DrawnBoard, Mark, Painter, Piece, Scene, Shape
from core.play.squares import COLUMN_LETTERS, format_square, parse_square

_EDGE_WIDTH = 10.0
_LABEL_DY, _LABEL_DX = 1.7 * RADIUS, 1.75 * RADIUS  # distance of the coordinate labels from a cell's centre
_SWAP_LABEL = "S"


def make_board(setup: Setup) -> DrawnBoard:
    """Return the parts of the drawing that never change: cells, edges below them, and coordinate labels."""
    cells = {format_square(x, y): Cell(*hex_centre(x, y)) for y in range(setup.height) for x in range(setup.width)}
    shapes = [*_edges(setup), *(Shape("polygon", "cell", hexagon(cell.x, cell.y, RADIUS)) for cell in cells.values())]
    for row, direction in ((0, -1), (setup.height - 1, 1)):
        for x in range(setup.width):
            centre = hex_centre(x, row)
            label_position = (centre[0] + direction * COLUMN_STEP / 2, centre[1] + direction * _LABEL_DY)
            shapes.append(Shape("text", "coordinate", label_position, COLUMN_LETTERS[x]))
    for y in range(setup.height):
        (left, height), (right, _) = hex_centre(0, y), hex_centre(setup.width - 1, y)
        shapes += [Shape("text", "coordinate", (x, height), str(y + 1)) for x in (left - _LABEL_DX, right + _LABEL_DX)]
    right, bottom = hex_centre(setup.width - 1, setup.height - 1)
    margin = 2.4 * RADIUS
    return DrawnBoard(
        game="hex",
        sides=(COLOURS[0], COLOURS[1]),
        box=(-margin, -margin, right + 2 * margin, bottom + 2 * margin),
        cell="hex",
        shapes=tuple(shapes),
        cells=cells,
        numbered=True,
        how="click a cell",
        ghost=True,
    )


def make_scene(position: HexPosition) -> Scene:
    """Return the stones and marks of a position.

    Stones have their move number; the swapped stone has an S, set-up stones have nothing. The winning chain is marked.
    """
    labels = {move.partition(":")[2] or move: str(ply) for ply, move in enumerate(position.moves, 1)}
    is_swapped = SWAP in labels
    if is_swapped:
        labels[_swapped_cell(position)] = _SWAP_LABEL
    stones = {}
    for colour, cell in position.stones():
        stones[cell] = Piece(colour, "stone", *_centre_of(cell), label=labels.get(cell, ""))
    marks = [Mark(DECISIVE, *_centre_of(cell)) for cell in position.decided_by()]
    marks += [Mark(LAST, stone.x, stone.y) for cell, stone in stones.items() if _is_last(cell, position.moves)]
    return Scene(stones, tuple(marks), swapped=is_swapped)


def list_clicks(position: HexPosition) -> Mapping[str, Sequence[str]]:
    """Return the clicks for each move: one cell. The swap is a button."""
    return {move: (move,) for move in position.legal_moves()}


def _is_last(cell: str, moves: Sequence[str]) -> bool:
    if not moves:
        return False
    return moves[-1] == SWAP or (moves[-1].partition(":")[2] or moves[-1]) == cell


def _swapped_cell(position: HexPosition) -> str:
    """Return the cell of the stone that a swap has left: the first stone's cell with column and row exchanged."""
    first = position.state.path[0]
    return format_cell(cell_index(first // STRIDE - 1, first % STRIDE - 1))


def _centre_of(cell: str) -> tuple[float, float]:
    square = parse_square(cell)
    assert square is not None  # it comes from a legal move
    return hex_centre(*square)


def _edges(setup: Setup) -> list[Shape]:
    """Return lines along the four sides, drawn below the cells and slightly larger. The first side has top and
    bottom.
    """
    top, bottom, left, right = [], [], [], []
    for x in range(setup.width):
        top += _corners(x, 0, (5, 0, 1))
        bottom += _corners(x, setup.height - 1, (4, 3, 2))
    for y in range(setup.height):
        left += _corners(0, y, (5, 4))
        right += _corners(setup.width - 1, y, (1, 2))
    lines = ((left, "edge second"), (right, "edge second"), (top, "edge first"), (bottom, "edge first"))
    return [Shape("polyline", style, tuple(line)) for line, style in lines]


def _corners(x: int, y: int, numbers: Sequence[int]) -> list[float]:
    corners = hexagon(*hex_centre(x, y), RADIUS + _EDGE_WIDTH / 3)
    return [value for number in numbers for value in corners[2 * number : 2 * number + 2]]


PAINTER = Painter(make_board, make_scene, list_clicks)
