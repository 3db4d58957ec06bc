"""Tests of match statistics against simulations and reference values of other programs and of scipy.

Counts are those of results, worst first: of games (lost, drawn, won) or of pairs (LL, LD, WL or DD, WD, WW).
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from arena.statistics import elo as stats

# Counts, model, elo0, elo1, log likelihood ratio: cases of fastchess `app/tests/sprt_test.cpp`; nine of the ratios were
# computed anew
RATIO_CASES = [
    ((36027, 68692, 36433), "normalized", 0, 2, 0.923),
    ((10650, 20431, 10871), "normalized", -1.75, 0.25, 2.298),
    ((0, 0, 4250), "normalized", 0, 10, 120.55),
    ((21184, 40708, 21404), "logistic", 0.5, 2.5, -1.572),
    ((365, 16618, 36229, 16974, 390), "normalized", 0, 2, 2.250),
    ((127, 4883, 10712, 5150, 104), "normalized", -1.75, 0.25, 3.010),
    ((0, 0, 0, 0, 5550), "normalized", 0, 5, 111.80),
    ((223, 9863, 21279, 10037, 246), "logistic", 0.5, 2.5, -3.074),
    ((871, 26175, 55983, 26678, 821), "logistic", 0, 2, -4.979),
    ((3, 1, 22, 2, 12), "logistic", 0, 50, 2.541),
    ((3, 1, 22, 2, 12), "normalized", 0, 50, 2.296),
    ((0, 0, 0, 0, 20), "logistic", 0, 50, 2.67),
    ((0, 0, 0, 0, 20), "normalized", 0, 50, 3.64),
]


@pytest.mark.parametrize(("counts", "model", "elo0", "elo1", "expected"), RATIO_CASES)
def test_likelihood_ratio(counts: tuple[int, ...], model: str, elo0: float, elo1: float, expected: float) -> None:
    llr = stats.logistic_ratio if model == "logistic" else stats.normalized_ratio
    assert llr(counts, elo0, elo1) == pytest.approx(expected, abs=0.0051 if abs(expected) < 100 else 0.051)


def test_summary_of_games() -> None:
    summary = stats.summarize((96, 111, 136))
    assert summary.count == 343
    assert (summary.elo, summary.elo_half_width) == pytest.approx((40.70, 30.43), abs=0.005)
    assert (summary.normalized_elo, summary.normalized_half_width) == pytest.approx((49.77, 36.77), abs=0.005)
    assert summary.superiority == pytest.approx(0.9960, abs=0.00005)


def test_summary_of_pairs() -> None:
    summary = stats.summarize((34, 54, 63, 64, 75))
    assert (summary.elo, summary.elo_half_width) == pytest.approx((55.58, 27.65), abs=0.005)
    assert (summary.normalized_elo, summary.normalized_half_width) == pytest.approx((57.94, 28.28), abs=0.005)
    summary_of_40 = stats.summarize((3, 1, 22, 2, 12))
    assert (summary_of_40.elo, summary_of_40.elo_half_width) == pytest.approx((84.12, 67.24), abs=0.005)
    assert summary_of_40.superiority == pytest.approx(0.9951, abs=0.00005)


def test_few_results_have_a_wider_error() -> None:
    """Ten pairs use Student's t of nine degrees of freedom, 2.2622; thirty use the normal distribution's 1.96."""
    counts = (1, 2, 3, 2, 2)
    few, many = stats.summarize(counts), stats.summarize([3 * count for count in counts])
    assert few.normalized_half_width is not None
    assert many.normalized_half_width is not None
    assert few.normalized_half_width == pytest.approx(
        2.262157 / math.sqrt(10) / math.sqrt(2) * 800 / math.log(10), rel=1e-6
    )
    assert few.normalized_half_width / many.normalized_half_width == pytest.approx(
        2.262157 / 1.95996 * math.sqrt(3), rel=1e-6
    )
    assert few.elo == many.elo
    assert few.superiority is not None


def test_wald_bounds_at_five_percent() -> None:
    assert stats.wald_bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=0.0005)


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_summary_without_results_is_empty(counts: tuple[int, ...]) -> None:
    assert stats.summarize(counts) == stats.Summary(0)


@pytest.mark.parametrize("counts", [(0, 0, 9), (9, 0, 0), (0, 0, 1), (1, 0, 9), (29, 0, 1)])
def test_bounds_of_wins_and_losses_are_those_of_clopper_and_pearson(counts: tuple[int, int, int]) -> None:
    """After wins only there is no upper bound, after losses only no lower one."""
    summary = stats.summarize(counts)
    expected = binomtest(counts[2], sum(counts)).proportion_ci(0.95, method="exact")
    assert (summary.interval, summary.elo_half_width) == (stats.GAFFKE, None)
    assert (summary.elo is None) == (0 in (counts[0], counts[2]))
    # the bound of the score at 0 or 1 means that there is none in Elo
    for found, limit, unbounded in ((summary.elo_low, expected.low, 0), (summary.elo_high, expected.high, 1)):
        assert found == (None if limit == unbounded else pytest.approx(stats.elo_from_score(limit), abs=1e-3))


@pytest.mark.parametrize("counts", [(0, 0, 8, 0, 0), (0, 0, 1, 0, 19), (0, 0, 0, 1, 2), (2, 1, 0, 0, 0)])
def test_bounds_of_pairs_agree_with_simulated_weights(counts: tuple[int, ...]) -> None:
    """Simulate Gaffke's bounds: add a result of the worst (best) kind, draw weights from a Dirichlet distribution."""
    rng = np.random.default_rng(1)
    summary = stats.summarize(counts)
    assert summary.interval == stats.GAFFKE
    for found, end, share in ((summary.elo_low, 0, 0.025), (summary.elo_high, 4, 0.975)):
        values = np.repeat([*stats.PAIR_VALUES, stats.PAIR_VALUES[end]], [*counts, 1])
        drawn = float(np.quantile(rng.dirichlet(np.ones(len(values)), 200_000) @ values, share))
        if found is None:
            assert drawn == stats.PAIR_VALUES[end]
        else:
            assert stats.score_from_elo(found) == pytest.approx(drawn, abs=0.003)


