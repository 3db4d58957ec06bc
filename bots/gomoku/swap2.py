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
from core.search.deepening import plan_time

SWAP = "SWAP"
TRIPLES = 16  # openings to compare before our own three stones are chosen, a power of two
TRIPLE_SPREAD = 4  # squares from the centre
TIME_SHARE = 0.5  # of what a move may take; the opening is only the first of many
MOVES_TO_GO = 12  # of ours that a game on a clock may still need, as for a move on an empty board
DEFAULT_MS = 2000  # without any limit
LEAST_MS = 20  # a search, so that a tight limit still gives an answer

Evaluate = Callable[[Sequence[str], int], Decision]  # stones and milliseconds of search


def answer_swap2(stones: Sequence[str], limits: Limits, setup: Setup, evaluate: Evaluate) -> list[str]:
    """Three stones for an empty board, else SWAP or our move as white.

    `evaluate(stones, milliseconds)` searches a position that white is to move in and gives its decision for white.
    """
    budget_ms = _budget(limits)
    if not stones:
        return _propose(setup, evaluate, limits, budget_ms)
    decision = evaluate(stones, int(budget_ms))
    return [decision.move] if decision.progress.score >= 0 else [SWAP]


def _propose(setup: Setup, evaluate: Evaluate, limits: Limits, budget_ms: float) -> list[str]:
    """The most even of some random openings of three stones, by sequential halving.

    Each round has the same time and keeps the more even half, so that what only seemed even is searched again, longer.
    """
    ends = time.perf_counter() + budget_ms / 1000
    triples = [_random_triple(setup) for _ in range(TRIPLES)]
    round_ms = budget_ms / (TRIPLES.bit_length() - 1)
    while len(triples) > 1:
        measured: list[tuple[int, list[str]]] = []
        for triple in triples:
            decision = evaluate(triple, int(max(round_ms / len(triples), LEAST_MS)))
            measured.append((abs(decision.progress.score), triple))
            if limits.stop.is_set or time.perf_counter() >= ends:
                return min(measured)[1]
        triples = [triple for _, triple in sorted(measured)[: len(measured) // 2]]
    return triples[0]


def _random_triple(setup: Setup) -> list[str]:
    def near(length: int) -> range:
        spread = min(TRIPLE_SPREAD, (length - 1) // 2)
        return range(length // 2 - spread, length // 2 + spread + 1)

    squares = [format_square(x, y) for x in near(setup.width) for y in near(setup.height)]
    return random.sample(squares, 3)


def _budget(limits: Limits) -> float:
    """Return the milliseconds for the whole decision: a part of a move's time and of one move's share of the clock."""
    move_ms = plan_time(limits, 0, MOVES_TO_GO).soft_ms
    return max((DEFAULT_MS if move_ms is None else move_ms) * TIME_SHARE, LEAST_MS)
