"""The eight symmetries of a Pentago board. A mirror also turns the sense of a turn round."""

from __future__ import annotations

from collections.abc import Sequence

from bots.pentago.layout import SIZE, SQUARES
from bots.pentago.notation import TURNS, parse_move
from core.play.player import Setup
from core.play.squares import format_square

_QUADRANTS = ((0, 0), (1, 0), (1, 1), (0, 1))  # right and low, in the order of the turn letters
_MIRRORS = (1, 2, 4, 7)  # images with an odd number of reflections


def list_images(moves: Sequence[str], setup: Setup) -> list[list[str]]:  # noqa: ARG001 - one board
    """A line of moves under each symmetry, itself first."""
    return [[_transform(move, image) for move in moves] for image in range(8)]


def _transform(move: str, image: int) -> str:
    cell, turn = parse_move(move)
    square = format_square(*_map(*SQUARES[cell], image, SIZE - 1))
    if turn is None:
        return square
    quadrant, clockwise = divmod(turn, 2)
    target = _QUADRANTS.index(_map(*_QUADRANTS[quadrant], image, 1))
    return square + TURNS[2 * target + (clockwise ^ (image in _MIRRORS))]


def _map(x: int, y: int, image: int, last: int) -> tuple[int, int]:
    x = last - x if image & 1 else x
    y = last - y if image & 2 else y
    return (y, x) if image & 4 else (x, y)
