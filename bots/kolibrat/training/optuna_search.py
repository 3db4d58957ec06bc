"""Weights chosen by optuna, for comparison: by the Tree-structured Parzen Estimator (Bergstra and others 2011)."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bots.kolibrat.parameters import WEIGHT_NAMES
from bots.kolibrat.training.annealing import HIGHEST, scale_weights
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import START_WEIGHTS, Weights

if TYPE_CHECKING:
    from optuna import Study as OptunaStudy

TRIAL_GAMES = 20  # of each vector that is tried, against the start


def run_trial(study: OptunaStudy, number: int, seed: int, duel: Duel) -> tuple[Weights, int]:
    """Have the library choose a vector, tell it how many games it wins against the start, and return both.

    The same seed, number and trials before it give the same.
    """
    import optuna

    chance = random.Random(f"{seed} {number}")
    study.sampler = optuna.samplers.TPESampler(seed=chance.getrandbits(32))
    trial = study.ask()
    vector = tuple(trial.suggest_int(name, 0, HIGHEST) for name in WEIGHT_NAMES)
    won = sum(duel.play_match(scale_weights(vector), START_WEIGHTS, TRIAL_GAMES, chance))
    study.tell(trial, won)
    return vector, won


def restore_study(tried: Iterable[tuple[Weights, int]]) -> OptunaStudy:
    """A study in memory of vectors that were tried before, with the games that they won."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize")
    span = optuna.distributions.IntDistribution(0, HIGHEST)
    for vector, won in tried:
        params = dict(zip(WEIGHT_NAMES, vector, strict=True))
        study.add_trial(
            optuna.trial.create_trial(params=params, distributions=dict.fromkeys(params, span), value=float(won))
        )
    return study
