"""`find_balanced`: one or two moves after which the score of a position is close to a requested one, the bias.

With a `FakeEvaluator`, scores are given by `value_of`; `engine_at` returns the real engine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from bots.gomoku.negotiation.balance import find_balanced
from bots.gomoku.negotiation.evaluator import Budget
from core.play.player import PASS, IllegalMove, Limits, Setup
from core.search.scores import MAX_EVALUATION
from tests.bots.gomoku.negotiation.fake_evaluator import FakeEvaluator
from tests.bots.gomoku.test_engine import engine_at

FREESTYLE = Setup(15, 15, "freestyle")


def value_of(stones: Sequence[str]) -> int:
    """Return a pseudo-random value of a position for the side to move."""
    return random.Random(repr(stones)).randint(-500, 500)


@pytest.mark.parametrize("bias", [-300, 0, 300])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("stones", [[], ["h8"], ["h8", "i9", "g7"], ["h8", PASS, "i8", "a1"]])
def test_score_is_the_nearest_to_the_bias_of_all_searched_ones(stones: list[str], count: int, bias: int) -> None:
    evaluator = FakeEvaluator(value_of, FREESTYLE, Budget(60_000))
    found = find_balanced(stones, count, bias, evaluator)
    assert len(set(found.pv)) == count
    sign = -1 if count == 1 else 1  # a value is for the side that moves after the `count` moves
    scores = [sign * value_of(list(line)) for line, _ in evaluator.searched]
    assert found.score == sign * value_of([*stones, *found.pv])
    assert abs(found.score - bias) == min(abs(score - bias) for score in scores)
    assert len({line for line, _ in evaluator.searched}) > 8


def test_winning_move_does_not_balance() -> None:
    """Regression: a game that was over used to have no score, which looked like an even one."""
    for _ in range(3):
        # A new engine each time, because `balance` changes its position. Black's four wins on g8 and on l8.
        found = engine_at("h8a1i8c1j8e1k8g2").balance(1, 0, Limits(nodes=5000))
        assert not set(found.pv) & {"g8", "l8"}
        assert found.proven_result == ""


def test_engine_balances_with_two_legal_moves_and_no_proven_result() -> None:
    player = engine_at("h8")
    found = player.balance(2, 0, Limits(nodes=50_000))
    assert len(found.pv) == 2
    assert abs(found.score) < MAX_EVALUATION
    player.set_position(["h8", *found.pv])  # legal


def test_too_few_moves_raise_illegal_move() -> None:
    """One move after a five, and two moves with a single free square, are too many."""
    with pytest.raises(IllegalMove):
        engine_at("h8a1i8a2j8a3k8a4l8").balance(1, 0, Limits(nodes=100))
    full = Setup(5, 5, "renju")
    squares = [f"{letter}{row}" for row in range(1, 6) for letter in "abcde"][:-1]
    random.Random(3).shuffle(squares)
    player = engine_at("", full)
    player.set_position(squares)
    with pytest.raises(IllegalMove):
        player.balance(2, 0, Limits(nodes=100))


def test_only_candidate_is_returned_with_its_score() -> None:
    """Sequential halving does not measure a single candidate."""
    setup, rng = Setup(5, 5, "freestyle"), random.Random(5)
    evaluator = FakeEvaluator(lambda _: 7, setup)
    squares = [f"{letter}{row}" for row in range(1, 6) for letter in "abcde"]
    rng.shuffle(squares)
    while evaluator.legal_moves(squares[:-1]) != squares[-1:]:  # nobody has won
        rng.shuffle(squares)
    found = find_balanced(squares[:-1], 1, 0, evaluator)
    assert (found.pv, found.score) == ((squares[-1],), -7)
