"""Simulated annealing of the evaluation weights, as in Lindberg's thesis (DTU, 2007, section 3.4).

A population of 60 weight vectors, at first drawn at random from 0..1000, plays in pairs. The 30 winners survive, and
each adds a mutant of itself. How far a mutant may be from its parent shrinks with the temperature, which falls linearly
from 1 towards 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from bots.kolibrat.parameters import WEIGHT_COUNT
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import Weights

POPULATION = 60  # number of vectors
MAX_RAW_WEIGHT = 1000  # of the vectors while they are tuned
MAX_SCALED_WEIGHT = 500  # largest weight of the result; the pruning margins of the engine's search fit this scale
FINAL_OPPONENT_COUNT = 4  # other survivors that each survivor plays at the end, two games each


@dataclass(frozen=True)
class Population:
    """The state of a run. Its fields are also keys of the file that an interrupted run continues from."""

    round: int  # number of rounds played
    vectors: tuple[Weights, ...]  # after a round: the 30 winners, then their mutants


def initial_population(seed: int) -> Population:
    """Return a population of random vectors."""
    rng = random.Random(f"{seed} start")
    return Population(0, tuple(_draw_vector(rng) for _ in range(POPULATION)))


def play_annealing_round(population: Population, rounds: int, seed: int, duel: Duel) -> Population:
    """Play one round and return the next population. The result depends on the arguments only."""
    rng = random.Random(f"{seed} {population.round}")
    players = list(population.vectors)
    rng.shuffle(players)
    winners = []
    for first, second in zip(players[::2], players[1::2], strict=True):
        winners.append((first, second)[duel.play(first, second, rng)])
    temperature = 1 - population.round / rounds
    mutants = [mutate(winner, temperature, rng) for winner in winners]
    return Population(population.round + 1, (*winners, *mutants))


def mutate(vector: Weights, temperature: float, rng: random.Random) -> Weights:
    """Move each weight at random within 0..MAX_RAW_WEIGHT.

    It moves by at most `temperature` (0..1) of this range, or by 1 if that is more.
    """
    reach = max(1, int(MAX_RAW_WEIGHT * temperature))
    return tuple(min(MAX_RAW_WEIGHT, max(0, weight + rng.randint(-reach, reach))) for weight in vector)


def choose_best(population: Population, seed: int, duel: Duel, step_done: Callable[[], None]) -> Weights:
    """Return the survivor of the last round that scores best against other survivors.

    `step_done` is called after each survivor.
    """
    rng = random.Random(f"{seed} end")
    survivors = population.vectors[: POPULATION // 2]
    scores = []
    for index, vector in enumerate(survivors):
        others = [survivors[(index + step) % len(survivors)] for step in range(1, FINAL_OPPONENT_COUNT + 1)]
        scores.append(sum(sum(duel.play_match(vector, other, 2, rng)) for other in others))
        step_done()
    return survivors[scores.index(max(scores))]


def scale_weights(weights: Weights) -> Weights:
    """Scale weights so that the largest one is MAX_SCALED_WEIGHT."""
    return tuple(round(weight * MAX_SCALED_WEIGHT / max(1, *weights)) for weight in weights)


def _draw_vector(rng: random.Random) -> Weights:
    return tuple(rng.randint(0, MAX_RAW_WEIGHT) for _ in range(WEIGHT_COUNT))
