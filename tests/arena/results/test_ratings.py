"""Ratings of a tournament are those that its games were drawn with, and none is given where none is determined."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest
from scipy.optimize import brentq, minimize, minimize_scalar

from arena.log.events import GameEnded
from arena.results.ratings import DRAW, FIRST_MOVE, Estimate, RatingInterval, estimate_ratings
from arena.terms.ending import Ending


def game(first: str, second: str, score: float) -> GameEnded:
    winner = {1.0: first, 0.5: "", 0.0: second}[score]
    return GameEnded(1, 1, first, second, Ending.WIN if winner else Ending.DRAW, winner, "", "", (), ())


def play(first: str, second: str, won: int, drawn: int, lost: int) -> list[GameEnded]:
    return [game(first, second, score) for score, n in ((1.0, won), (0.5, drawn), (0.0, lost)) for _ in range(n)]


def test_two_engines_have_the_rating_of_their_score() -> None:
    """Three in four as first player and one in two as second: ln 3 / 2 each for the rating and the first move."""
    ratings = estimate_ratings(("B", "A"), play("A", "B", 3, 0, 1) + play("B", "A", 2, 0, 2))
    wanted = 200 * math.log10(3)
    rated = ratings.engines["A"]
    assert isinstance(rated, Estimate)
    assert rated.elo == pytest.approx(wanted, abs=0.01)
    assert ratings.first_move is not None
    assert ratings.first_move.elo == pytest.approx(wanted, abs=0.01)
    assert isinstance(ratings.engines["B"], Estimate)
    assert (ratings.engines["B"].elo, ratings.engines["B"].half_width) == (0.0, None)
    assert (ratings.groups, ratings.left_out, ratings.draw_share) == ((("B", "A"),), (), None)


def test_error_is_that_of_the_score() -> None:
    """Without another term Elo's error follows from the chance of a win: 400 / ln 10 / sqrt(n p (1 - p))."""
    ratings = estimate_ratings(("B", "A"), play("A", "B", 150, 0, 50) + play("B", "A", 50, 0, 150))
    rated = ratings.engines["A"]
    assert isinstance(rated, Estimate)
    assert rated.elo == pytest.approx(400 * math.log10(3), abs=0.01)
    assert rated.half_width == pytest.approx(1.95996 * 400 / math.log(10) / math.sqrt(400 * 0.75 * 0.25), rel=0.001)


def test_true_ratings_are_found_again() -> None:
    chance = random.Random(5)
    truth = {"a": 0.0, "b": 60.0, "c": -120.0, "d": 200.0, "e": 90.0}
    advantage, draw = 50.0, 0.8
    games = []
    for first, second in permutations(truth, 2):
        x = (truth[first] - truth[second] + advantage) * math.log(10) / 400
        weights = [math.exp(x / 2), draw, math.exp(-x / 2)]
        games += [game(first, second, score) for score in chance.choices([1.0, 0.5, 0.0], weights, k=300)]
    ratings = estimate_ratings(tuple(truth), games)
    for name, elo in truth.items():
        rated = ratings.engines[name]
        assert isinstance(rated, Estimate)
        assert abs(rated.elo - elo) <= 1.5 * (rated.half_width or 0)
    assert ratings.first_move is not None
    assert ratings.first_move.half_width is not None
    assert abs(ratings.first_move.elo - advantage) <= 1.5 * ratings.first_move.half_width
    assert ratings.draw_share == pytest.approx(draw / (2 + draw), abs=0.02)


def test_who_lost_everything_has_an_interval_and_the_others_keep_their_ratings() -> None:
    ab = play("A", "B", 3, 0, 1) + play("B", "A", 2, 0, 2)
    ratings = estimate_ratings(("A", "B", "C"), ab + play("A", "C", 9, 0, 0) + play("C", "B", 0, 0, 9))
    found = ratings.engines["C"]
    assert isinstance(found, RatingInterval)
    assert found.low is None
    assert found.high is not None
    assert -900 < found.high < -250
    assert ratings.groups == (("A", "B", "C"),)
    assert ratings.engines == estimate_ratings(("A", "B"), ab).engines | {"C": found}


