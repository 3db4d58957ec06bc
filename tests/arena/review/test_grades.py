"""Grades and accuracy: the thresholds, and the formulas as lichess publishes them.

A loss is the drop in the win probability of the side that moves, 0 to 1.
"""

from __future__ import annotations

import pytest

from arena.review.grades import (
    PRESETS,
    Grade,
    Thresholds,
    list_volatilities,
    move_accuracy,
    player_accuracy,
)


@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (0.0, Grade.GOOD),
        (0.049, Grade.GOOD),
        (0.05, Grade.INACCURACY),
        (0.10, Grade.MISTAKE),
        (0.15, Grade.BLUNDER),
        (1.0, Grade.BLUNDER),
    ],
)
def test_a_move_is_graded_by_its_loss(loss: float, grade: Grade) -> None:
    assert Thresholds().grade(loss) == grade


def test_presets_are_milder_for_beginners_and_stricter_for_experts() -> None:
    assert [PRESETS[name].grade(0.07) for name in ("beginner", "club", "expert")] == [
        *(Grade.GOOD, Grade.INACCURACY, Grade.MISTAKE)
    ]


def test_accuracy_of_a_move_follows_the_formula() -> None:
    assert move_accuracy(0.0) == 100
    assert move_accuracy(0.10) == pytest.approx(103.1668 * 0.647006 - 3.1669, abs=1e-3)
    assert move_accuracy(1.0) == 0


def test_volatility_is_high_where_the_probability_moves() -> None:
    calm = list_volatilities([0.5] * 41)
    assert calm == [0.005] * 40
    jump = list_volatilities([0.5] * 20 + [0.9] * 21)
    assert max(range(40), key=jump.__getitem__) in (19, 20, 21)
    assert max(jump) == 0.12


def test_one_blunder_costs_more_than_its_share() -> None:
    losses, weights = [0.0] * 9 + [0.6], [1.0] * 10
    mean = (9 * 100 + move_accuracy(0.6)) / 10
    accuracy = player_accuracy(losses, weights)
    assert accuracy is not None
    assert accuracy < mean - 10
    assert player_accuracy([], []) is None
