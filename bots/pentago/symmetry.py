"""The eight symmetries of a Pentago board. A reflection also reverses the direction of rotations."""

from __future__ import annotations

from collections.abc import Sequence

from bots.pentago.layout import SIZE, SQUARES
from bots.pentago.notation import TURNS, parse_move
from core.play.player import Setup
from core.play.squares import format_square

QUADRANT_COORDINATES = ((0, 0), (1, 0), (1, 1), (0, 1))  # column and row of each quadrant, clockwise from top left
# A symmetry is 0 to 7; its bits reflect the column (1), reflect the row (2), and then swap column and row (4).
_MIRRORS = (1, 2, 4, 7)  # symmetries with an odd number of reflections


def list_symmetric_lines(moves: Sequence[str], setup: Setup) -> list[list[str]]:  # noqa: ARG001 - one board
    """Return a sequence of moves under each symmetry, the sequence itself first."""
    return [[_transform(move, symmetry) for move in moves] for symmetry in range(8)]


def _transform(move: str, symmetry: int) -> str:
    """Return a move under a symmetry."""
    cell, turn = parse_move(move)
    square = format_square(*_transform_square(*SQUARES[cell], symmetry, SIZE - 1))
    if turn is None:
        return square
    quadrant, clockwise = divmod(turn, 2)
    target = QUADRANT_COORDINATES.index(_transform_square(*QUADRANT_COORDINATES[quadrant], symmetry, 1))
    return square + TURNS[2 * target + (clockwise ^ (symmetry in _MIRRORS))]


def _transform_square(x: int, y: int, symmetry: int, max_coordinate: int) -> tuple[int, int]:
    """Return column and row under a symmetry; `max_coordinate` is the largest column and row."""
    x = max_coordinate - x if symmetry & 1 else x
    y = max_coordinate - y if symmetry & 2 else y
    return (y, x) if symmetry & 4 else (x, y)
