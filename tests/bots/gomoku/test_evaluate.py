"""The kernels' linear evaluation against its slow reference implementation in naive_evaluate.py."""

from __future__ import annotations

import random

import pytest

from core.play.player import Setup
from tests.bots.gomoku.boards import board_of, choose_crowded, empty_position
from tests.bots.gomoku.naive_evaluate import evaluate
from tests.bots.gomoku.test_rules import ALL_RULES


@pytest.mark.parametrize("variant", ALL_RULES)
@pytest.mark.parametrize("game_count", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_evaluation_equals_naive_evaluation(variant: str, game_count: int) -> None:
    """Some positions of random games on boards of several sizes are evaluated."""
    rng = random.Random(variant)
    for _ in range(game_count):
        position = empty_position(Setup(rng.choice((5, 7, 9, 12, 15)), rng.choice((6, 9, 15)), variant))
        while position.outcome() is None:
            if rng.random() < 0.15:
                expected = evaluate(board_of(position), position.to_move)
                assert position.library.evaluate(position.state) == expected, (position.setup, position.moves)
            position.play(choose_crowded(position, rng))
