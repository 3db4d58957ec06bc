"""The opening Swap2: the proposed three stones are even in longer searches too, and the better side is taken."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.gomoku.negotiation.evaluator import Budget
from bots.gomoku.negotiation.swap2 import SWAP, TRIPLE_COUNT, answer_swap2
from core.play.player import Setup
from tests.bots.gomoku.negotiation.fake_evaluator import FakeEvaluator

SETUP = Setup(15, 15, "freestyle")


class DeceptiveValues:
    """Values of openings: the first three look even at first, but when searched again, only one of them is.

    `even_index` is its index in the order of the searches, from 0.
    """

    def __init__(self, even_index: int) -> None:
        self.even_index = even_index
        self.seen: list[tuple[str, ...]] = []

    def __call__(self, stones: Sequence[str]) -> int:
        triple = tuple(stones)
        if triple in self.seen:
            index = self.seen.index(triple)
            return 3 if index == self.even_index else -50 - index
        self.seen.append(triple)
        return 100 if len(self.seen) > 3 else 0  # the first three seem the most even


@pytest.mark.parametrize("even_index", [0, 1, 2])
def test_even_looking_openings_are_searched_again(even_index: int) -> None:
    """Each round of sequential halving has a fourth of the budget."""
    evaluator = FakeEvaluator(DeceptiveValues(even_index), SETUP, Budget(32_000, 6400))
    stones = answer_swap2((), SETUP, evaluator)
    assert tuple(stones) == evaluator.searched[even_index][0]
    budgets = [budget for _, budget in evaluator.searched]
    assert [budget.ms for budget in budgets] == [500] * 16 + [1000] * 8 + [2000] * 4 + [4000] * 2
    assert [budget.nodes for budget in budgets] == [100] * 16 + [200] * 8 + [400] * 4 + [800] * 2
    assert TRIPLE_COUNT == 16


def test_proposal_ends_when_time_is_up() -> None:
    """After 20 searches no more may start. The most even of the four openings searched in round 2 is proposed."""
    evaluator = FakeEvaluator(DeceptiveValues(1), SETUP, max_searches=20)
    stones = answer_swap2((), SETUP, evaluator)
    assert len(evaluator.searched) == 20
    assert tuple(stones) == evaluator.searched[1][0]


@pytest.mark.parametrize("stones", [["h8", "i9", "j8"], ["h8", "i9", "j8", "g7", "k8"]])
def test_the_better_side_is_taken(stones: list[str]) -> None:
    assert answer_swap2(stones, SETUP, FakeEvaluator(lambda _: -1, SETUP)) == [SWAP]
    assert answer_swap2(stones, SETUP, FakeEvaluator(lambda _: 0, SETUP)) == ["h8"]
