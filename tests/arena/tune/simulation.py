"""Simulated engines for tests of the tuning: a function gives the Elo of the values, and games are drawn from it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from arena.terms.tuning import TunedParameter, TuneSettings
from arena.tune.spsa import Spsa, Values

Elo = Callable[[Values], float]


def quadratic(parameters: Sequence[TunedParameter], best: Sequence[float], elo_per_step: float) -> Elo:
    """Return an Elo that falls with the square of the distance from the best values, by `elo_per_step` at one step."""

    def elo(values: Values) -> float:
        rows = zip(parameters, values, best, strict=True)
        return -elo_per_step * sum(((value - optimum) / parameter.step) ** 2 for parameter, value, optimum in rows)

    return elo


def draw_result(generator: random.Random, elo_difference: float, draw_rate: float = 0.0) -> int:
    """Return the result of a game, 1, 0 or -1. Draws leave the expected score as it is."""
    expected = 1 / (1 + 10 ** (-elo_difference / 400))
    win = max(0.0, expected - draw_rate / 2)
    threshold = generator.random()
    return 1 if threshold < win else 0 if threshold < win + draw_rate else -1


def simulate(
    parameters: Sequence[TunedParameter],
    settings: TuneSettings,
    seed: int,
    elo: Elo,
    draw_rate: float = 0.0,
    on_iteration: Callable[[Spsa], object] = lambda _: None,
) -> Spsa:
    """Run all iterations with simulated games and return the final state."""
    spsa, generator = Spsa(parameters, settings, seed), random.Random(f"games/{seed}")
    while not spsa.is_finished:
        first_pair = spsa.iteration * settings.pairs + 1
        result = 0
        for pair in range(first_pair, first_pair + settings.pairs):
            plus, minus = spsa.perturbed_values(pair)
            difference = elo(plus) - elo(minus)
            result += draw_result(generator, difference, draw_rate) + draw_result(generator, difference, draw_rate)
        spsa.advance(spsa.updated_values(result))
        on_iteration(spsa)
    return spsa


def distances(parameters: Sequence[TunedParameter], values: Values, best: Sequence[float]) -> list[float]:
    """Return the distance of each parameter from its best value in steps."""
    rows = zip(parameters, values, best, strict=True)
    return [(value - optimum) / parameter.step for parameter, value, optimum in rows]
