"""The opening Soosorv-8: standard openings, even fourth moves, distinct fifth moves, and the choice among them.

White demands a number of offers, black offers that many fifth moves, and white selects one. With a `FakeEvaluator`,
scores are given by a function of the position; `engine_at` returns the real engine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from bots.gomoku.negotiation.evaluator import Budget
from bots.gomoku.negotiation.soosorv import (
    BEST_FOURTH_COUNT,
    MAX_OFFERS,
    OTHER_FOURTH_COUNT,
    Soosorv,
    list_openings,
)
from bots.gomoku.symmetry import canonical_form, list_symmetric_lines
from core.play.player import Decision, Limits, ProgressCallback, Setup, ignore_progress
from core.play.squares import parse_square
from tests.bots.gomoku.negotiation.fake_evaluator import FakeEvaluator
from tests.bots.gomoku.test_engine import engine_at

RENJU = Setup(15, 15, "renju")
OPENING = ["h8", "h9", "i10"]


def value_of(stones: Sequence[str]) -> int:
    """Return a pseudo-random value of a position, equal for its symmetric images."""
    return random.Random(repr(canonical_form(stones, RENJU))).randint(-500, 500)


def soosorv(evaluator: FakeEvaluator) -> Soosorv:
    return Soosorv(RENJU, evaluator)


def is_standard(stones: Sequence[str], setup: Setup) -> bool:
    """Return True if three stones are a standard opening, by Yixin-Board's check."""
    squares = [parse_square(stone) or (-9, -9) for stone in stones]
    distances = [max(abs(x - setup.width // 2), abs(y - setup.height // 2)) for x, y in squares]
    return distances[0] == 0 and distances[1] == 1 and distances[2] <= 2 and len(set(stones)) == 3


def test_there_are_26_standard_openings() -> None:
    openings = {tuple(map(tuple, offsets)) for offsets in list_openings()}
    assert len(openings) == 26
    assert sum(offsets[1] == (0, -1) for offsets in list_openings()) == 13  # direct ones; the others are indirect


@pytest.mark.parametrize("setup", [RENJU, Setup(20, 20, "renju"), Setup(5, 5, "renju"), Setup(15, 9, "renju")])
def test_proposal_is_the_most_even_standard_opening(setup: Setup) -> None:
    evaluator = FakeEvaluator(lambda _: len(evaluator.searched) * 7 % 101 - 50, setup)
    for _ in range(10):
        assert is_standard(Soosorv(setup, evaluator).propose_opening(), setup)
    values: dict[tuple[str, ...], int] = {}

    def value(stones: Sequence[str]) -> int:
        return values.setdefault(tuple(stones), random.Random(len(values)).randint(-500, 500))

    evaluator = FakeEvaluator(value, setup)
    proposed = Soosorv(setup, evaluator).propose_opening()
    assert len(values) == 26
    assert abs(values[tuple(proposed)]) == min(map(abs, values.values()))


def test_black_is_taken_if_white_is_worse() -> None:
    assert soosorv(FakeEvaluator(lambda _: -1, RENJU)).should_take_black(OPENING)
    assert not soosorv(FakeEvaluator(lambda _: 0, RENJU)).should_take_black(OPENING)


def test_fourth_move_and_number_make_blacks_worst_offer_even() -> None:
    evaluator = FakeEvaluator(value_of, RENJU)
    fourth, offers = soosorv(evaluator).find_fourth(OPENING)
    stones = [*OPENING, fourth]
    values = [value for _, value in soosorv(evaluator)._find_fifths(stones, Budget(1), MAX_OFFERS)]
    assert 1 <= offers <= MAX_OFFERS
    assert abs(values[offers - 1]) == min(map(abs, values))
    compared = {stones for stones, _ in evaluator.searched if len(stones) == 4}
    assert len(compared) == BEST_FOURTH_COUNT + OTHER_FOURTH_COUNT
    for other in compared:
        theirs = [value for _, value in soosorv(evaluator)._find_fifths(other, Budget(1), MAX_OFFERS)]
        assert min(map(abs, theirs)) >= abs(values[offers - 1])


def test_white_is_taken_if_blacks_worst_offer_loses() -> None:
    """Black gets the offer that white selects, so the number of offers decides."""
    values_for_black = {"g7": 300, "j8": 100, "g9": -50}
    evaluator = FakeEvaluator(lambda stones: -values_for_black.get(stones[-1], -400), RENJU)
    stones = [*OPENING, "i7"]
    assert [soosorv(evaluator).should_take_white(stones, offers) for offers in (1, 2, 3, 4)] == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("offers", [1, 5, 8])
def test_blacks_best_fifth_moves_are_offered(offers: int) -> None:
    evaluator = FakeEvaluator(value_of, RENJU)
    stones = [*OPENING, "i7"]
    fifths = soosorv(evaluator).find_fifths(stones, offers)
    best = evaluator.find_best(stones, Budget(1), offers, ())
    assert [-value_of([*stones, fifth]) for fifth in fifths] == [value for _, value in best]


# Sets of four stones with a symmetry, whose axis or centre is not always in the middle of the board.
SYMMETRIC = [
    ["h8", "i9", "j10", "g7"],
    ["h8", "h9", "h7", "h10"],
    ["h8", "h9", "h10", "h7"],
    ["h9", "g8", "h7", "i8"],
    ["c3", "d3", "e3", "f3"],
    ["h8", "h9", "j8", "j9"],
]


@pytest.mark.parametrize("stones", SYMMETRIC)
def test_no_two_fifth_moves_are_alike(stones: list[str]) -> None:
    """The rule forbids to offer two symmetric images of one move, although the engine rates both highly."""
    player = engine_at("", RENJU)
    fifths = player.soosorv(Limits(nodes=3000)).find_fifths(stones, 8)
    assert len(set(fifths)) == 8
    assert not set(fifths) & set(stones)
    symmetries = [index for index in range(8) if same_stones(list_symmetric_lines(stones, RENJU)[index], stones)]
    for fifth in fifths:
        images = {list_symmetric_lines([fifth], RENJU)[index][0] for index in symmetries}
        assert not images & (set(fifths) - {fifth})
    assert len({canonical_form([*stones, fifth], RENJU) for fifth in fifths}) == 8


def test_symmetric_moves_are_not_counted_among_the_best() -> None:
    """If images were counted, the eighth best move would have the value of about the fourth best."""
    evaluator = FakeEvaluator(value_of, RENJU)
    stones = SYMMETRIC[0]
    fifths = soosorv(evaluator)._find_fifths(stones, Budget(1), 8)
    values = sorted({canonical_form([*stones, move], RENJU): value for move, value in fifths}.values(), reverse=True)
    assert [value for _, value in fifths] == values
    assert len(values) == 8


def same_stones(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return True if two lines of moves place the same black and the same white stones."""
    return set(one[::2]) == set(other[::2]) and set(one[1::2]) == set(other[1::2])


def test_small_board_offers_what_it_has() -> None:
    player = engine_at("", Setup(5, 5, "renju"))
    fifths = player.soosorv(Limits(nodes=100)).find_fifths(["c3", "c4", "c2", "c5"], 8)
    assert len(set(fifths)) == len(fifths) == 8


def test_offers_are_filled_up_if_the_search_finds_few() -> None:
    """No two offers are symmetric images of each other, not even among those far from the stones."""
    evaluator = FakeEvaluator(value_of, RENJU, max_best=2, distance=14)
    fifths = soosorv(evaluator).find_fifths(SYMMETRIC[0], 8)
    assert len({canonical_form([*SYMMETRIC[0], fifth], RENJU) for fifth in fifths}) == 8


def test_fifth_move_worst_for_black_is_selected() -> None:
    evaluator = FakeEvaluator(value_of, RENJU)
    stones = [*OPENING, "i7"]
    fifths = ["g7", "j8", "g9", "k8", "h11"]
    chosen = soosorv(evaluator).choose_fifth(stones, fifths)
    assert value_of([*stones, chosen]) == max(value_of([*stones, fifth]) for fifth in fifths)
    assert soosorv(evaluator).choose_fifth(stones, ["g7"]) == "g7"


def test_engine_leaves_no_open_three_to_black() -> None:
    """Two of the three offers, j8 and g8, would give black an open three, which wins."""
    player = engine_at("", RENJU)
    stones = ["h8", "a1", "i8", "o15"]
    chosen = player.soosorv(Limits(nodes=20_000)).choose_fifth(stones, ["j8", "c12", "g8"])
    assert chosen == "c12"


# Calls for the bot's decision in each of the six steps of the opening.
STEPS: dict[str, Callable[[Soosorv], object]] = {
    "1": lambda steps: steps.propose_opening(),
    "2": lambda steps: steps.should_take_black(OPENING),
    "3": lambda steps: steps.find_fourth(OPENING),
    "4": lambda steps: steps.should_take_white([*OPENING, "i7"], 3),
    "5": lambda steps: steps.find_fifths([*OPENING, "i7"], 3),
    "6": lambda steps: steps.choose_fifth([*OPENING, "i7"], ["g7", "j8", "g9"]),
}


@pytest.mark.parametrize("step", STEPS)
def test_step_is_answered_within_its_nodes(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yixin-Board sets a level as a number of nodes for the whole answer, with a time limit of 2,000,000 ms."""
    player = engine_at("", RENJU)
    nodes: list[int] = []
    choose = player.choose

    def count(limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        nodes.append(limits.nodes or 0)
        return choose(limits, report)

    monkeypatch.setattr(player, "choose", count)
    STEPS[step](player.soosorv(Limits(move_time_ms=2_000_000, nodes=10_000)))
    assert 0 < sum(nodes) <= 10_000
    assert 0 not in nodes
