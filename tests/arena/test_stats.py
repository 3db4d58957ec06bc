"""The statistics give the reference values of other runners and never a number where none is defined."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import stats

# counts, model, elo0, elo1, likelihood ratio: fastchess `app/tests/sprt_test.cpp`, nine recomputed independently
RATIOS = [
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


@pytest.mark.parametrize(("counts", "model", "elo0", "elo1", "wanted"), RATIOS)
def test_likelihood_ratio(counts: tuple[int, ...], model: str, elo0: float, elo1: float, wanted: float) -> None:
    ratio = stats.logistic_ratio if model == "logistic" else stats.normalized_ratio
    assert ratio(counts, elo0, elo1) == pytest.approx(wanted, abs=0.0051 if abs(wanted) < 100 else 0.051)


def test_summary_of_games() -> None:
    summary = stats.summarize((96, 111, 136))
    assert summary.count == 343
    assert (summary.elo, summary.elo_error) == pytest.approx((40.70, 30.43), abs=0.005)
    assert (summary.normalized_elo, summary.normalized_error) == pytest.approx((49.77, 36.77), abs=0.005)
    assert summary.superiority == pytest.approx(0.9960, abs=0.00005)


def test_summary_of_pairs() -> None:
    summary = stats.summarize((34, 54, 63, 64, 75))
    assert (summary.elo, summary.elo_error) == pytest.approx((55.58, 27.65), abs=0.005)
    assert (summary.normalized_elo, summary.normalized_error) == pytest.approx((57.94, 28.28), abs=0.005)
    lopsided = stats.summarize((3, 1, 22, 2, 12))
    assert (lopsided.elo, lopsided.elo_error) == pytest.approx((84.12, 67.24), abs=0.005)
    assert lopsided.superiority == pytest.approx(0.9951, abs=0.00005)


def test_few_results_have_a_wider_error() -> None:
    """Student's t for ten pairs is 2.2622 (nine degrees), from thirty on the normal distribution's 1.96 holds."""
    counts = (1, 2, 3, 2, 2)
    few, many = stats.summarize(counts), stats.summarize([3 * count for count in counts])
    assert few.normalized_error is not None
    assert many.normalized_error is not None
    assert few.normalized_error == pytest.approx(2.262157 / math.sqrt(10) / math.sqrt(2) * 800 / math.log(10), rel=1e-6)
    assert few.normalized_error / many.normalized_error == pytest.approx(2.262157 / 1.95996 * math.sqrt(3), rel=1e-6)
    assert few.elo == many.elo
    assert few.superiority is not None


def test_wald_bounds_at_five_percent() -> None:
    assert stats.wald_bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=0.0005)


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_nothing_played_says_nothing(counts: tuple[int, ...]) -> None:
    assert stats.summarize(counts) == stats.Summary(0)


@pytest.mark.parametrize(("counts", "score"), [((0, 0, 9), 1.0), ((9, 0, 0), 0.0), ((0, 0, 8, 0, 0), 0.5)])
def test_all_results_alike_have_a_score_and_no_rating(counts: tuple[int, ...], score: float) -> None:
    assert stats.summarize(counts) == stats.Summary(sum(counts), score)


def test_error_is_undefined_where_the_interval_leaves_the_scale() -> None:
    summary = stats.summarize((1, 0, 9))
    assert summary.elo is not None
    assert summary.elo_error is None


@given(st.lists(st.tuples(*[st.sampled_from(stats.GAME_VALUES)] * 2), max_size=30))
def test_both_sides_see_the_same_match(pairs: list[tuple[float, float]]) -> None:
    ours = stats.count_pairs(pairs)
    theirs = stats.count_pairs((1 - first, 1 - second) for first, second in pairs)
    assert theirs == ours[::-1]
    mine, other = stats.summarize(ours), stats.summarize(theirs)
    assert mine.count == len(pairs)
    if mine.elo is not None and other.elo is not None:
        assert mine.elo == pytest.approx(-other.elo, abs=1e-9)
        assert mine.elo_error == pytest.approx(other.elo_error)
    numbers = (mine.elo, mine.elo_error, mine.normalized_elo, mine.normalized_error, mine.superiority)
    assert all(math.isfinite(number) for number in numbers if number is not None)


def test_split_and_drawn_pairs_are_both_even() -> None:
    assert stats.count_pairs([(1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (1.0, 1.0)]) == [0, 0, 3, 0, 1]
