"""Tests of tournament ratings: values, errors, intervals of one-sided results, terms that are not determined.

Without anchors the mean rating is 0, unless the results are one-sided.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.stats import chi2

from arena.log.events import GameEnded
from arena.results.rating_model import DRAW, FIRST_MOVE
from arena.results.ratings import Estimate, RatingInterval, Ratings, estimate_ratings, list_rating_warnings
from arena.results.tables import format_engine_rating
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


ELO = math.log(10) / 400  # logits


def simulate(truth: Mapping[str, float], games: int, seed: int, advantage: float = 40.0) -> list[GameEnded]:
    """Return games of each engine against each other with both colours; a draw has the weight 0.6 between equals."""
    rng = random.Random(seed)
    played = []
    for first, second in permutations(truth, 2):
        x = (truth[first] - truth[second] + advantage) * ELO
        weights = [math.exp(x / 2), 0.6, math.exp(-x / 2)]
        played += [make_game(first, second, score) for score in rng.choices([1.0, 0.5, 0.0], weights, k=games)]
    return played


def maximize_directly(
    names: Sequence[str], games: Sequence[GameEnded], fixed: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float], float]:
    """Return Elo, half widths and cost by a minimization that shares nothing with the model.

    The parameters are the ratings of all engines that are not fixed, the first-move term and the draw term, all in
    Elo. The cost is summed game by game, its second derivatives are differences. Without `fixed` the first engine is 0.
    """
    free = [name for name in names if name not in (fixed or names[:1])]

    def cost(parameters: np.ndarray) -> float:
        ratings = {**dict.fromkeys(names, 0.0), **fixed, **dict(zip(free, parameters, strict=False))}
        first_move, draw = parameters[-2:]
        total = 0.0
        for game in games:
            x = (ratings[game.first] - ratings[game.second] + first_move) * ELO
            weights = {1.0: math.exp(x / 2), 0.5: math.exp(draw * ELO), 0.0: math.exp(-x / 2)}
            total -= math.log(weights[game.score(game.first)] / sum(weights.values()))
        return total

    start = np.append(np.full(len(free), sum(fixed.values()) / max(1, len(fixed))), [0.0, 0.0])
    best = 100 * minimize(lambda hundreds: cost(100 * hundreds), start / 100, method="BFGS", options={"gtol": 1e-7}).x
    step, size = 2.0, len(best)
    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            one, other = np.eye(size)[i] * step, np.eye(size)[j] * step
            ends = cost(best + one + other) - cost(best + one - other) - cost(best - one + other)
            hessian[i, j] = (ends + cost(best - one - other)) / (4 * step**2)
    half_widths = 1.95996 * np.sqrt(np.diag(np.linalg.inv(hessian)))
    keys = [*free, FIRST_MOVE, DRAW]
    return dict(zip(keys, best, strict=True)), dict(zip(keys, half_widths, strict=True)), cost(best)


def get_elo(ratings: Ratings, name: str) -> float:
    rated = ratings.engines[name]
    assert isinstance(rated, Estimate)
    return rated.elo


TRUTH = {"A": 2100.0, "B": 2000.0, "C": 1900.0, "D": 2050.0}


@pytest.mark.parametrize("fixed", [{"B": 2000.0}, {"B": 2000.0, "D": 2080.0}, {"A": 1500.0, "B": 1400.0, "C": 1290.0}])
def test_anchored_ratings_are_those_of_a_direct_maximization(fixed: dict[str, float]) -> None:
    """Ratings, their errors and both terms equal those of scipy's minimization with the anchors held fixed."""
    games = simulate(TRUTH, 12, seed=3)
    anchors = [Anchor(name, rating) for name, rating in fixed.items()]
    ratings = estimate_ratings(tuple(TRUTH), games, anchors)
    expected, half_widths, _ = maximize_directly(tuple(TRUTH), games, fixed)
    for name in TRUTH:
        rated = ratings.engines[name]
        assert isinstance(rated, Estimate)
        if name in fixed:
            assert (rated.elo, rated.half_width) == (fixed[name], None)
        else:
            assert rated.elo == pytest.approx(expected[name], abs=0.002)
            assert rated.half_width == pytest.approx(half_widths[name], rel=1e-3)
    assert ratings.first_move is not None
    assert ratings.first_move.elo == pytest.approx(expected[FIRST_MOVE], abs=0.002)
    assert ratings.first_move.half_width == pytest.approx(half_widths[FIRST_MOVE], rel=1e-3)
    weight = math.exp(expected[DRAW] * ELO)
    assert ratings.draw_share == pytest.approx(weight / (2 + weight), abs=1e-4)
    assert ratings.anchors == tuple(name for name in fixed)


