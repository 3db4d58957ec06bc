"""The linear evaluation against its slow reference implementation."""

from __future__ import annotations

import random

import pytest

from bots.gomoku.position import PAD, STRIDE, GomokuPosition
from core.play.player import Setup
from tests.bots.gomoku.naive import Board
from tests.bots.gomoku.naive_evaluate import evaluate
from tests.bots.gomoku.test_rules import ALL_RULES, choose_crowded, start


def board_of(position: GomokuPosition) -> Board:
    """Return the stones of a position."""
    points = [(cell % STRIDE - PAD, cell // STRIDE - PAD) for cell in position.cells]
    stones = {point: number % 2 for number, point in enumerate(points)}
    return Board(position.setup.width, position.setup.height, int(position.state.rule), stones)


@pytest.mark.parametrize("variant", ALL_RULES)
@pytest.mark.parametrize("games", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_evaluation_equals_naive_evaluation(variant: str, games: int) -> None:
    """Along games on boards of several sizes, for both sides."""
    rng = random.Random(variant)
    for _ in range(games):
        position = start(Setup(rng.choice((5, 7, 9, 12, 15)), rng.choice((6, 9, 15)), variant))
        while position.outcome() is None:
            if rng.random() < 0.15:
                wanted = evaluate(board_of(position), position.to_move)
                assert position.library.evaluate(position.state) == wanted, (position.setup, position.moves)
            position.play(choose_crowded(position, rng))
