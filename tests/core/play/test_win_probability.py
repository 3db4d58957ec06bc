"""Win probabilities of scores: symmetric, growing, and defined for every score."""

from __future__ import annotations

import pytest

from bots.registry import GAMES
from core.play.win_probability import logistic_probability
from core.search.scores import MAX_EVALUATION


@pytest.mark.parametrize("game", GAMES)
def test_probability_grows_with_the_score(game: str) -> None:
    row = GAMES[game]
    scores = (-MAX_EVALUATION, -500, -50, 0, 50, 500, MAX_EVALUATION)
    probabilities = [row.win_probability(score, row.default_setup) for score in scores]
    assert probabilities == sorted(probabilities)
    assert probabilities[3] == 0.5
    assert probabilities[0] == pytest.approx(0, abs=1e-6)
    assert probabilities[-1] == pytest.approx(1, abs=1e-6)


def test_the_scale_is_the_score_of_73_percent() -> None:
    assert logistic_probability(180, 180) == pytest.approx(0.731, abs=1e-3)
    assert logistic_probability(-180, 180) == pytest.approx(0.269, abs=1e-3)
