"""The swap2 opening: three stones that are as even as a quick search can tell, and the side that a search prefers.

After three stones there are three answers, but adding two more stones hands the choice back: it can only be right if
no side is better. Taking the better side is worth |value| of the position, which is never below that.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.gomoku.negotiation.evaluator import Budget, PositionEvaluator, sequential_halving
from core.play.player import Setup
from core.play.squares import format_square

SWAP = "SWAP"
TRIPLES = 16  # openings to compare before our own three stones are chosen
TRIPLE_SPREAD = 4  # squares from the centre


def answer_swap2(stones: Sequence[str], setup: Setup, evaluator: PositionEvaluator) -> list[str]:
    """Return three stones for an empty board, else SWAP or our move as white, who is to move."""
    if not stones:
        return _choose_triple(setup, evaluator)
    decision = evaluator.search(stones, evaluator.budget)
    return [decision.move] if decision.progress.score >= 0 else [SWAP]


def _choose_triple(setup: Setup, evaluator: PositionEvaluator) -> list[str]:
    """The most even of some random openings of three stones."""

    def unevenness(triple: list[str], budget: Budget) -> int:
        return abs(evaluator.search(triple, budget).progress.score)

    triples = [_random_triple(setup) for _ in range(TRIPLES)]
    return sequential_halving(triples, unevenness, evaluator.budget, evaluator.must_stop)


def _random_triple(setup: Setup) -> list[str]:
    def near(length: int) -> range:
        spread = min(TRIPLE_SPREAD, (length - 1) // 2)
        return range(length // 2 - spread, length // 2 + spread + 1)

    squares = [format_square(x, y) for x in near(setup.width) for y in near(setup.height)]
    return random.sample(squares, 3)
