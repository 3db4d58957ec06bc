"""Tests of tournament ratings: values, errors, intervals of one-sided results, terms that are not determined.

Without anchors the mean rating is 0, unless the results are one-sided.
"""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest
from scipy.optimize import brentq, minimize, minimize_scalar

from arena.log.events import GameEnded
from arena.results.rating_model import DRAW, FIRST_MOVE
from arena.results.ratings import Estimate, RatingInterval, estimate_ratings
from arena.terms.anchors import Anchor
from arena.terms.ending import Ending


def make_game(first: str, second: str, score: float) -> GameEnded:
    """Return a game with this score of the first engine."""
    winner = {1.0: first, 0.5: "", 0.0: second}[score]
    return GameEnded(1, 1, first, second, Ending.WIN if winner else Ending.DRAW, winner, "", "", (), ())


def make_games(first: str, second: str, won: int, drawn: int, lost: int) -> list[GameEnded]:
    """Return games that the first engine won, drew and lost."""
    counts = {1.0: won, 0.5: drawn, 0.0: lost}
    return [make_game(first, second, score) for score, count in counts.items() for _ in range(count)]


def test_two_engines_have_the_rating_of_their_score() -> None:
    """A score of 3/4 as first player and 1/2 as second gives ln 3 / 2 each for the rating and the first move."""
    games = make_games("A", "B", 3, 0, 1) + make_games("B", "A", 2, 0, 2)
    ratings = estimate_ratings(("B", "A"), games, [Anchor("B", 0)])
    expected = 200 * math.log10(3)
    rated = ratings.engines["A"]
    assert isinstance(rated, Estimate)
    assert rated.elo == pytest.approx(expected, abs=0.01)
    assert ratings.first_move is not None
    assert ratings.first_move.elo == pytest.approx(expected, abs=0.01)
    assert isinstance(ratings.engines["B"], Estimate)
    assert (ratings.engines["B"].elo, ratings.engines["B"].half_width) == (0.0, None)
    assert (ratings.groups, ratings.left_out, ratings.draw_share) == ((("B", "A"),), (), None)


def test_error_follows_from_the_score() -> None:
    """Without other terms the standard error of Elo is 400 / ln 10 / sqrt(n p (1 - p)), with win probability p."""
    games = make_games("A", "B", 150, 0, 50) + make_games("B", "A", 50, 0, 150)
    ratings = estimate_ratings(("B", "A"), games, [Anchor("B", 0)])
    rated = ratings.engines["A"]
    assert isinstance(rated, Estimate)
    assert rated.elo == pytest.approx(400 * math.log10(3), abs=0.01)
    assert rated.half_width == pytest.approx(1.95996 * 400 / math.log(10) / math.sqrt(400 * 0.75 * 0.25), rel=0.001)


def test_ratings_of_simulated_games_are_close_to_the_true_ones() -> None:
    rng = random.Random(5)
    truth = {"a": 0.0, "b": 60.0, "c": -120.0, "d": 200.0, "e": 90.0}  # Elo
    advantage, draw = 50.0, 0.8  # of the first player, in Elo; weight of a draw
    games = []
    for first, second in permutations(truth, 2):
        x = (truth[first] - truth[second] + advantage) * math.log(10) / 400
        weights = [math.exp(x / 2), draw, math.exp(-x / 2)]
        games += [make_game(first, second, score) for score in rng.choices([1.0, 0.5, 0.0], weights, k=300)]
    ratings = estimate_ratings(tuple(truth), games)
    mean = sum(truth.values()) / len(truth)
    for name, elo in truth.items():
        rated = ratings.engines[name]
        assert isinstance(rated, Estimate)
        assert abs(rated.elo - (elo - mean)) <= 1.5 * (rated.half_width or 0)
    assert ratings.first_move is not None
    assert ratings.first_move.half_width is not None
    assert abs(ratings.first_move.elo - advantage) <= 1.5 * ratings.first_move.half_width
    assert ratings.draw_share == pytest.approx(draw / (2 + draw), abs=0.02)


def test_engine_that_lost_everything_has_an_interval_and_the_others_keep_their_ratings() -> None:
    ab = make_games("A", "B", 3, 0, 1) + make_games("B", "A", 2, 0, 2)
    ratings = estimate_ratings(("A", "B", "C"), ab + make_games("A", "C", 9, 0, 0) + make_games("C", "B", 0, 0, 9))
    found = ratings.engines["C"]
    assert isinstance(found, RatingInterval)
    assert found.low is None
    assert found.high is not None
    assert -900 < found.high < -250
    assert ratings.groups == (("A", "B", "C"),)
    assert ratings.engines == estimate_ratings(("A", "B"), ab).engines | {"C": found}


