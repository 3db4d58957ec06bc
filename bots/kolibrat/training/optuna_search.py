"""Tuning of the evaluation weights by optuna, as an alternative to annealing.

The method is the Tree-structured Parzen Estimator (Bergstra et al., "Algorithms for hyper-parameter optimization",
2011).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bots.kolibrat.parameters import WEIGHT_NAMES
from bots.kolibrat.training.annealing import MAX_RAW_WEIGHT, scale_weights
from bots.kolibrat.training.selfplay import Duel
from bots.kolibrat.weights import START_WEIGHTS, Weights

if TYPE_CHECKING:
    from optuna import Study as OptunaStudy

TRIAL_GAMES = 20  # per trial, against START_WEIGHTS


def run_trial(study: OptunaStudy, trial_number: int, seed: int, duel: Duel) -> tuple[Weights, int]:
    """Let optuna propose a vector, play TRIAL_GAMES against START_WEIGHTS, and return the vector and the games won.

    The result depends only on the seed, the trial's number and the trials before it.
    """
    import optuna

    rng = random.Random(f"{seed} {trial_number}")
    study.sampler = optuna.samplers.TPESampler(seed=rng.getrandbits(32))
    trial = study.ask()
    vector = tuple(trial.suggest_int(name, 0, MAX_RAW_WEIGHT) for name in WEIGHT_NAMES)
    games_won = sum(duel.play_match(scale_weights(vector), START_WEIGHTS, TRIAL_GAMES, rng))
    study.tell(trial, games_won)
    return vector, games_won


def restore_study(tried: Iterable[tuple[Weights, int]]) -> OptunaStudy:
    """Return an in-memory study that contains earlier trials: vectors and the games that they won."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize")
    weight_range = optuna.distributions.IntDistribution(0, MAX_RAW_WEIGHT)
    for vector, games_won in tried:
        params = dict(zip(WEIGHT_NAMES, vector, strict=True))
        study.add_trial(
            optuna.trial.create_trial(
                params=params, distributions=dict.fromkeys(params, weight_range), value=float(games_won)
            )
        )
    return study
