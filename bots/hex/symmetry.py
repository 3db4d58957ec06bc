"""Symmetries of a Hex board that keep each side's edges: identity and rotation by 180 degrees."""

from __future__ import annotations

from collections.abc import Sequence

from core.play.player import Setup
from core.play.squares import format_square, parse_square


def list_symmetries(moves: Sequence[str], setup: Setup) -> list[list[str]]:
    """Return a line of moves and the same line rotated by 180 degrees. Words such as a swap stay the same."""
    return [list(moves), [_rotate_move(move, setup) for move in moves]]


def _rotate_move(move: str, setup: Setup) -> str:
    square = parse_square(move)
    return move if square is None else format_square(setup.width - 1 - square[0], setup.height - 1 - square[1])
