"""The estimate against its slow twin."""

from __future__ import annotations

import random

import pytest

from bots.pentago.position import PentagoPosition
from core.play.player import Setup
from tests.bots.pentago import naive
from tests.bots.pentago.naive_evaluate import evaluate
from tests.bots.pentago.positions import format_cells, sharp_position


def random_cells(source: random.Random, marbles: int) -> naive.Cells:
    """So many marbles anywhere, nobody with five."""
    while True:
        squares = source.sample([(x, y) for x in range(6) for y in range(6)], marbles)
        cells = {square: "wb"[number % 2] for number, square in enumerate(squares)}
        if not naive.outcome(cells):
            return cells


def estimate(position: PentagoPosition, text: str) -> int:
    position.restart(Setup(position=text))
    return int(position.library.evaluate(position.state))


@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_equals_the_sum_of_its_parts(rounds: int) -> None:
    """In every phase, also where somebody threatens five; a part with a wrong sign plays on all the same."""
    source, position = random.Random(11), PentagoPosition(Setup())
    for _ in range(rounds):
        for marbles in range(36):
            texts = [format_cells(random_cells(source, marbles), "wb"[marbles % 2])]
            if 8 <= marbles < 34:
                texts.append(sharp_position(source, marbles))
            for text in texts:
                assert estimate(position, text) == evaluate(*naive.parse(text)), text
