"""Perft in plain Python, for games of tests that have no kernels."""

from __future__ import annotations

from core.play.game import Position


def count_sequences(position: Position, depth: int) -> int:
    """Return the number of legal move sequences of `depth` plies. The position is unchanged afterwards."""
    if depth == 0:
        return 1
    count = 0
    for move in position.legal_moves():
        position.play(move)
        count += count_sequences(position, depth - 1)
        position.undo()
    return count