def test_mean_is_zero_without_anchors() -> None:
    """Ratings and errors are those of the direct maximization, relative to the mean of all engines."""
    games = simulate(TRUTH, 12, seed=3)
    ratings = estimate_ratings(tuple(TRUTH), games)
    expected, _, _ = maximize_directly(tuple(TRUTH), games, {})
    mean = sum(expected.get(name, 0.0) for name in TRUTH) / 4
    for name in TRUTH:
        assert get_elo(ratings, name) == pytest.approx(expected.get(name, 0.0) - mean, abs=0.002)
    assert sum(get_elo(ratings, name) for name in TRUTH) == pytest.approx(0, abs=1e-9)
    # B - D has the variance of both plus twice their covariance; with four equal engines each error is smaller than
    # that of a difference by the factor sqrt(3/4) / sqrt(2)
    equal = simulate(dict.fromkeys("ABCD", 0.0), 200, seed=1)
    to_mean, to_anchor = (
        estimate_ratings(tuple("ABCD"), equal),
        estimate_ratings(tuple("ABCD"), equal, [Anchor("A", 0)]),
    )
    one, other = to_mean.engines["B"], to_anchor.engines["B"]
    assert isinstance(one, Estimate)
    assert isinstance(other, Estimate)
    assert one.half_width is not None
    assert other.half_width is not None
    assert one.half_width / other.half_width == pytest.approx(math.sqrt(3 / 8), rel=0.02)


@pytest.mark.parametrize("anchors", [("C",), ("A", "D"), ("A", "B", "C", "D")])
def test_shift_of_all_anchors_shifts_all_ratings(anchors: Sequence[str]) -> None:
    games = simulate(TRUTH, 5, seed=8)
    low, high = (
        estimate_ratings(tuple(TRUTH), games, [Anchor(name, TRUTH[name] + shift) for name in anchors])
        for shift in (-2000.0, 5000.0)
    )
    for name in TRUTH:
        assert get_elo(high, name) - get_elo(low, name) == pytest.approx(7000, abs=1e-6)
    assert low.first_move == high.first_move
    assert low.anchor_p_value == high.anchor_p_value


def test_one_anchor_keeps_all_differences() -> None:
    """A single anchor adds no information: only the zero point moves."""
    games = simulate(TRUTH, 8, seed=2)
    free, anchored = estimate_ratings(tuple(TRUTH), games), estimate_ratings(tuple(TRUTH), games, [Anchor("C", 1900)])
    shift = 1900 - get_elo(free, "C")
    for name in TRUTH:
        assert get_elo(anchored, name) == pytest.approx(get_elo(free, name) + shift, abs=1e-6)
    assert anchored.anchor_p_value is None


def test_anchors_connect_groups_that_never_met() -> None:
    """A and C are anchors of two groups; so B and D compare, which they do not without anchors."""
    games = make_games("A", "B", 3, 0, 1) + make_games("B", "A", 1, 0, 3)
    games += make_games("C", "D", 1, 0, 3) + make_games("D", "C", 3, 0, 1)
    ratings = estimate_ratings(tuple("ABCD"), games, [Anchor("A", 1000), Anchor("C", 1500)])
    difference = 400 * math.log10(3)
    assert get_elo(ratings, "B") == pytest.approx(1000 - difference, abs=0.01)
    assert get_elo(ratings, "D") == pytest.approx(1500 + difference, abs=0.01)
    assert ratings.groups == (tuple("ABCD"),)
    assert ratings.anchor_p_value is None


def test_group_without_an_anchor_keeps_the_mean_zero() -> None:
    games = make_games("A", "B", 3, 0, 1) + make_games("B", "A", 1, 0, 3)
    games += make_games("C", "D", 1, 0, 3) + make_games("D", "C", 3, 0, 1)
    ratings = estimate_ratings(tuple("ABCD"), games, [Anchor("A", 1000)])
    assert ratings.groups == (("A", "B"), ("C", "D"))
    assert (
        get_elo(ratings, "C") == pytest.approx(-get_elo(ratings, "D")) == pytest.approx(-200 * math.log10(3), abs=0.01)
    )


