"""How Kolibrat is drawn: squares, rank 1 at the bottom, and beyond each end a strip where pieces leave for a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.kolibrat.notation import COLOURS, board_of, format_move, parse_position
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

_STRIP = 0.6 * CELL
_LABEL = 0.3 * CELL
_OFF_CELLS = ("off0", "off1")  # where the first and the second side's pieces leave


def make_board(setup: Setup) -> DrawnBoard:
    """The squares, and the two strips."""
    board = board_of(setup)
    width, height = board.width * CELL, board.height * CELL
    cells, shapes = {}, []
    for y in range(board.height):
        for x in range(board.width):
            column, row = x * CELL, (board.height - 1 - y) * CELL
            shade = "square light" if (x + y) % 2 else "square dark"
            shapes.append(Shape("rect", shade, (column, row, CELL, CELL, 0)))
            cells[format_square(x, y)] = Cell(column + CELL / 2, row + CELL / 2)
    for name, top, style in zip(_OFF_CELLS, (-_STRIP, height), ("off first", "off second"), strict=True):
        shapes.append(Shape("rect", style, (0, top, width, _STRIP, 4)))
        shapes.append(Shape("text", "goal", (width / 2, top + _STRIP / 2), "goal"))
        cells[name] = Cell(width / 2, top + _STRIP / 2, width, _STRIP)
    letters = [(COLUMN_LETTERS[x], (x + 0.5) * CELL) for x in range(board.width)]
    add_column_letters(shapes, letters, (height + _STRIP + _LABEL,))
    for y in range(board.height):
        shapes.append(Shape("text", "coordinate", (-_LABEL, (board.height - y - 0.5) * CELL), str(y + 1)))
    box = (-2 * _LABEL, -_STRIP - 4, width + 4 * _LABEL, height + 2 * _STRIP + 2 * _LABEL + 8)
    return DrawnBoard(
        "kolibrat",
        (COLOURS[0], COLOURS[1]),
        box,
        "square",
        tuple(shapes),
        cells,
        goal=board.goal,
        how="click a piece, then its square; or a free square to insert",
        skips=True,
    )


def make_scene(position: KolibratPosition) -> Scene:
    """The pieces, what is in hand, the points, and where the last move began and ended."""
    text = parse_position(position.position_text())
    pieces = {}
    for side, squares in enumerate(text.squares):
        for square in squares:
            pieces[_name(square)] = Piece(side, "piece", *_place(square, text.board.height))
    hands = tuple(
        (InHand(f"hand{side}", "piece", text.board.pieces - len(squares)),) if text.board.pieces > len(squares) else ()
        for side, squares in enumerate(text.squares)
    )
    marks = _mark(position) if position.moves else ()
    return Scene(pieces, marks, hands=(hands[0], hands[1]), points=(int(text.points[0]), int(text.points[1])))


def list_clicks(position: KolibratPosition) -> Mapping[str, Sequence[str]]:
    """The square of an insert; else the piece, then its square or the strip."""
    steps = {}
    for number in position.legal_numbers():
        origin, target = number >> MOVE_SHIFT, number & SQUARE_MASK
        end = _OFF_CELLS[position.to_move] if target == OFF else _name(target)
        steps[format_move(number)] = (end,) if origin == HAND else (_name(origin), end)
    return steps


def _mark(position: KolibratPosition) -> tuple[Mark, ...]:
    number, height = position.parse(position.moves[-1]), position.board_spec.height
    origin, target = number >> MOVE_SHIFT, number & SQUARE_MASK
    marks = [] if origin == HAND else [Mark(FROM, *_place(origin, height))]
    return (*marks, *([] if target == OFF else [Mark(LAST, *_place(target, height))]))


def _name(square: int) -> str:
    return format_square((square - 1) % STRIDE, (square - 1) // STRIDE)


def _place(square: int, height: int) -> tuple[float, float]:
    y, x = divmod(square - 1, STRIDE)
    return (x + 0.5) * CELL, (height - y - 0.5) * CELL


PAINTER = Painter(make_board, make_scene, list_clicks)
