"""Simulated annealing of the evaluation's weights after the thesis (Lindberg, DTU 2007): vectors play each other.

60 vectors, at first drawn from 0..1000, meet in pairs. The 30 winners stay, and each adds a mutant of itself; how far
a mutant may be from its parent shrinks with the temperature.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from bots.kolibrat.parameters import WEIGHT_COUNT
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import Weights

POPULATION = 60
HIGHEST = 1000  # weight
LARGEST_WEIGHT = 500  # of those that are to play: the search's margins are made for about that scale
FINAL_GAMES = 4  # of each survivor against as many others, which choose the best


@dataclass(frozen=True)
class Population:
    """All that a run needs to go on: vectors, best first at the end, and how many rounds have been played."""

    round: int
    vectors: tuple[Weights, ...]


def initial_population(seed: int) -> Population:
    """Vectors drawn at random."""
    chance = random.Random(f"{seed} start")
    return Population(0, tuple(_draw_vector(chance) for _ in range(POPULATION)))


def play_annealing_round(population: Population, rounds: int, seed: int, duel: Duel) -> Population:
    """One round; the same seed, round and population give the same result."""
    chance = random.Random(f"{seed} {population.round}")
    order = list(population.vectors)
    chance.shuffle(order)
    winners = []
    for first, second in zip(order[::2], order[1::2], strict=True):
        winners.append((first, second)[duel.play(first, second, chance)])
    temperature = 1 - population.round / rounds
    mutants = [mutate(winner, temperature, chance) for winner in winners]
    return Population(population.round + 1, (*winners, *mutants))


def mutate(vector: Weights, temperature: float, chance: random.Random) -> Weights:
    """Each weight moved by up to `temperature` of the whole range, and kept within it."""
    reach = max(1, int(HIGHEST * temperature))
    return tuple(min(HIGHEST, max(0, weight + chance.randint(-reach, reach))) for weight in vector)


def choose_best(population: Population, seed: int, duel: Duel, tell: Callable[[], None]) -> Weights:
    """The survivor of the last round that scores best against others of them; `tell` hears of each one tried."""
    chance = random.Random(f"{seed} end")
    survivors = population.vectors[: POPULATION // 2]
    scores = []
    for index, vector in enumerate(survivors):
        others = [survivors[(index + step) % len(survivors)] for step in range(1, FINAL_GAMES + 1)]
        scores.append(sum(sum(duel.play_match(vector, other, 2, chance)) for other in others))
        tell()
    return survivors[scores.index(max(scores))]


def scale_weights(weights: Weights) -> Weights:
    """The same evaluation in the units of the search."""
    return tuple(round(weight * LARGEST_WEIGHT / max(1, *weights)) for weight in weights)


def _draw_vector(chance: random.Random) -> Weights:
    return tuple(chance.randint(0, HIGHEST) for _ in range(WEIGHT_COUNT))
