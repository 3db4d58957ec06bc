"""The symmetries of a Gomoku board: eight, or four where it is not square."""

from __future__ import annotations

from collections.abc import Sequence

from bots.gomoku.notation import parse_move
from core.play.player import Setup
from core.play.squares import format_square


def canonical_form(moves: Sequence[str], setup: Setup) -> tuple[str, ...]:
    """The least of an opening's images, as black's and white's stones; on a board that is not square there are four."""
    return min((*sorted(image[::2]), "", *sorted(image[1::2])) for image in list_images(moves, setup))


def list_images(moves: Sequence[str], setup: Setup) -> list[list[str]]:
    """A line of moves under each symmetry of the board, itself first; on a board that is not square there are four."""
    squares = [parse_move(move, setup) for move in moves]
    count = 8 if setup.width == setup.height else 4
    return [[format_square(*_transform(x, y, image, setup)) for x, y in squares] for image in range(count)]


def _transform(x: int, y: int, image: int, setup: Setup) -> tuple[int, int]:
    x = setup.width - 1 - x if image & 1 else x
    y = setup.height - 1 - y if image & 2 else y
    return (y, x) if image & 4 else (x, y)
