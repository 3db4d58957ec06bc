"""The swap2 opening: the bot places three stones that are about even, or takes the colour that a search prefers.

After three stones the other side may also add two stones and give the choice back. We never do: the opponent would take
the better colour, so adding two stones is worth at most 0 to us, while taking the better colour now is worth at least
0.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.gomoku.negotiation.evaluator import Budget, PositionEvaluator, sequential_halving
from bots.gomoku.symmetry import squares_near_centre
from core.play.player import Setup

SWAP = "SWAP"  # the answer that exchanges colours
TRIPLE_COUNT = 16  # number of random openings of three stones that are compared
MAX_CENTRE_DISTANCE = 4  # of those stones, in columns and in rows


def answer_swap2(stones: Sequence[str], setup: Setup, evaluator: PositionEvaluator) -> list[str]:
    """Return three stones for an empty board; after three or five stones SWAP (we take black) or our move as white."""
    if not stones:
        return _choose_triple(setup, evaluator)
    decision = evaluator.search(stones, evaluator.budget)
    return [decision.move] if decision.progress.score >= 0 else [SWAP]


def _choose_triple(setup: Setup, evaluator: PositionEvaluator) -> list[str]:
    """Return the most even of some random openings of three stones."""

    def unevenness(triple: list[str], budget: Budget) -> int:
        return abs(evaluator.search(triple, budget).progress.score)

    squares = squares_near_centre(setup, MAX_CENTRE_DISTANCE)
    triples = [random.sample(squares, 3) for _ in range(TRIPLE_COUNT)]
    return sequential_halving(triples, unevenness, evaluator.budget, evaluator.must_stop)
