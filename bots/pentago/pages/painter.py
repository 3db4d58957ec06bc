"""Draws Pentago for the browser page: four quadrants with gaps between them, and an arrow for each of the rotations.

core/play/scene.py explains the structs that make up the drawing. In a square's coordinates x is the column and y the
row, both from 0; (0, 0) is drawn at the origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, radians, sin

from bots.pentago.layout import SIZE, SQUARES
from bots.pentago.notation import TURNS, parse_move
from bots.pentago.position import PentagoPosition
from bots.pentago.symmetry import QUADRANT_COORDINATES
from core.play.player import Setup
from core.play.scene import (
    CELL,
    DECISIVE,
    LAST,
    TURN,
    Cell,
    DrawnBoard,
    Mark,
    Painter,
    Piece,
    Scene,
    Shape,
    add_column_letters,
)
from core.play.squares import COLUMN_LETTERS, format_square, parse_square

_GAP = 0.3 * CELL
_HALF = 1.5 * CELL  # half the side of a quadrant
_ARROW_DISTANCE = 0.62 * CELL  # from the board's edge to the middle of an arrow
_LABEL_DISTANCE = 1.12 * CELL  # from the board's edge to the coordinates
_MARGIN = 1.4 * CELL  # from the board's edge to that of the picture
_LETTER_DISTANCE = 0.55 * CELL  # from the middle of an arrow back to its letter
# For each rotation letter, s to z: side of the quadrant (dx, dy) where its arrow is, and the angle it points to.
_ARROWS = ((-1, 0, 90), (0, -1, 0), (0, -1, 180), (1, 0, 90), (1, 0, 270), (0, 1, 180), (0, 1, 0), (-1, 0, 270))


def make_board(setup: Setup) -> DrawnBoard:  # noqa: ARG001 - there is one board
    """Return the static drawing: quadrants with holes, coordinates and arrows."""
    low, high = -CELL / 2, 4 * _HALF + _GAP - CELL / 2  # the board's edges, on both axes
    shapes = [Shape("rect", "frame", (low - _GAP / 2, low - _GAP / 2, high - low + _GAP, high - low + _GAP, 10))]
    for quadrant in range(4):
        x, y = _centre_of_quadrant(quadrant)
        shapes.append(Shape("rect", "quadrant", (x - _HALF + 1, y - _HALF + 1, 2 * _HALF - 2, 2 * _HALF - 2, 8)))
    cells = {format_square(x, y): Cell(*_centre_of_square(x, y)) for y in range(SIZE) for x in range(SIZE)}
    shapes += [Shape("circle", "hole", (cell.x, cell.y, 0.36 * CELL)) for cell in cells.values()]
    add_column_letters(
        shapes, [(COLUMN_LETTERS[x], _centre_of_square(x, 0)[0]) for x in range(SIZE)], (high + _LABEL_DISTANCE,)
    )
    shapes += [
        Shape("text", "coordinate", (low - _LABEL_DISTANCE, _centre_of_square(0, y)[1]), str(y + 1))
        for y in range(SIZE)
    ]
    for turn, (dx, dy, angle) in enumerate(_ARROWS):
        x, y = _centre_of_quadrant(turn // 2)
        distance = _HALF + _ARROW_DISTANCE
        x, y = x + dx * distance, y + dy * distance
        cells[TURNS[turn]] = Cell(x, y, 0.9 * CELL, 0.9 * CELL, angle)
        tail = (
            round(x - _LETTER_DISTANCE * cos(radians(angle)), 2),
            round(y - _LETTER_DISTANCE * sin(radians(angle)), 2),
        )
        shapes.append(Shape("text", "coordinate turn-name", tail, TURNS[turn]))
    box = (low - _MARGIN, low - _MARGIN, high - low + 2 * _MARGIN, high - low + 2 * _MARGIN)  # x, y, width, height
    return DrawnBoard(
        "pentago",
        sides=("white", "black"),
        box=box,
        cell="round",
        shapes=tuple(shapes),
        cells=cells,
        how="click a hole, then the arrow of the turn",
        ghost=True,  # the hole under the pointer shows a marble
    )


def make_scene(position: PentagoPosition) -> Scene:
    """Return the marbles after the last rotation, and marks for fives, the last marble and the rotated quadrant."""
    pieces = {}
    for index, content in enumerate(position.board_cells()):
        if content != ".":
            y, x = divmod(index, SIZE)
            pieces[format_square(x, y)] = Piece("wb".index(content), "stone", *_centre_of_square(x, y))
    fives = [Mark(DECISIVE, pieces[square].x, pieces[square].y) for square in position.decided_by()]
    return Scene(pieces, (*fives, *(_mark_last_move(position.moves[-1]) if position.moves else ())))


def list_clicks(position: PentagoPosition) -> Mapping[str, Sequence[str]]:
    """Return the clicks of each legal move: the square, then the arrow of the rotation if there is one."""
    return {move: (move,) if parse_square(move) else (move[:-1], move[-1]) for move in position.legal_moves()}


def _mark_last_move(move: str) -> tuple[Mark, ...]:
    """Return the marks of the last move: its marble where the rotation has moved it, and the rotated quadrant."""
    cell, turn = parse_move(move)
    x, y = SQUARES[cell]
    if turn is None:
        return (Mark(LAST, *_centre_of_square(x, y)),)
    quadrant, clockwise = divmod(turn, 2)
    column, row = QUADRANT_COORDINATES[quadrant]
    if (x // 3, y // 3) == (column, row):
        dx, dy = x - 3 * column - 1, y - 3 * row - 1  # from the quadrant's centre
        dx, dy = (-dy, dx) if clockwise else (dy, -dx)
        x, y = 3 * column + 1 + dx, 3 * row + 1 + dy
    return Mark(LAST, *_centre_of_square(x, y)), Mark(
        TURN, *_centre_of_quadrant(quadrant), _HALF, 90 if clockwise else -90
    )


def _centre_of_square(x: int, y: int) -> tuple[float, float]:
    """Return the centre of a square in drawing units."""
    return x * CELL + x // 3 * _GAP, y * CELL + y // 3 * _GAP


def _centre_of_quadrant(quadrant: int) -> tuple[float, float]:
    """Return the centre of a quadrant in drawing units."""
    column, row = QUADRANT_COORDINATES[quadrant]
    return _centre_of_square(3 * column + 1, 3 * row + 1)


PAINTER = Painter(make_board, make_scene, list_clicks)
