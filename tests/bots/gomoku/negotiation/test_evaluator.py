"""The budget of an answer, and sequential halving within it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bots.gomoku.negotiation.evaluator import (
    DEFAULT_MS,
    MAX_MS,
    MIN_MS,
    Budget,
    PlayerEvaluator,
    allocate_budget,
    max_candidates,
    sequential_halving,
)
from core.play.player import Limits, Setup
from core.play.squares import split_squares
from core.search.scores import WIN
from tests.bots.gomoku.test_engine import engine_at

RENJU = Setup(15, 15, "renju")


@pytest.mark.parametrize(
    ("limits", "ms"),
    [
        (Limits(), DEFAULT_MS),
        (Limits(move_time_ms=3000), 1500),
        (Limits(time_left_ms=100_000), 5000),  # regression: half of it used to be spent on one answer
        (Limits(move_time_ms=30_000, time_left_ms=180_000), 9000),
        (Limits(move_time_ms=0), MIN_MS),
        (Limits(move_time_ms=5000, time_left_ms=-100), MIN_MS),
        (Limits(move_time_ms=2_000_000, time_left_ms=100_000_000), MAX_MS),  # Yixin-Board's "no limit"
    ],
)
def test_answer_takes_a_part_of_each_clock(limits: Limits, ms: float) -> None:
    assert allocate_budget(limits) == Budget(ms)


def test_nodes_are_shared_as_the_time_is() -> None:
    """A level of Yixin-Board is a number of nodes per answer, not per search."""
    budget = allocate_budget(Limits(move_time_ms=2000, nodes=10_000))
    assert budget == Budget(1000, 10_000)
    assert budget.divide(20) == Budget(50, 500)
    assert Budget(1000, 3).divide(20).nodes == 1


def counting_measure(calls: dict[int, int]) -> Callable[[int, Budget], float]:
    """Return a measure whose value is the candidate itself; it counts the calls of each candidate in `calls`."""

    def measure(candidate: int, _: Budget) -> float:
        calls[candidate] = calls.get(candidate, 0) + 1
        return candidate

    return measure


@pytest.mark.parametrize("count", [1, 2, 3, 16, 26, 64])
def test_least_candidate_is_searched_longest(count: int) -> None:
    calls: dict[int, int] = {}
    assert sequential_halving(range(count)[::-1], counting_measure(calls), Budget(1000), lambda: False) == 0
    rounds = (count - 1).bit_length()
    assert calls.get(0, 0) == rounds
    assert all(calls[candidate] < rounds for candidate in range(2, count))  # the last round compares the best two


def test_budget_is_spent_once() -> None:
    spent: list[float] = []

    def measure(candidate: int, budget: Budget) -> float:
        spent.append(budget.ms)
        return candidate

    sequential_halving(range(26), measure, Budget(1000), lambda: False)
    assert sum(spent) == pytest.approx(1000)


def test_first_search_is_the_last_when_the_time_is_over() -> None:
    calls: dict[int, int] = {}
    assert sequential_halving([5, 3, 9], counting_measure(calls), Budget(1), lambda: True) == 5
    assert calls == {5: 1}


def test_little_time_compares_few_candidates() -> None:
    assert [max_candidates(Budget(ms)) for ms in (20, 1000, 60_000)] == [4, 12, 64]


def test_decided_position_is_lost_for_the_side_to_move() -> None:
    """A player has no move there and returns no score: 0 would look like an even game."""
    evaluator = PlayerEvaluator(engine_at(""), Limits())
    five = split_squares("h8a1i8a2j8a3k8a4l8") or []
    assert evaluator.search(five, Budget(20)).progress.score == -WIN


def test_position_of_the_book_is_searched() -> None:
    """The book of first replies is not used, because its moves have no score."""
    evaluator = PlayerEvaluator(engine_at(""), Limits(move_time_ms=1000))
    decision = evaluator.search(["h8"], Budget(50))
    assert decision.progress.depth > 0
    assert decision.note != "book"


def test_best_moves_are_distinct_and_sorted_without_excluded_ones() -> None:
    evaluator = PlayerEvaluator(engine_at("", RENJU), Limits())
    stones = ["h8", "h9", "i10", "g7"]
    exclude = ["h10", "i9"]
    best = evaluator.find_best(stones, Budget(5000, 5000), 8, exclude)
    moves = [move for move, _ in best]
    assert len(set(moves)) == 8
    assert not set(moves) & {*exclude, *stones}
    assert [score for _, score in best] == sorted((score for _, score in best), reverse=True)


def test_excluded_squares_of_the_limits_are_never_proposed() -> None:
    """Regression: with walls (code 3 of BOARD), YXBALANCEONE chose a wall and failed."""
    exclude = ["h10", "i9"]
    evaluator = PlayerEvaluator(engine_at("", RENJU), Limits(excluded_moves=tuple(exclude)))
    stones = ["h8", "h9", "i10", "g7"]
    assert len(evaluator.legal_moves(stones)) == 225 - 4 - 2
    assert evaluator.search(stones, Budget(5000, 2000)).move not in exclude
    assert not {move for move, _ in evaluator.find_best(stones, Budget(5000, 5000), 8, ["h7"])} & {*exclude, "h7"}


def test_moves_drawn_at_random_are_not_offered_twice() -> None:
    """Below level 10 the engine reports a move that it draws at random a second time, as PV 1."""
    player = engine_at("", RENJU, "pentad:level=1,seed=1")
    for _ in range(20):
        evaluator = PlayerEvaluator(player, Limits())
        moves = [move for move, _ in evaluator.find_best(["h8", "h9", "i10", "g7"], Budget(5000, 500), 8, ())]
        assert len(moves) == len(set(moves))