def test_normalized_elo_has_an_error_only_if_elo_has_one() -> None:
    """After 19 won pairs and a split one, a symmetric error of nElo (±115) would contain the truth half of the time."""
    one_sided, less_one_sided = stats.summarize((0, 0, 1, 0, 19)), stats.summarize((0, 0, 5, 0, 15))
    assert one_sided.normalized_elo == pytest.approx(1070.9, abs=0.05)
    assert (one_sided.elo_half_width, one_sided.normalized_half_width) == (None, None)
    assert None not in (less_one_sided.elo_half_width, less_one_sided.normalized_half_width)


@pytest.mark.parametrize("elo", [0, 300, 700])
@pytest.mark.parametrize("pairs", [2, 6, 20])
def test_intervals_contain_the_true_elo(pairs: int, elo: int) -> None:
    """Simulate pairs with a known Elo difference and a first move worth 100 Elo.

    About 95 % of the intervals must contain the difference.
    """
    # probabilities of winning as first and as second player, and of winning one game of a pair
    white, black = stats.score_from_elo(elo + 100), stats.score_from_elo(elo - 100)
    even = white * (1 - black) + black * (1 - white)
    truth, trials = stats.elo_from_score((white + black) / 2), 1000
    drawn = np.random.default_rng(7).multinomial(pairs, [(1 - white) * (1 - black), 0, even, 0, white * black], trials)
    contained = 0
    summarize = cache(stats.summarize)
    for counts in drawn.tolist():
        summary = summarize(tuple(counts))
        low, high = summary.elo_low, summary.elo_high
        contained += (low is None or low <= truth) and (high is None or truth <= high)
    # the symmetric interval of even results is an approximation, so it may contain the truth a little less often
    assert contained >= (0.92 if elo == 0 else 0.95) * trials


def test_superiority_of_one_sided_results() -> None:
    """After five wins of five: 1 - 0.5**6, as from a uniform prior of the score."""
    assert stats.summarize((0, 0, 5)).superiority == pytest.approx(1 - 0.5**6, abs=1e-6)
    assert stats.summarize((5, 0, 0)).superiority == pytest.approx(0.5**6, abs=1e-6)
    assert stats.summarize((0, 0, 8, 0, 0)).superiority == pytest.approx(0.5, abs=1e-6)


@given(st.lists(st.tuples(*[st.sampled_from(stats.GAME_VALUES)] * 2), max_size=30))
def test_statistics_of_both_sides_mirror_each_other(pairs: list[tuple[float, float]]) -> None:
    count_by_mean = Counter(sum(scores) / 2 for scores in pairs)
    counts = [count_by_mean[mean] for mean in stats.PAIR_VALUES]
    mine, other = stats.summarize(counts), stats.summarize(counts[::-1])
    assert mine.count == len(pairs)
    if mine.elo is not None and other.elo is not None:
        assert mine.elo == pytest.approx(-other.elo, abs=1e-9)
        assert mine.elo_half_width == pytest.approx(other.elo_half_width)
    for ours_end, theirs_end in ((mine.elo_low, other.elo_high), (mine.elo_high, other.elo_low)):
        assert (ours_end is None) == (theirs_end is None)
        assert ours_end is None or ours_end == pytest.approx(-(theirs_end or 0), abs=1e-3)
    numbers = (mine.elo, mine.elo_half_width, mine.normalized_elo, mine.normalized_half_width, mine.superiority)
    assert all(math.isfinite(number) for number in numbers if number is not None)
