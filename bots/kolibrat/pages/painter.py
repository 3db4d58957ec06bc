"""Draws Kolibrat for the web pages: the board with row 1 at the bottom, and a strip beyond either end.

To leave the board for a point, a piece is moved to the strip beyond its last row: the cell `off0` for red, `off1` for
black. core/play/scene.py explains the structs that make up the drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.kolibrat.notation import COLOURS, board_of, format_move, parse_position, square_name
from bots.kolibrat.position import KolibratPosition
from bots.kolibrat.squares import HAND, MOVE_SHIFT, OFF, SQUARE_MASK, STRIDE
from core.play.player import Setup
from core.play.scene import (
    CELL,
    FROM,
    LAST,
    Cell,
    DrawnBoard,
    InHand,
    Mark,
    Painter,
    Piece,
    Scene,
    Shape,
    add_column_letters,
)
from core.play.squares import COLUMN_LETTERS, format_square

_STRIP_HEIGHT = 0.6 * CELL
_STRIP_MARGIN = 4.0  # drawing units beyond each strip
_LABEL_SIZE = 0.3 * CELL
_OFF_CELLS = ("off0", "off1")  # by side: the strip where its pieces leave the board


def make_board(setup: Setup) -> DrawnBoard:
    """Return the empty board with its squares, strips and labels."""
    board = board_of(setup)
    width, height = board.width * CELL, board.height * CELL
    cells, shapes = {}, []
    for y in range(board.height):
        for x in range(board.width):
            left, upper = x * CELL, (board.height - 1 - y) * CELL
            shade = "square light" if (x + y) % 2 else "square dark"
            shapes.append(Shape("rect", shade, (left, upper, CELL, CELL, 0)))
            cells[format_square(x, y)] = Cell(left + CELL / 2, upper + CELL / 2)
    for name, top, style in zip(_OFF_CELLS, (-_STRIP_HEIGHT, height), ("off first", "off second"), strict=True):
        shapes.append(Shape("rect", style, (0, top, width, _STRIP_HEIGHT, 4)))
        shapes.append(Shape("text", "goal", (width / 2, top + _STRIP_HEIGHT / 2), "goal"))
        cells[name] = Cell(width / 2, top + _STRIP_HEIGHT / 2, width, _STRIP_HEIGHT)
    letters = [(COLUMN_LETTERS[x], (x + 0.5) * CELL) for x in range(board.width)]
    add_column_letters(shapes, letters, (height + _STRIP_HEIGHT + _LABEL_SIZE,))
    for y in range(board.height):
        shapes.append(Shape("text", "coordinate", (-_LABEL_SIZE, (board.height - y - 0.5) * CELL), str(y + 1)))
    box = (  # x, y, width, height
        -2 * _LABEL_SIZE,
        -_STRIP_HEIGHT - _STRIP_MARGIN,
        width + 4 * _LABEL_SIZE,
        height + 2 * _STRIP_HEIGHT + 2 * _LABEL_SIZE + 2 * _STRIP_MARGIN,
    )
    return DrawnBoard(
        "kolibrat",
        sides=(COLOURS[0], COLOURS[1]),
        box=box,
        cell="square",
        shapes=tuple(shapes),
        cells=cells,
        goal=board.goal,
        how="click a piece, then its target; or click a free square to insert",
        skips=True,
    )


def make_scene(position: KolibratPosition) -> Scene:
    """Return the pieces, the pieces in hand, the points, and marks on the last move."""
    parsed = parse_position(position.position_text())
    board = parsed.board
    pieces = {}
    for side, squares in enumerate(parsed.squares):
        for square in squares:
            pieces[square_name(square)] = Piece(side, "piece", *_centre(square, board.height))
    hands = tuple(
        (InHand(f"hand{side}", "piece", board.pieces - len(squares)),) if board.pieces > len(squares) else ()
        for side, squares in enumerate(parsed.squares)
    )
    marks = _mark_last_move(position) if position.moves else ()
    return Scene(pieces, marks, hands=(hands[0], hands[1]), points=parsed.points)


def list_clicks(position: KolibratPosition) -> Mapping[str, Sequence[str]]:
    """Return the clicks of each legal move: the square of an insert, or a piece and its target square or strip."""
    clicks = {}
    for move_code in position.legal_numbers():
        origin, target = move_code >> MOVE_SHIFT, move_code & SQUARE_MASK
        end = _OFF_CELLS[position.to_move] if target == OFF else square_name(target)
        clicks[format_move(move_code)] = (end,) if origin == HAND else (square_name(origin), end)
    return clicks


def _mark_last_move(position: KolibratPosition) -> tuple[Mark, ...]:
    """Return marks on the squares that the last move left and reached; the hand and beyond the board have none."""
    move_code, height = position.parse(position.moves[-1]), position.board_spec.height
    origin, target = move_code >> MOVE_SHIFT, move_code & SQUARE_MASK
    marks = [] if origin == HAND else [Mark(FROM, *_centre(origin, height))]
    return (*marks, *([] if target == OFF else [Mark(LAST, *_centre(target, height))]))


def _centre(square: int, height: int) -> tuple[float, float]:
    """Return the centre of a square in drawing units; `height` is the number of rows."""
    y, x = divmod(square - 1, STRIDE)
    return (x + 0.5) * CELL, (height - y - 0.5) * CELL


PAINTER = Painter(make_board, make_scene, list_clicks)
