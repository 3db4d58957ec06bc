"""Counting move sequences so that the count can be broken off, whatever the game's own count hears."""

from __future__ import annotations

import time

from core.play.game import Position
from core.play.stop import StopToken

PORTION_S = 0.2  # that one uninterruptible count may take, by what the one a ply shorter took


class PerftInterrupted(Exception):
    """The stop token was set before the number was known."""


def interruptible_perft(position: Position, depth: int, stop: StopToken) -> int:
    """Return `position.perft(depth)`, counted in portions; raise Interrupted if the token is set between two of them.

    The position is the same after it in any case.
    """
    nodes, portion, predicted_s = 1, 0, 0.0
    while portion < depth and predicted_s <= PORTION_S:
        began, before = time.perf_counter(), nodes
        portion += 1
        nodes = position.perft(portion)
        predicted_s = (time.perf_counter() - began) * nodes / max(before, 1)
    return nodes if portion == depth else _count_in_portions(position, depth, portion, stop)


def _count_in_portions(position: Position, depth: int, portion: int, stop: StopToken) -> int:
    if stop.is_set:
        raise PerftInterrupted
    if depth <= portion:
        return position.perft(depth)
    total = 0
    for move in position.legal_moves():
        position.play(move)
        try:
            total += _count_in_portions(position, depth - 1, portion, stop)
        finally:
            position.undo()
    return total