def test_anchor_that_lost_everything_bounds_the_others() -> None:
    """No finite rating of A and B is likeliest relative to C: they have a lower bound, moved by the anchor's rating."""
    games = make_games("A", "B", 3, 0, 1) + make_games("B", "A", 2, 0, 2)
    games += make_games("A", "C", 9, 0, 0) + make_games("C", "B", 0, 0, 9)
    bounds = []
    for rating in (0.0, 1200.0):
        ratings = estimate_ratings(tuple("ABC"), games, [Anchor("C", rating)])
        assert ratings.engines["C"] == Estimate(rating)
        found = ratings.engines["A"]
        assert isinstance(found, RatingInterval)
        assert found.low is not None
        assert found.high is None
        bounds.append(found.low)
    assert bounds[0] > 100
    assert bounds[1] - bounds[0] == pytest.approx(1200, abs=0.01)


def test_p_value_of_anchors_is_that_of_a_direct_likelihood_ratio() -> None:
    games = simulate(TRUTH, 12, seed=3)
    fixed = {"A": 2100.0, "B": 1900.0, "C": 1900.0}
    ratings = estimate_ratings(tuple(TRUTH), games, [Anchor(name, rating) for name, rating in fixed.items()])
    costs = [maximize_directly(tuple(TRUTH), games, given)[2] for given in (fixed, {})]
    assert ratings.anchor_p_value == pytest.approx(chi2.sf(2 * (costs[0] - costs[1]), 2), rel=1e-3)


def test_anchors_that_the_games_contradict_cause_a_warning() -> None:
    """A beats B by 19:1, but is given a lower rating; also if it won all games, where no free rating is finite."""
    anchors = [Anchor("A", 1000.0), Anchor("B", 1200.0)]
    for lost in (1, 0):
        games = make_games("A", "B", 10, 0, lost) + make_games("B", "A", 0, 0, 10)
        (warning,) = list_rating_warnings(estimate_ratings(("A", "B"), games, anchors), anchors)
        assert "contradict the ratings of the anchors" in warning
        likely = [Anchor("A", 1000.0), Anchor("B", 500.0)]
        assert list_rating_warnings(estimate_ratings(("A", "B"), games, likely), likely) == []


def test_anchor_without_games_is_ignored_with_a_warning() -> None:
    games = make_games("A", "B", 3, 1, 1) + make_games("B", "A", 2, 1, 2)
    anchors = [Anchor("C", 2000.0)]
    ratings = estimate_ratings(tuple("ABC"), games, anchors)
    assert ratings.engines == estimate_ratings(tuple("ABC"), games).engines
    assert ratings.anchors == ()
    assert list_rating_warnings(ratings, anchors) == ["anchors without games have no effect: C"]


def test_fixed_anchors_are_no_worse_than_a_shift_by_their_mean() -> None:
    """The reason why each anchor is fixed: with few games their ratings make the others more precise.

    40 tournaments of four engines with three known anchors; the errors of the fourth engine are compared.
    """
    rng = random.Random(1)
    squares: dict[str, float] = {"fixed": 0.0, "shifted": 0.0}
    for seed in range(40):
        truth = {name: rng.gauss(2000, 100) for name in "ABCD"}
        games = simulate(truth, 4, seed)
        fixed = estimate_ratings(tuple("ABCD"), games, [Anchor(name, truth[name]) for name in "ABC"])
        free = estimate_ratings(tuple("ABCD"), games)
        if not all(isinstance(rating, Estimate) for rating in free.engines.values()):
            continue
        shift = sum(truth[name] - get_elo(free, name) for name in "ABC") / 3
        squares["fixed"] += (get_elo(fixed, "D") - truth["D"]) ** 2
        squares["shifted"] += (get_elo(free, "D") + shift - truth["D"]) ** 2
    assert 0 < squares["fixed"] < squares["shifted"]


def test_only_a_given_rating_is_marked_as_that_of_an_anchor() -> None:
    """Regression: A, to which the others with one-sided results are compared, was printed as `0 (anchor)`."""
    games = make_games("A", "B", 1, 0, 0) + make_games("A", "C", 1, 0, 0) + make_games("D", "E", 2, 0, 1)
    ratings = estimate_ratings("ABCDE", games, [Anchor("D", 1500.0)])
    assert [format_engine_rating(ratings, name) for name in "AD"] == ["0 (reference)", "1500 (anchor)"]
