"""Tests of SPSA with simulated engines, whose best values are known."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import fmean

import pytest
from msgspec import structs

from arena.terms.tuning import TunedParameter, TuneSettings
from arena.tune.spsa import Spsa, expected_approach, learning_rate
from tests.arena.tune.simulation import distances, quadratic, simulate

ELO_PER_STEP = 3.0
FINE = TunedParameter("scale", 0.5, 0.0, 2.0, 0.1, "float")
WHOLE = TunedParameter("margin", 100, 0, 400, 20, "int")
SMALL = TunedParameter("depth", 3, 0, 12, 1, "int")  # an integer with a small step, which rounding moves most
PARAMETERS = (FINE, WHOLE, SMALL)
BEST = (1.1, 180.0, 6.0)
# 16,000 pairs; with a larger learning rate than fishtest's they suffice to get near the best values
SETTINGS = TuneSettings(iterations=2000, pairs=8, r_end=0.004)


def moved(values: tuple[float, ...]) -> tuple[TunedParameter, ...]:
    """Return the parameters with other start values."""
    return tuple(structs.replace(parameter, value=value) for parameter, value in zip(PARAMETERS, values, strict=True))


@pytest.mark.parametrize(
    ("start", "draw_rate"),
    [((0.5, 100, 3), 0.0), ((2.0, 400, 12), 0.0), ((0.0, 0, 0), 0.0), ((1.1, 180, 6), 0.0), ((0.0, 400, 6), 0.5)],
)
def test_ends_within_a_step_of_the_best_values(start: tuple[float, ...], draw_rate: float) -> None:
    """The test of truth: a wrong sign, gain or direction would end elsewhere. Starts are up to 11 steps away."""
    elo = quadratic(PARAMETERS, BEST, ELO_PER_STEP)
    spsa = simulate(moved(start), SETTINGS, 1, elo, draw_rate)
    assert fmean(map(abs, distances(PARAMETERS, spsa.values, BEST))) < 1, spsa.values


def test_pairs_of_an_iteration_count_as_much_as_iterations() -> None:
    """fishtest gives several pairs the same perturbation; the sum of their results must keep its weight."""
    elo = quadratic(PARAMETERS, BEST, 10.0)
    reached = [
        fmean(map(abs, distances(PARAMETERS, simulate(moved((0.0, 0, 0)), settings, 5, elo).values, BEST)))
        for settings in (
            TuneSettings(iterations=4000, pairs=1, r_end=0.002),
            TuneSettings(iterations=500, pairs=8, r_end=0.002),
        )
    ]
    assert reached[0] == pytest.approx(reached[1], rel=0.25)
    assert 1 < reached[0] < 8  # on its way, so that the speeds are compared


@pytest.mark.parametrize("elo_per_step", [3.0, 10.0])
def test_approach_is_predicted(elo_per_step: float) -> None:
    """The sentence at the start of a tuning tells users whether their games suffice."""
    settings = TuneSettings(iterations=1500, pairs=2, r_end=0.002)
    parameters, best = (FINE, WHOLE), (1.0, 200.0)
    elo = quadratic(parameters, best, elo_per_step)
    covered = [
        1 - distance / start
        for seed in range(6)
        for distance, start in zip(
            distances(parameters, simulate(parameters, settings, seed, elo).values, best),
            distances(parameters, (0.5, 100), best),
            strict=True,
        )
    ]
    assert fmean(covered) == pytest.approx(expected_approach(settings, elo_per_step), abs=0.08)


def test_flat_function_drifts_as_a_random_walk() -> None:
    """If no value is better, parameters must stay in bounds and must not drift more than chance explains."""
    settings = TuneSettings(iterations=400, pairs=1, r_end=0.004)
    variance = sum(
        2 * (learning_rate(settings, k) * (k / settings.iterations) ** settings.gamma) ** 2  # 2: variance of a pair
        for k in range(1, settings.iterations + 1)
    )
    drifts = []
    for seed in range(40):
        spsa = simulate(PARAMETERS, settings, seed, lambda _: 0.0)
        drifts += distances(PARAMETERS, spsa.values, [parameter.value for parameter in PARAMETERS])
    assert fmean(drift**2 for drift in drifts) == pytest.approx(variance, rel=0.35)
    assert abs(fmean(drifts)) < 4 * math.sqrt(variance / len(drifts))


def test_values_stay_in_their_range() -> None:
    """If the best value lies outside of the range, the values must end at the bound, and so must the perturbations."""
    outside = (9.0, -500.0, 40.0)
    elo = quadratic(PARAMETERS, outside, ELO_PER_STEP)
    seen: list[tuple[float, ...]] = []

    def check(spsa: Spsa) -> None:
        seen.append(spsa.values)
        if not spsa.is_finished:
            seen.extend(spsa.perturbed_values(spsa.iteration + 1))

    spsa = simulate(PARAMETERS, TuneSettings(iterations=1500, r_end=0.02), 3, elo, on_iteration=check)
    for values in seen:
        assert all(p.min <= value <= p.max for p, value in zip(PARAMETERS, values, strict=True))
    assert distances(PARAMETERS, spsa.values, (2.0, 0.0, 12.0)) == pytest.approx([0, 0, 0], abs=1)


def test_mean_of_rounded_integers_is_the_value() -> None:
    """Rounding to the nearest would hide every perturbation below half a unit."""
    parameter = TunedParameter("depth", 5, 0, 10, 0.2, "int")
    spsa = Spsa((parameter,), TuneSettings(iterations=1, gamma=0.0), seed=7)
    spsa.values = (5.3,)
    direction = spsa.directions(1)[0]
    pairs = [spsa.perturbed_values(number) for number in range(1, 20_001)]
    plus, minus = [pair[0][0] for pair in pairs], [pair[1][0] for pair in pairs]
    assert set(plus + minus) <= {5.0, 6.0}
    # standard errors of these means are below 0.0036
    assert fmean(plus) == pytest.approx(5.3 + 0.2 * direction, abs=0.015)
    assert fmean(minus) == pytest.approx(5.3 - 0.2 * direction, abs=0.015)
    assert all((first - second) * direction >= 0 for (first,), (second,) in pairs)


def test_gains_end_at_the_values_of_the_user() -> None:
    settings = TuneSettings(iterations=500, r_end=0.003)
    spsa = Spsa(PARAMETERS, settings, seed=1)
    assert learning_rate(settings, 500) == pytest.approx(0.003)
    assert [spsa.perturbation(parameter, 500) for parameter in PARAMETERS] == pytest.approx([0.1, 20, 1])
    # Spall's sequences: a_k = a / (A + k)^alpha with A = N / 10, and c_k = c / k^gamma
    assert learning_rate(settings, 1) / learning_rate(settings, 100) == pytest.approx((150 / 51) ** 0.602)
    assert spsa.perturbation(FINE, 1) / spsa.perturbation(FINE, 100) == pytest.approx(100**0.101)
    rates = [learning_rate(settings, k) for k in range(1, 501)]
    assert all(earlier > later for earlier, later in pairwise(rates))
    assert learning_rate(structs.replace(settings, stability=0.0), 100) == pytest.approx(0.003 * 5**0.602)


def test_update_moves_by_the_gain_in_the_direction_of_the_perturbation() -> None:
    settings = TuneSettings(iterations=1, pairs=2, r_end=0.01)
    spsa = Spsa(PARAMETERS, settings, seed=1)
    directions = spsa.directions(1)
    # a_N / c_N * r = r_end * step * r
    expected = [p.value + 0.01 * p.step * 3 * sign for p, sign in zip(PARAMETERS, directions, strict=True)]
    assert spsa.updated_values(3) == pytest.approx(expected)
    assert spsa.updated_values(0) == spsa.values


def test_random_numbers_depend_only_on_seed_iteration_and_pair() -> None:
    """A resumed tuning creates the state anew, so nothing may depend on the calls before."""
    settings = TuneSettings(iterations=10, pairs=4)
    first, second = Spsa(PARAMETERS, settings, seed=9), Spsa(PARAMETERS, settings, seed=9)
    for number in (3, 1, 4, 2):
        first.perturbed_values(number)
    assert first.perturbed_values(2) == second.perturbed_values(2)
    assert [first.directions(k) for k in range(1, 40)] == [second.directions(k) for k in range(1, 40)]
    other = Spsa(PARAMETERS, settings, seed=10)
    assert [first.directions(k) for k in range(1, 40)] != [other.directions(k) for k in range(1, 40)]
    repeated = sum(first.directions(k) == first.directions(k + 1) for k in range(1, 1001))
    assert repeated < 200  # an eighth of them by chance, as there are three parameters
    signs = [sign for k in range(1, 2001) for sign in first.directions(k)]
    assert abs(sum(signs)) < 4 * math.sqrt(len(signs))


@pytest.mark.parametrize(
    ("parameter", "value", "text"),
    [
        (WHOLE, 179.6, "180"),
        (WHOLE, -0.2, "0"),
        (FINE, 1.0, "1"),
        (FINE, 0.12345678, "0.1235"),
        (FINE, -0.00001, "0"),
        (TunedParameter("x", 0, 0, 1e6, 5000, "float"), 123456.7, "123457"),
        (TunedParameter("x", 0, 0, 1, 0.001, "float"), 0.0123456789, "0.012346"),
    ],
)
def test_values_are_sent_with_the_digits_that_matter(parameter: TunedParameter, value: float, text: str) -> None:
    assert parameter.format(value) == text
