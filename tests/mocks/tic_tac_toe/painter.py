"""Drawing of the board for the web pages: nine squares with stones of two colours."""

from __future__ import annotations

from core.play.player import Setup
from core.play.scene import CELL, DECISIVE, LAST, Cell, DrawnBoard, Mark, Painter, Piece, Scene, Shape
from core.play.squares import parse_square
from tests.mocks.tic_tac_toe.position import SIZE, SQUARES, TicTacToe


def make_board(_: Setup) -> DrawnBoard:
    side = SIZE * CELL
    shapes = [Shape("polyline", "line", (index * CELL, 0, index * CELL, side)) for index in range(SIZE + 1)]
    shapes += [Shape("polyline", "line", (0, index * CELL, side, index * CELL)) for index in range(SIZE + 1)]
    cells = {square: Cell(*centre(square)) for square in SQUARES}
    box = (0.0, 0.0, side, side)
    return DrawnBoard(
        "tic-tac-toe", ("crosses", "noughts"), box, "round", tuple(shapes), cells, how="click a square", ghost=True
    )


def make_scene(position: TicTacToe) -> Scene:
    moves = position.moves
    pieces = {move: Piece(ply % 2, "stone", *centre(move)) for ply, move in enumerate(moves)}
    marks = [Mark(DECISIVE, *centre(square)) for square in position.row()]
    return Scene(pieces, (*marks, *(Mark(LAST, *centre(move)) for move in moves[-1:])))


def list_clicks(position: TicTacToe) -> dict[str, tuple[str, ...]]:
    """Return the clicks that make each legal move: one on its square."""
    return {move: (move,) for move in position.legal_moves()}


def centre(move: str) -> tuple[float, float]:
    """Return the centre of a move's square in drawing units."""
    square = parse_square(move)
    assert square is not None
    return (square[0] + 0.5) * CELL, (square[1] + 0.5) * CELL


PAINTER = Painter(make_board, make_scene, list_clicks)
