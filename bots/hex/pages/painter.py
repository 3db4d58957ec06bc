"""Draws Hex for the browser page: a parallelogram of hexagons, a1 at the upper left, edges in their side's colour.

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

# Lengths are in the units of RADIUS, the distance from a cell's centre to its corners.
_EDGE_WIDTH = 10.0  # of the lines along the edges
_LABEL_DY, _LABEL_DX = 1.7 * RADIUS, 1.75 * RADIUS  # distance of the coordinate labels from a cell's centre
_MARGIN = 2.4 * RADIUS  # around the centres of the outer cells; it has room for the labels
_SWAP_LABEL = "S"  # on the stone that a swap has left


def make_board(setup: Setup) -> DrawnBoard:
    """Return the parts of the drawing that never change: cells, edges below them, and coordinate labels."""
    cells = {format_square(x, y): Cell(*hex_centre(x, y)) for y in range(setup.height) for x in range(setup.width)}
    shapes = [*_edges(setup), *(Shape("polygon", "cell", hexagon(cell.x, cell.y, RADIUS)) for cell in cells.values())]
    for row, direction in ((0, -1), (setup.height - 1, 1)):
        for x in range(setup.width):
            centre = hex_centre(x, row)
            label_position = (centre[0] + direction * COLUMN_STEP / 2, centre[1] + direction * _LABEL_DY)
            shapes.append(Shape("text", "coordinate", label_position, COLUMN_LETTERS[x]))
    for row in range(setup.height):
        (left, label_y), (right, _) = hex_centre(0, row), hex_centre(setup.width - 1, row)
        label_xs = (left - _LABEL_DX, right + _LABEL_DX)
        shapes += [Shape("text", "coordinate", (label_x, label_y), str(row + 1)) for label_x in label_xs]
    right, bottom = hex_centre(setup.width - 1, setup.height - 1)
    return DrawnBoard(
        game="hex",
        sides=(COLOURS[0], COLOURS[1]),
        box=(-_MARGIN, -_MARGIN, right + 2 * _MARGIN, bottom + 2 * _MARGIN),
        cell="hex",  # the shape of a cell
        shapes=tuple(shapes),
        cells=cells,
        numbered=True,
        how="click a cell",
        ghost=True,  # the cell under the pointer shows a stone of the side to move
    )


def make_scene(position: HexPosition) -> Scene:
    """Return the stones and marks of a position.

    A stone has its move number as label. The stone that a swap has left has an S, stones of the start position have no
    label. The winning chain and the last stone are marked.
    """
    labels = {_cell_of(move): str(ply) for ply, move in enumerate(position.moves, 1)}
    is_swapped = SWAP in labels
    if is_swapped:
        labels[_swapped_cell(position)] = _SWAP_LABEL
    stones = {}
    for colour, cell in position.stones():
        stones[cell] = Piece(colour, "stone", *_centre_of(cell), label=labels.get(cell, ""))
    marks = [Mark(DECISIVE, *_centre_of(cell)) for cell in position.decided_by()]
    last_cell = _last_cell(position)
    if last_cell in stones:
        marks.append(Mark(LAST, stones[last_cell].x, stones[last_cell].y))
    return Scene(stones, tuple(marks), swapped=is_swapped)


def list_clicks(position: HexPosition) -> Mapping[str, Sequence[str]]:
    """Return the clicks for each legal move: its cell, or for a swap the button of this name."""
    return {move: (move,) for move in position.legal_moves()}


def _cell_of(move: str) -> str:
    """Return the cell of a move. A stone placed out of turn is written with its colour: `white:c2`."""
    return move.rpartition(":")[2]


def _last_cell(position: HexPosition) -> str:
    """Return the cell of the last stone, or an empty text before the first move."""
    if not position.moves:
        return ""
    return _swapped_cell(position) if position.moves[-1] == SWAP else _cell_of(position.moves[-1])


def _swapped_cell(position: HexPosition) -> str:
    """Return the cell of the stone after a swap, which exchanges column and row of the first stone."""
    first = position.state.path[0]  # the first move, as a cell of the padded board
    return format_cell(cell_index(first // STRIDE - 1, first % STRIDE - 1))


def _centre_of(cell: str) -> tuple[float, float]:
    """Return x and y of a cell's centre."""
    square = parse_square(cell)
    assert square is not None  # the position formats the names of its cells itself
    return hex_centre(*square)


def _edges(setup: Setup) -> list[Shape]:
    """Return lines along the four edges, which are drawn below the cells and stick out a little.

    Top and bottom are edges of the first player, black.
    """
    top, bottom, left, right = [], [], [], []
    for x in range(setup.width):
        top += _corners(x, 0, (5, 0, 1))
        bottom += _corners(x, setup.height - 1, (4, 3, 2))
    for y in range(setup.height):
        left += _corners(0, y, (5, 4))
        right += _corners(setup.width - 1, y, (1, 2))
    styled_lines = ((left, "edge second"), (right, "edge second"), (top, "edge first"), (bottom, "edge first"))
    return [Shape("polyline", style, tuple(line)) for line, style in styled_lines]


def _corners(x: int, y: int, numbers: Sequence[int]) -> list[float]:
    """Return x and y of some corners of the cell in column x and row y, one after the other, slightly outside it."""
    corners = hexagon(*hex_centre(x, y), RADIUS + _EDGE_WIDTH / 3)
    return [value for number in numbers for value in corners[2 * number : 2 * number + 2]]


PAINTER = Painter(make_board, make_scene, list_clicks)
