"""One or two moves after which the game is even, or as uneven as is asked for."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.gomoku.negotiation.evaluator import Budget, PositionEvaluator, max_candidates, sequential_halving
from bots.gomoku.symmetry import near_squares
from core.play.player import IllegalMove, Progress


def find_balanced(stones: Sequence[str], count: int, bias: int, evaluator: PositionEvaluator) -> Progress:
    """Return 1 or 2 moves as a line, with the score that the side to move gets by them, as near to `bias` as is found.

    Raise IllegalMove if there are no such moves.
    """
    progress: dict[tuple[str, ...], Progress] = {}

    def distance(moves: tuple[str, ...], budget: Budget) -> int:
        result = evaluator.search([*stones, *moves], budget).progress
        score = result.score if len(moves) == 2 else -result.score
        progress[moves] = Progress(
            result.depth, result.selective_depth, score, nodes=result.nodes, time_ms=result.time_ms, pv=moves
        )
        return abs(score - bias)

    most = max_candidates(evaluator.budget)
    candidates = _list_moves(stones, evaluator) if count == 1 else _list_pairs(stones, evaluator, most)
    if not candidates:
        raise IllegalMove(f"there are no {count} moves to play here")
    chosen = sequential_halving(candidates[:most], distance, evaluator.budget, evaluator.must_stop)
    if chosen not in progress:  # the only candidate is not measured
        distance(chosen, evaluator.budget)
    return progress[chosen]


def _list_moves(stones: Sequence[str], evaluator: PositionEvaluator) -> list[tuple[str, ...]]:
    """Legal moves in random order: those near the stones if there are any."""
    legal = evaluator.legal_moves(stones)
    moves = near_squares(stones, legal) or legal
    random.shuffle(moves)
    return [(move,) for move in moves]


def _list_pairs(stones: Sequence[str], evaluator: PositionEvaluator, most: int) -> list[tuple[str, ...]]:
    """Up to `most` different pairs of legal moves near the stones."""
    firsts = _list_moves(stones, evaluator)
    pairs: list[tuple[str, ...]] = []
    while firsts and len(pairs) < most:
        remaining = []
        for first in firsts[: most - len(pairs)]:
            new = [pair for move in _list_moves([*stones, *first], evaluator) if (pair := (*first, *move)) not in pairs]
            if new:
                pairs.append(new[0])
                remaining.append(first)
        firsts = remaining
    return pairs
