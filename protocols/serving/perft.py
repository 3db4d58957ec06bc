"""Counts move sequences (perft) in parts, so that a stop token can interrupt it; `Position.perft` cannot be stopped."""

from __future__ import annotations

import time

from core.play.game import Position
from core.play.stop import StopToken

MAX_CHUNK_S = 0.2  # largest predicted time of one call of `Position.perft`; chosen by hand


class PerftInterrupted(Exception):
    """The stop token was set before the count was complete."""


def interruptible_perft(position: Position, depth: int, stop: StopToken) -> int:
    """Return `position.perft(depth)`; raise PerftInterrupted if the token is set while subtrees are left to count.

    A count that is predicted to be quick is not interrupted.
    The moves of the upper plies are played here, and `position.perft` counts the subtrees below them. The token is
    checked before each subtree. Subtrees are as deep as possible with a predicted time of at most MAX_CHUNK_S. The
    position is restored in any case.
    """
    nodes, chunk_depth, predicted_s = 1, 0, 0.0
    while chunk_depth < depth and predicted_s <= MAX_CHUNK_S:
        began_s, previous_nodes = time.perf_counter(), nodes
        chunk_depth += 1
        nodes = position.perft(chunk_depth)
        predicted_s = (time.perf_counter() - began_s) * nodes / max(previous_nodes, 1)
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
