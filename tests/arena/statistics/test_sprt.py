"""Tests of the SPRT: parsing, error rates, schedule order, and the text of its state."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.statistics import elo as stats
from arena.statistics.sprt import (
    H0,
    H1,
    LOGISTIC,
    MAX_ELO,
    NORMALIZED,
    Sprt,
    SprtState,
    format_sprt,
    parse_sprt,
    run_sprt,
)

WON, LOST, SPLIT = (1.0, 1.0), (0.0, 0.0), (1.0, 0.0)  # scores of the first engine in both games of a pair


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0,10", Sprt(0, 10, NORMALIZED, 0.05, 0.05)),
        ("-10,0,normalized", Sprt(-10, 0, NORMALIZED, 0.05, 0.05)),
        ("0.5, 2.5, logistic", Sprt(0.5, 2.5, LOGISTIC, 0.05, 0.05)),
    ],
)
def test_parse_sprt(text: str, expected: Sprt) -> None:
    assert parse_sprt(text, 0.05, 0.05) == expected


@pytest.mark.parametrize(
    ("text", "alpha", "expected"),
    [
        ("10", 0.05, "must be ELO0,ELO1 or ELO0,ELO1,MODEL, such as 0,10,normalized, not '10'"),
        ("a,b", 0.05, "such as 0,10,normalized, not 'a,b'"),
        ("nan,1", 0.05, "elo0 must be below elo1, both within ±200 nElo"),
        ("10,0", 0.05, "elo0 must be below elo1, both within ±200 nElo, not 10,0"),
        ("0,300", 0.05, "both within ±200 nElo"),
        ("0,2000,logistic", 0.05, "both within ±1000 Elo"),
        ("0,10,bayesian", 0.05, "the model must be logistic or normalized, not 'bayesian'"),
        ("0,10", 0.5, "alpha and beta must be between 0 and 0.5, not 0.5 and 0.05"),
    ],
)
def test_parse_sprt_refuses_bad_values(text: str, alpha: float, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        parse_sprt(text, alpha, 0.05)


def test_str_has_hypotheses_bounds_and_unit() -> None:
    expected = "0 against 10 nElo (normalized), bounds -2.94 and 2.94 (alpha 0.05, beta 0.05)"
    assert str(Sprt(0, 10)) == expected


@given(
    st.lists(st.integers(0, 40), min_size=5, max_size=5).filter(any),
    st.sampled_from([LOGISTIC, NORMALIZED]),
    st.floats(-1, 1),
    st.floats(0.001, 1),
)
@settings(deadline=None)  # the first root finder is imported
def test_ratio_is_finite_within_the_limits(counts: list[int], model: str, low: float, width: float) -> None:
    """Beyond MAX_ELO the fit has no root for some counts (normalized: from 230 nElo on)."""
    limit = MAX_ELO[model]
    elo0 = low * limit
    llr = Sprt(elo0, min(limit, elo0 + width * limit), model).llr(tuple(counts))
    assert math.isfinite(llr)


def test_pairs_count_in_schedule_order() -> None:
    """Pairs 2 to 30 are won and finished, but do not decide the test before pair 1 is finished."""
    sprt_state = SprtState(Sprt(0, 50))
    for number in range(2, 31):
        assert sprt_state.add_pair(number, WON) == ""
    assert sprt_state.pairs_used == 0
    assert sprt_state.add_pair(1, LOST) == H1
    in_order = run_sprt(sprt_state.test, {number: LOST if number == 1 else WON for number in range(1, 31)})
    assert (sprt_state.pairs_used, sprt_state.counts, sprt_state.llr) == (
        in_order.pairs_used,
        in_order.counts,
        in_order.llr,
    )
    assert sprt_state.pairs_used < 30


def test_split_and_drawn_pairs_are_both_even() -> None:
    scores = {1: (1.0, 0.0), 2: (0.5, 0.5), 3: (0.0, 1.0), 4: (1.0, 1.0)}
    assert run_sprt(Sprt(0, 10), scores).counts == [0, 0, 3, 0, 1]


def test_a_verdict_is_final() -> None:
    sprt_state = run_sprt(Sprt(0, 50), dict.fromkeys(range(1, 60), WON))
    pairs_used = sprt_state.pairs_used
    assert sprt_state.accepted == H1
    assert sprt_state.add_pair(60, LOST) == H1
    assert sprt_state.pairs_used == pairs_used
    assert "H1 accepted (50 nElo)" in format_sprt(sprt_state, ended=True)
    assert "H0 accepted (0 nElo)" in format_sprt(run_sprt(Sprt(0, 50), dict.fromkeys(range(1, 60), LOST)), ended=True)


def test_an_undecided_test_is_inconclusive_at_the_end() -> None:
    sprt_state = run_sprt(Sprt(0, 10), {1: WON, 2: SPLIT})
    assert format_sprt(sprt_state, ended=True).endswith("after 2 pairs: inconclusive")
    assert format_sprt(sprt_state, ended=False).endswith("after 2 pairs: undecided")


RUN_COUNT = 500  # number of simulated tests
MAX_ERROR_RATE = 0.07  # above the nominal 0.05, for the random error of 500 runs


@pytest.mark.parametrize(("advantage", "expected"), [(0.0, H0), (100.0, H1)])
def test_error_rates_of_simulated_tests(advantage: float, expected: str) -> None:
    """Simulate tests of 0 against 100 nElo, in a game in which the first mover wins 65 % between equal engines."""
    rng = random.Random(11)
    llr = lru_cache(maxsize=None)(Sprt(0, 100).llr)
    weights = pair_weights(advantage, first_mover=0.65)
    wrong = sum(simulate(llr, weights, rng) != expected for _ in range(RUN_COUNT))
    assert wrong / RUN_COUNT < MAX_ERROR_RATE


def pair_weights(normalized_elo: float, first_mover: float) -> list[float]:
    """Return the probabilities that the stronger engine loses both games of a pair, wins one, wins both.

    `first_mover` is the probability that the first mover wins between equal engines; there are no draws.
    """
    low, high = 0.0, 0.3  # search interval of `gain`, the probability of winning that strength adds
    for _ in range(60):
        gain = (low + high) / 2
        won = (first_mover + gain) * (1 - first_mover + gain)
        lost = (1 - first_mover - gain) * (first_mover - gain)
        variance = lost * (0.5 + gain) ** 2 + (1 - lost - won) * gain**2 + won * (0.5 - gain) ** 2
        too_low = gain / math.sqrt(2 * variance) * stats.NORMALIZED_SCALE < normalized_elo
        low, high = (gain, high) if too_low else (low, gain)
    return [lost, 1 - lost - won, won]


def simulate(llr: Callable[[tuple[int, ...]], float], weights: Sequence[float], rng: random.Random) -> str:
    """Return the hypothesis that a test of random pairs accepts."""
    counts = [0, 0, 0]
    lower, upper = stats.wald_bounds(0.05, 0.05)
    while True:
        counts[rng.choices((0, 1, 2), weights)[0]] += 1
        value = llr((counts[0], 0, counts[1], 0, counts[2]))
        if value <= lower:
            return H0
        if value >= upper:
            return H1