def test_end_of_an_interval_is_where_the_likelihood_has_fallen() -> None:
    """Two engines, ten games won, and the prior's one: with a search of scipy's own over rating and first move."""
    found = estimate_ratings(("A", "B"), play("B", "A", 5, 0, 0) + play("A", "B", 0, 0, 5)).engines["B"]

    def loss(rating: float, first_move: float) -> float:
        wins = math.log1p(math.exp(-rating - first_move)), math.log1p(math.exp(-rating + first_move))
        losses = math.log1p(math.exp(rating + first_move)), math.log1p(math.exp(rating - first_move))
        return 5.25 * sum(wins) + 0.25 * sum(losses)

    least = minimize(lambda x: loss(*x), [1.0, 0.0], method="Nelder-Mead").fun

    def excess(rating: float) -> float:
        return float(minimize_scalar(lambda first_move: loss(rating, first_move)).fun - least - 1.95996**2 / 2)

    wanted = float(brentq(excess, 0, 3)) * 400 / math.log(10)
    assert isinstance(found, RatingInterval)
    assert found.low == pytest.approx(wanted, abs=0.1)
    assert found.high is None


def test_interval_between_groups_has_the_ends_that_results_set() -> None:
    """A and B are even. C beat them and lost to D, who has met nobody else; E lost to C alone: nothing bounds it."""
    games = play("A", "B", 2, 1, 2) + play("B", "A", 2, 0, 2)
    games += play("C", "A", 4, 0, 0) + play("B", "C", 0, 0, 4) + play("D", "C", 3, 0, 0) + play("C", "E", 3, 0, 0)
    ranges = {
        name: found
        for name, found in estimate_ratings(tuple("ABCDE"), games).engines.items()
        if isinstance(found, RatingInterval)
    }
    ends = {name: (found.low is None, found.high is None) for name, found in ranges.items()}
    assert ends == {"C": (False, True), "D": (False, True), "E": (True, True)}


@pytest.mark.parametrize("seed", range(3))
def test_intervals_hold_the_truth(seed: int) -> None:
    """A and B are even, C is 500 Elo weaker: where it scores nothing, its interval must not be far off."""
    chance = random.Random(seed)
    truth = {"A": 0.0, "B": 0.0, "C": -500.0}
    held = one_sided = 0
    for _ in range(25):
        games = []
        for first, second in permutations(truth, 2):
            won = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            games += [game(first, second, float(chance.random() < won)) for _ in range(3)]
        found = estimate_ratings(tuple(truth), games).engines["C"]
        if isinstance(found, RatingInterval) and found.high is not None:
            one_sided += 1
            held += found.high >= truth["C"]
    assert one_sided >= 5
    assert held >= one_sided - 1


def test_groups_that_never_met_are_rated_apart() -> None:
    games = play("A", "B", 3, 2, 1) + play("B", "A", 2, 1, 2) + play("C", "D", 1, 1, 1) + play("D", "C", 2, 0, 1)
    ratings = estimate_ratings(("A", "C", "B", "D"), games)
    assert ratings.groups == (("A", "B"), ("C", "D"))
    assert ratings.engines["A"] == ratings.engines["C"]  # an anchor each
    assert ratings.left_out == ()


def test_term_that_is_not_determined_is_left_out_and_told() -> None:
    """The first player won every game: its advantage is beyond all bounds, and the engines are equal."""
    ratings = estimate_ratings(("A", "B"), play("A", "B", 5, 0, 0) + play("B", "A", 5, 0, 0))
    assert ratings.left_out == (FIRST_MOVE,)
    assert ratings.first_move is None
    assert isinstance(ratings.engines["B"], Estimate)
    assert ratings.engines["B"].elo == pytest.approx(0, abs=1e-6)
    drawn = estimate_ratings(("A", "B"), play("A", "B", 0, 5, 0) + play("B", "A", 0, 5, 0))
    assert set(drawn.left_out) >= {DRAW}
    assert drawn.engines["B"] is not None


def test_no_games_no_ratings() -> None:
    assert estimate_ratings(("A", "B"), []).engines == {"A": None, "B": None}
    assert estimate_ratings(("A", "B", "C"), play("A", "B", 4, 0, 0)).engines["C"] is None
