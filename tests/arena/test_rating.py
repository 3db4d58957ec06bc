"""Ratings of a tournament are those that its games were drawn with, and none is given where none is determined."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

from arena.ending import Ending
from arena.log import GameEnded
from arena.rating import DRAW, FIRST_MOVE, rate


def game(first: str, second: str, score: float) -> GameEnded:
    winner = {1.0: first, 0.5: "", 0.0: second}[score]
    return GameEnded(1, 1, first, second, Ending.WIN if winner else Ending.DRAW, winner, "", "", (), ())


def play(first: str, second: str, won: int, drawn: int, lost: int) -> list[GameEnded]:
    return [game(first, second, score) for score, n in ((1.0, won), (0.5, drawn), (0.0, lost)) for _ in range(n)]


def test_two_engines_have_the_rating_of_their_score() -> None:
    """Three in four as first player and one in two as second: ln 3 / 2 each for the rating and the first move."""
    ratings = rate(("B", "A"), play("A", "B", 3, 0, 1) + play("B", "A", 2, 0, 2))
    wanted = 200 * math.log10(3)
    rated = ratings.engines["A"]
    assert rated is not None
    assert rated.elo == pytest.approx(wanted, abs=0.01)
    assert ratings.first_move is not None
    assert ratings.first_move.elo == pytest.approx(wanted, abs=0.01)
    assert ratings.engines["B"] is not None
    assert (ratings.engines["B"].elo, ratings.engines["B"].error) == (0.0, None)
    assert (ratings.groups, ratings.left_out, ratings.draw_share) == ((("B", "A"),), (), None)


def test_error_is_that_of_the_score() -> None:
    """Without another term Elo's error follows from the chance of a win: 400 / ln 10 / sqrt(n p (1 - p))."""
    ratings = rate(("B", "A"), play("A", "B", 150, 0, 50) + play("B", "A", 50, 0, 150))
    rated = ratings.engines["A"]
    assert rated is not None
    assert rated.elo == pytest.approx(400 * math.log10(3), abs=0.01)
    assert rated.error == pytest.approx(1.95996 * 400 / math.log(10) / math.sqrt(400 * 0.75 * 0.25), rel=0.001)


def test_true_ratings_are_found_again() -> None:
    chance = random.Random(5)
    truth = {"a": 0.0, "b": 60.0, "c": -120.0, "d": 200.0, "e": 90.0}
    advantage, draw = 50.0, 0.8
    games = []
    for first, second in permutations(truth, 2):
        x = (truth[first] - truth[second] + advantage) * math.log(10) / 400
        weights = [math.exp(x / 2), draw, math.exp(-x / 2)]
        games += [game(first, second, score) for score in chance.choices([1.0, 0.5, 0.0], weights, k=300)]
    ratings = rate(tuple(truth), games)
    for name, elo in truth.items():
        rated = ratings.engines[name]
        assert rated is not None
        assert abs(rated.elo - elo) <= 1.5 * (rated.error or 0)
    assert ratings.first_move is not None
    assert ratings.first_move.error is not None
    assert abs(ratings.first_move.elo - advantage) <= 1.5 * ratings.first_move.error
    assert ratings.draw_share == pytest.approx(draw / (2 + draw), abs=0.02)


def test_who_lost_everything_has_no_rating_and_the_others_keep_theirs() -> None:
    ab = play("A", "B", 3, 0, 1) + play("B", "A", 2, 0, 2)
    ratings = rate(("A", "B", "C"), ab + play("A", "C", 9, 0, 0) + play("C", "B", 0, 0, 9))
    assert ratings.engines["C"] is None
    assert ratings.groups == (("A", "B"), ("C",))
    assert ratings.engines == rate(("A", "B"), ab).engines | {"C": None}


def test_groups_that_never_met_are_rated_apart() -> None:
    games = play("A", "B", 3, 2, 1) + play("B", "A", 2, 1, 2) + play("C", "D", 1, 1, 1) + play("D", "C", 2, 0, 1)
    ratings = rate(("A", "C", "B", "D"), games)
    assert ratings.groups == (("A", "B"), ("C", "D"))
    assert ratings.engines["A"] == ratings.engines["C"]  # an anchor each
    assert ratings.left_out == ()


def test_term_that_is_not_determined_is_left_out_and_told() -> None:
    """The first player won every game: its advantage is beyond all bounds, and the engines are equal."""
    ratings = rate(("A", "B"), play("A", "B", 5, 0, 0) + play("B", "A", 5, 0, 0))
    assert ratings.left_out == (FIRST_MOVE,)
    assert ratings.first_move is None
    assert ratings.engines["B"] is not None
    assert ratings.engines["B"].elo == pytest.approx(0, abs=1e-6)
    drawn = rate(("A", "B"), play("A", "B", 0, 5, 0) + play("B", "A", 0, 5, 0))
    assert set(drawn.left_out) >= {DRAW}
    assert drawn.engines["B"] is not None


def test_no_games_no_ratings() -> None:
    assert rate(("A", "B"), []).engines == {"A": None, "B": None}
    assert rate(("A", "B"), play("A", "B", 4, 0, 0)).engines == {"A": None, "B": None}
