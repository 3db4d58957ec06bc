"""A perft (count of move sequences) that a stop token can interrupt, although `Position.perft` cannot be."""

from __future__ import annotations

import time

from core.play.game import Position
from core.play.stop import StopToken

MAX_CHUNK_S = 0.2  # predicted time of the longest uninterruptible count, chosen by hand


class PerftInterrupted(Exception):
    """The stop token was set before the count was complete."""


def interruptible_perft(position: Position, depth: int, stop: StopToken) -> int:
    """Return `position.perft(depth)`; raise PerftInterrupted if the token is set before the end.

    The upper plies are played here, one move at a time, and the token is checked between the counts of the subtrees
    below them. The depth of these subtrees grows as long as one count is predicted to take at most `MAX_CHUNK_S`. The
    position is restored in any case.
    """
    nodes, chunk_depth, predicted_s = 1, 0, 0.0
    while chunk_depth < depth and predicted_s <= MAX_CHUNK_S:
        began, before = time.perf_counter(), nodes
        chunk_depth += 1
        nodes = position.perft(chunk_depth)
        predicted_s = (time.perf_counter() - began) * nodes / max(before, 1)
    return nodes if chunk_depth == depth else _perft_in_chunks(position, depth, chunk_depth, stop)


def _perft_in_chunks(position: Position, depth: int, chunk_depth: int, stop: StopToken) -> int:
    if stop.is_set:
        raise PerftInterrupted
    if depth <= chunk_depth:
        return position.perft(depth)
    total = 0
    for move in position.legal_moves():
        position.play(move)
        try:
            total += _perft_in_chunks(position, depth - 1, chunk_depth, stop)
        finally:
            position.undo()
    return total
