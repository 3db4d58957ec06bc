"""The estimate against its slow twin."""

from __future__ import annotations

import random

import pytest

from bots.gomoku.position import PAD, STRIDE, GomokuPosition
from core.play.player import Setup
from tests.bots.gomoku.naive import Board
from tests.bots.gomoku.naive_evaluate import evaluate
from tests.bots.gomoku.test_rules import ALL_RULES, choose_crowded, start


def board_of(position: GomokuPosition) -> Board:
    """The stones of a position."""
    points = [(cell % STRIDE - PAD, cell // STRIDE - PAD) for cell in position.cells]
    stones = {point: number % 2 for number, point in enumerate(points)}
    return Board(position.setup.width, position.setup.height, int(position.state.rule), stones)


@pytest.mark.parametrize("variant", ALL_RULES)
@pytest.mark.parametrize("games", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_equals_the_weighted_codes_and_grades(variant: str, games: int) -> None:
    """In every phase of games on boards of all sizes, for either side; a wrong sign of a part plays on all the same."""
    chance = random.Random(variant)
    for _ in range(games):
        position = start(Setup(chance.choice((5, 7, 9, 12, 15)), chance.choice((6, 9, 15)), variant))
        while position.outcome() is None:
            if chance.random() < 0.15:
                wanted = evaluate(board_of(position), position.to_move)
                assert position.library.evaluate(position.state) == wanted, (position.setup, position.moves)
            position.play(choose_crowded(position, chance))
