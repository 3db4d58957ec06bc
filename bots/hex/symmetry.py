"""The symmetries of a Hex board that keep each side its edges: none, and half a turn."""

from __future__ import annotations

from collections.abc import Sequence

from core.play.player import Setup
from core.play.squares import format_square, parse_square


def list_symmetries(moves: Sequence[str], setup: Setup) -> list[list[str]]:
    """A line of moves as it is and after half a turn of the board; words such as a swap stay as they are."""
    return [list(moves), [_rotate_move(move, setup) for move in moves]]


def _rotate_move(move: str, setup: Setup) -> str:
    square = parse_square(move)
    return move if square is None else format_square(setup.width - 1 - square[0], setup.height - 1 - square[1])
