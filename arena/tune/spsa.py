"""SPSA: simultaneous perturbation stochastic approximation, as engine testers use it to tune parameters by games.

In iteration k all parameters are perturbed at once by +c_k or -c_k, each with equal probability. The engine with the
perturbed values plays against the engine with the opposite perturbation, and the result r, games won minus lost, moves
each parameter by a_k / c_k * r in the direction of its perturbation. Source: J. C. Spall, "Implementation of the
Simultaneous Perturbation Algorithm for Stochastic Optimization" (IEEE Transactions on Aerospace and Electronic Systems
34, 1998). As in fishtest, the gains are given by their values in the last iteration: c_N is the parameter's step, and
a_N is `r_end` * c_N^2.

All random numbers are derived from the seed, the iteration and the pair, so that they do not depend on the order in
which games end, nor on interruptions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from arena.terms.tuning import A_SHARE, INT, TunedParameter, TuneSettings

Values = tuple[float, ...]  # of all parameters, in their order

# Score difference of a game per Elo near equality: 2 * p - 1 for p = 1 / (1 + 10^(-Elo/400))
SCORE_PER_ELO = math.log(10) / 800


class Spsa:
    """The state of a tuning: the values of the parameters after `iteration` iterations, counted from 1."""

    def __init__(self, parameters: Sequence[TunedParameter], settings: TuneSettings, seed: int) -> None:
        self.values: Values = tuple(float(parameter.value) for parameter in parameters)
        self.iteration = 0
        self._parameters = tuple(parameters)
        self._settings = settings
        self._seed = seed

    @property
    def is_finished(self) -> bool:
        """Whether all iterations are done."""
        return self.iteration >= self._settings.iterations

    def perturbation(self, parameter: TunedParameter, iteration: int) -> float:
        """Return c_k, the size of the perturbation; it is the parameter's step in the last iteration."""
        return float(parameter.step * (self._settings.iterations / iteration) ** self._settings.gamma)

    def directions(self, iteration: int) -> tuple[int, ...]:
        """Return the direction of each parameter's perturbation, 1 or -1 with equal probability."""
        generator = random.Random(f"{self._seed}/spsa/{iteration}")
        return tuple(generator.choice((-1, 1)) for _ in self._parameters)

    def perturbed_values(self, pair: int) -> tuple[Values, Values]:
        """Return the values of `plus` and `minus` for a pair of the next iteration; `pair` counts through the run.

        Values are clipped to the parameter's range. An integer is rounded to one of its neighbours, with probabilities
        that keep the mean. Both engines share the random number of a parameter, so that rounding cannot turn the
        perturbation around.
        """
        iteration = self.iteration + 1
        generator = random.Random(f"{self._seed}/rounding/{pair}")
        plus: list[float] = []
        minus: list[float] = []
        rows = zip(self._parameters, self.values, self.directions(iteration), strict=True)
        for parameter, value, direction in rows:
            size, threshold = self.perturbation(parameter, iteration), generator.random()
            for values, sign in ((plus, direction), (minus, -direction)):
                clipped = parameter.clip(value + sign * size)
                values.append(float(math.floor(clipped + threshold)) if parameter.type == INT else clipped)
        return tuple(plus), tuple(minus)

    def updated_values(self, result: int) -> Values:
        """Return the values after the next iteration if `result` is the games won minus lost by `plus`."""
        iteration = self.iteration + 1
        updated = []
        rows = zip(self._parameters, self.values, self.directions(iteration), strict=True)
        for parameter, value, direction in rows:
            gain = learning_rate(self._settings, iteration) * parameter.step**2
            updated.append(parameter.clip(value + gain / self.perturbation(parameter, iteration) * result * direction))
        return tuple(updated)

    def advance(self, values: Values) -> None:
        """Make `values` those after the next iteration."""
        self.iteration += 1
        self.values = values


def learning_rate(settings: TuneSettings, iteration: int) -> float:
    """Return a_k in units of the squared step; it is `r_end` in the last iteration."""
    stability = settings.iterations / A_SHARE if settings.stability is None else settings.stability
    ratio = (stability + settings.iterations) / (stability + iteration)
    return float(settings.r_end * ratio**settings.alpha)


def expected_approach(settings: TuneSettings, elo_per_step: float) -> float:
    """Return the share of the distance to the best values that a run is expected to cover, from 0 to 1.

    `elo_per_step` is the loss of Elo one step away from the best value of a parameter; it is assumed to grow with the
    square of the distance. Games are assumed to have no draws, which make an engine learn more slowly.
    """
    # x is the distance in steps. Elo(+) - Elo(-) = -4 * elo_per_step * x * c_k in steps, and a pair has two games.
    per_pair = 8 * elo_per_step * SCORE_PER_ELO
    left = 1.0
    for iteration in range(1, settings.iterations + 1):
        left *= max(0.0, 1 - per_pair * settings.pairs * learning_rate(settings, iteration))
    return 1 - left
