"""One or two moves after which the game is even, or as uneven as is asked for."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.gomoku.negotiation.judge import Budget, PositionJudge, count_candidates, find_least
from bots.gomoku.symmetry import near_squares
from core.play.player import IllegalMove, Progress


def find_balanced(stones: Sequence[str], count: int, bias: int, judge: PositionJudge) -> Progress:
    """Return 1 or 2 moves as a line, with the score that the side to move gets by them, as near to `bias` as is found.

    Raise IllegalMove if there are no such moves.
    """
    progress: dict[tuple[str, ...], Progress] = {}

    def distance(moves: tuple[str, ...], budget: Budget) -> int:
        told = judge.search([*stones, *moves], budget).progress
        score = told.score if len(moves) == 2 else -told.score
        progress[moves] = Progress(
            told.depth, told.selective_depth, score, nodes=told.nodes, time_ms=told.time_ms, pv=moves
        )
        return abs(score - bias)

    most = count_candidates(judge.budget)
    candidates = _list_moves(stones, judge) if count == 1 else _list_pairs(stones, judge, most)
    if not candidates:
        raise IllegalMove(f"there are no {count} moves to play here")
    chosen = find_least(candidates[:most], distance, judge.budget, judge.is_over)
    if chosen not in progress:  # the only candidate is not measured
        distance(chosen, judge.budget)
    return progress[chosen]


def _list_moves(stones: Sequence[str], judge: PositionJudge) -> list[tuple[str, ...]]:
    """Legal moves in random order: those near the stones if there are any."""
    legal = judge.legal_moves(stones)
    moves = near_squares(stones, legal) or legal
    random.shuffle(moves)
    return [(move,) for move in moves]


def _list_pairs(stones: Sequence[str], judge: PositionJudge, most: int) -> list[tuple[str, ...]]:
    """Up to `most` different pairs of legal moves near the stones."""
    firsts = _list_moves(stones, judge)
    pairs: list[tuple[str, ...]] = []
    while firsts and len(pairs) < most:
        left = []
        for first in firsts[: most - len(pairs)]:
            new = [pair for move in _list_moves([*stones, *first], judge) if (pair := (*first, *move)) not in pairs]
            if new:
                pairs.append(new[0])
                left.append(first)
        firsts = left
    return pairs
