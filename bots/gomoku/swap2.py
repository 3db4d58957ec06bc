"""The swap2 opening: three stones that are as even as a quick search can tell, and the side that a search prefers.

After three stones there are three answers, but adding two more stones hands the choice back: it can only be right where
no side is better. Taking the better side is worth |value| of the position, which is never below that.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from core.play.player import Decision, Limits, Setup
from core.play.squares import format_square

SWAP = "SWAP"
TRIPLES = 12  # openings to compare before our own three stones are chosen
TRIPLE_SPREAD = 4  # squares from the centre
TIME_SHARE = 0.5  # of the limit for a move; the opening is only the first of many
LEAST_MS = 20  # a search, so that a tight limit still gives an answer

Evaluate = Callable[[Sequence[str], Limits], Decision]


def answer_swap2(stones: Sequence[str], limits: Limits, setup: Setup, evaluate: Evaluate) -> list[str]:
    """Three stones for an empty board, else SWAP or our move as white.

    `evaluate(stones, limits)` searches a position that white is to move in and gives its decision for white.
    """
    budget_ms = _budget(limits)
    if not stones:
        return _propose(setup, evaluate, budget_ms)
    decision = evaluate(stones, _for_ms(budget_ms))
    return [decision.move] if decision.progress.score >= 0 else [SWAP]


def _propose(setup: Setup, evaluate: Evaluate, budget_ms: float) -> list[str]:
    """The most even of some random openings of three stones."""
    ends = time.perf_counter() + budget_ms / 1000
    best: list[str] = []
    least = 1 << 30
    for _ in range(TRIPLES):
        triple = _random_triple(setup)
        decision = evaluate(triple, _for_ms(max(budget_ms / TRIPLES, LEAST_MS)))
        if not best or abs(decision.progress.score) < least:
            best, least = triple, abs(decision.progress.score)
        if time.perf_counter() >= ends:
            break
    return best


def _random_triple(setup: Setup) -> list[str]:
    def near(length: int) -> range:
        spread = min(TRIPLE_SPREAD, (length - 1) // 2)
        return range(length // 2 - spread, length // 2 + spread + 1)

    squares = [format_square(x, y) for x in near(setup.width) for y in near(setup.height)]
    return random.sample(squares, 3)


def _budget(limits: Limits) -> float:
    given = [value for value in (limits.move_time_ms, limits.time_left_ms) if value is not None]
    return max(min(given, default=2000) * TIME_SHARE, LEAST_MS)


def _for_ms(milliseconds: float) -> Limits:
    return Limits(move_time_ms=int(milliseconds))
