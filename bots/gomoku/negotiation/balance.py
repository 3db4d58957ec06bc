"""Finds one or two moves after which a position's score is close to a requested one.

The GUI Yixin-Board asks for such moves, to balance an opening.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.gomoku.negotiation.evaluator import Budget, PositionEvaluator, max_candidates, sequential_halving
from bots.gomoku.symmetry import squares_near
from core.play.player import IllegalMove, Progress


def find_balanced(stones: Sequence[str], count: int, bias: int, evaluator: PositionEvaluator) -> Progress:
    """Return `count` moves (1 or 2) as a PV. The score is that of the position after them, for the side to move now.

    Of the moves compared, they are those whose score is closest to `bias`. `stones` are the moves so far, which may
    contain passes. Raise `IllegalMove` if there are no `count` legal moves.
    """
    progress: dict[tuple[str, ...], Progress] = {}  # last result by candidate

    def measure_distance(moves: tuple[str, ...], budget: Budget) -> int:
        result = evaluator.search([*stones, *moves], budget).progress
        score = result.score if len(moves) == 2 else -result.score
        progress[moves] = Progress(
            result.depth, result.selective_depth, score, nodes=result.nodes, time_ms=result.time_ms, pv=moves
        )
        return abs(score - bias)

    max_compared = max_candidates(evaluator.budget)
    candidates = _list_moves(stones, evaluator) if count == 1 else _list_pairs(stones, evaluator, max_compared)
    if not candidates:
        raise IllegalMove(f"there are no {count} moves to play here")
    chosen = sequential_halving(candidates[:max_compared], measure_distance, evaluator.budget, evaluator.must_stop)
    if chosen not in progress:  # a single candidate is returned without being measured
        measure_distance(chosen, evaluator.budget)
    return progress[chosen]


def _list_moves(stones: Sequence[str], evaluator: PositionEvaluator) -> list[tuple[str, ...]]:
    """Return the legal moves near the stones, or all legal moves if none is near, in random order, each as a tuple."""
    legal = evaluator.legal_moves(stones)
    moves = squares_near(stones, legal) or legal
    random.shuffle(moves)
    return [(move,) for move in moves]


def _list_pairs(stones: Sequence[str], evaluator: PositionEvaluator, max_pairs: int) -> list[tuple[str, ...]]:
    """Return up to `max_pairs` different pairs of legal moves near the stones.

    Each pass over the first moves adds one pair for each of them, so that the pairs have many different first moves.
    """
    firsts = _list_moves(stones, evaluator)
    pairs: list[tuple[str, ...]] = []
    while firsts and len(pairs) < max_pairs:
        extendable = []
        for first in firsts[: max_pairs - len(pairs)]:
            new_pairs = [
                pair for move in _list_moves([*stones, *first], evaluator) if (pair := (*first, *move)) not in pairs
            ]
            if new_pairs:
                pairs.append(new_pairs[0])
                extendable.append(first)
        firsts = extendable
    return pairs