def test_interval_ends_are_those_of_the_profile_likelihood() -> None:
    """Two engines, ten wins of B and the prior's virtual game, half won and half lost.

    Compare with scipy's minimization over rating and first-move term, in logits.
    """
    found = estimate_ratings(("A", "B"), make_games("B", "A", 5, 0, 0) + make_games("A", "B", 0, 0, 5)).engines["B"]

    def loss(rating: float, first_move: float) -> float:
        wins = math.log1p(math.exp(-rating - first_move)), math.log1p(math.exp(-rating + first_move))
        losses = math.log1p(math.exp(rating + first_move)), math.log1p(math.exp(rating - first_move))
        return 5.25 * sum(wins) + 0.25 * sum(losses)

    min_loss = minimize(lambda x: loss(*x), [1.0, 0.0], method="Nelder-Mead").fun

    def excess(rating: float) -> float:
        return float(minimize_scalar(lambda first_move: loss(rating, first_move)).fun - min_loss - 1.95996**2 / 2)

    expected = float(brentq(excess, 0, 3)) * 400 / math.log(10)
    assert isinstance(found, RatingInterval)
    assert found.low == pytest.approx(expected, abs=0.1)
    assert found.high is None


def test_intervals_between_groups_are_open_if_no_result_bounds_them() -> None:
    """A and B are even. C beat both and lost to D, which has no other games; E lost to C only."""
    games = make_games("A", "B", 2, 1, 2) + make_games("B", "A", 2, 0, 2)
    games += (
        make_games("C", "A", 4, 0, 0)
        + make_games("B", "C", 0, 0, 4)
        + make_games("D", "C", 3, 0, 0)
        + make_games("C", "E", 3, 0, 0)
    )
    ranges = {
        name: found
        for name, found in estimate_ratings(tuple("ABCDE"), games).engines.items()
        if isinstance(found, RatingInterval)
    }
    open_ends = {name: (found.low is None, found.high is None) for name, found in ranges.items()}
    assert open_ends == {"C": (False, True), "D": (False, True), "E": (True, True)}


@pytest.mark.parametrize("seed", range(3))
def test_intervals_contain_the_true_rating(seed: int) -> None:
    """A and B are even, C is 500 Elo weaker.

    Among simulated tournaments in which C scores nothing, -500 is at most once above its interval.
    """
    rng = random.Random(seed)
    truth = {"A": 0.0, "B": 0.0, "C": -500.0}
    contained = one_sided = 0
    for _ in range(25):
        games = []
        for first, second in permutations(truth, 2):
            win_probability = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            games += [make_game(first, second, float(rng.random() < win_probability)) for _ in range(3)]
        found = estimate_ratings(tuple(truth), games).engines["C"]
        if isinstance(found, RatingInterval) and found.high is not None:
            one_sided += 1
            contained += found.high >= truth["C"]
    assert one_sided >= 5
    assert contained >= one_sided - 1


def test_groups_that_never_met_are_rated_apart() -> None:
    games = (
        make_games("A", "B", 3, 2, 1)
        + make_games("B", "A", 2, 1, 2)
        + make_games("C", "D", 1, 1, 1)
        + make_games("D", "C", 2, 0, 1)
    )
    ratings = estimate_ratings(("A", "C", "B", "D"), games)
    assert ratings.groups == (("A", "B"), ("C", "D"))
    for one, other in ratings.groups:  # the mean of each group is 0
        first, second = ratings.engines[one], ratings.engines[other]
        assert isinstance(first, Estimate)
        assert isinstance(second, Estimate)
        assert first.elo == pytest.approx(-second.elo) != 0
    assert ratings.left_out == ()


def test_term_that_is_not_determined_is_listed_as_left_out() -> None:
    """The first player won every game: the first-move term has no finite estimate, and the engines are equal."""
    ratings = estimate_ratings(("A", "B"), make_games("A", "B", 5, 0, 0) + make_games("B", "A", 5, 0, 0))
    assert ratings.left_out == (FIRST_MOVE,)
    assert ratings.first_move is None
    assert isinstance(ratings.engines["B"], Estimate)
    assert ratings.engines["B"].elo == pytest.approx(0, abs=1e-6)
    drawn = estimate_ratings(("A", "B"), make_games("A", "B", 0, 5, 0) + make_games("B", "A", 0, 5, 0))
    assert set(drawn.left_out) >= {DRAW}
    assert drawn.engines["B"] is not None


def test_engines_without_games_have_no_ratings() -> None:
    assert estimate_ratings(("A", "B"), []).engines == {"A": None, "B": None}
    assert estimate_ratings(("A", "B", "C"), make_games("A", "B", 4, 0, 0)).engines["C"] is None
