"""Draws Gomoku for the browser page: stones on line crossings, row 1 at the top, forbidden squares crossed out.

Coordinates are pixels of the drawing, (0, 0) at the top left crossing and `CELL` between neighbouring lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from bots.gomoku.notation import RENJU, parse_variant
from bots.gomoku.position import GomokuPosition
from core.play.game import FIRST
from core.play.player import Setup
from core.play.scene import (
    CELL,
    DECISIVE,
    FORBIDDEN,
    LAST,
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

_STAR_SIZES = (15, 19)  # boards that have star points
_MARGIN = CELL  # width of the wooden border beyond the outer lines
_LABEL_DISTANCE = 0.7 * CELL  # of coordinates from the outer lines


def make_board(setup: Setup) -> DrawnBoard:
    """Return the static drawing: lines, star points and coordinates."""
    width, height = (setup.width - 1) * CELL, (setup.height - 1) * CELL  # of the grid of lines, in pixels
    shapes = [Shape("rect", "wood", (-_MARGIN, -_MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN, 6))]
    shapes += [Shape("polyline", "line", (x * CELL, 0, x * CELL, height)) for x in range(setup.width)]
    shapes += [Shape("polyline", "line", (0, y * CELL, width, y * CELL)) for y in range(setup.height)]
    shapes += [Shape("circle", "star", (x * CELL, y * CELL, 3.5)) for x, y in _star_points(setup)]
    add_column_letters(
        shapes,
        [(COLUMN_LETTERS[x], x * CELL) for x in range(setup.width)],
        (-_LABEL_DISTANCE, height + _LABEL_DISTANCE),
    )
    for y in range(setup.height):
        shapes += [
            Shape("text", "coordinate", (x, y * CELL), str(y + 1)) for x in (-_LABEL_DISTANCE, width + _LABEL_DISTANCE)
        ]
    return DrawnBoard(
        game="gomoku",
        sides=("black", "white"),
        box=(-_MARGIN, -_MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN),
        cell="round",
        shapes=tuple(shapes),
        cells={format_square(x, y): Cell(x * CELL, y * CELL) for y in range(setup.height) for x in range(setup.width)},
        numbered=True,
        how="click a crossing",
        ghost=True,  # a pale stone under the pointer
    )


def make_scene(position: GomokuPosition) -> Scene:
    """Return the stones, labelled with their move numbers, and the marks.

    Marked are the winning rows, the last move and, if black is to move under renju, the forbidden squares.
    """
    pieces = {
        move: Piece(ply % 2, "stone", *_pixel_of(move), label=str(ply + 1)) for ply, move in enumerate(position.moves)
    }
    marks = [Mark(DECISIVE, *_pixel_of(square)) for square in position.decided_by()]
    marks += [Mark(LAST, *_pixel_of(move)) for move in position.moves[-1:]]
    if parse_variant(position.setup.variant) & RENJU and position.to_move == FIRST and not position.outcome():
        marks += [Mark(FORBIDDEN, *_pixel_of(square)) for square in position.forbidden()]
    return Scene(pieces, tuple(marks))


def list_clicks(position: GomokuPosition) -> Mapping[str, Sequence[str]]:
    """Return the clicks that enter each legal move: one per move."""
    return {move: (move,) for move in position.legal_moves()}


@cache  # a page that shows many running games draws each stone several times per second
def _pixel_of(move: str) -> tuple[float, float]:
    """Return the pixel coordinates of a move's crossing."""
    square = parse_square(move)
    assert square is not None  # moves of a position on the page are squares
    return square[0] * CELL, square[1] * CELL


def _star_points(setup: Setup) -> list[tuple[int, int]]:
    """Return the columns and rows of the star points: nine on 19x19, five on 15x15; none for other board sizes."""
    if setup.width not in _STAR_SIZES or setup.height != setup.width:
        return []
    lines = (3, setup.width // 2, setup.width - 4)
    points = [(x, y) for x in lines for y in lines]
    middle = setup.width // 2
    return points if setup.width > 15 else [(x, y) for x, y in points if (x == middle) == (y == middle)]


PAINTER = Painter(make_board, make_scene, list_clicks)
