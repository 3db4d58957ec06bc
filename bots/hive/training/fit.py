"""Fits the evaluation weights to recorded games: `python -m bots.hive.training.fit FILE.games ...`.

The games are those of make_data.py. Each quiet position gives its features and a target, the probability that the side
to move wins (samples.py). Logistic regression with a ridge penalty gives the weights. Their module is printed, in the
form of bots/hive/weights.py, and the loss on the games that are held out is reported on standard error.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from bots.hive import weights
from bots.hive.training.features import (
    STEP_COUNT,
    Feature,
    all_features,
    count_features,
    evaluate,
    list_pairs,
    tiles_in_hand,
)
from bots.hive.training.game_record import GameRecord
from bots.hive.training.samples import GameReplayer, is_validation, recorded_games, value_target
from core.training.fitting import fit_weights

UNITS = 150  # evaluation units per unit of log-odds of winning
RIDGE = 0.0001  # weight of the ridge penalty; features are scaled by their standard deviation
COMMENT = "# Each weight is a pair: the value with empty hands, and its change per HAND_UNIT tiles in both hands."


def read_features(games: Iterable[GameRecord], max_positions: int) -> tuple[Any, Any, Any]:
    """Return features, targets and present evaluations of the quiet positions of some games.

    The features have the shape (positions, 2 * features): the counts in the order of `all_features`, then the counts
    times the tiles in hand / HAND_UNIT.
    """
    replayer, features = GameReplayer(), all_features()
    counts: list[Any] = []
    hands: list[int] = []
    targets: list[float] = []
    evaluations: list[int] = []
    samples = itertools.chain.from_iterable(map(replayer.replay, games))
    for sample in itertools.islice((sample for sample in samples if sample.is_quiet), max_positions):
        counted = count_features(replayer.state)
        counts.append(np.array([counted[feature] for feature in features], dtype=np.int8))
        hands.append(tiles_in_hand(replayer.state))
        targets.append(value_target(sample))
        evaluations.append(evaluate(replayer.state))
    late = np.array(counts, dtype=np.float32)
    change = late * (np.array(hands, dtype=np.float32) / weights.HAND_UNIT)[:, None]
    return np.concatenate([late, change], axis=1), np.array(targets), np.array(evaluations)


def fit(features: Any, targets: Any) -> dict[Feature, tuple[int, int]]:
    """Return the weights that minimise the cross-entropy with the targets plus the ridge penalty."""
    fitted = fit_weights(features, targets, np.zeros(features.shape[1]), units=UNITS, ridge=RIDGE)
    late, change = np.rint(fitted).astype(int).reshape(2, -1).tolist()
    return dict(zip(all_features(), zip(late, change, strict=True), strict=True))


def cross_entropy(evaluations: Any, targets: Any, units: float = UNITS) -> float:
    """Return the mean cross-entropy between the targets and the probabilities that the evaluations stand for."""
    log_odds = evaluations / units
    return float(np.mean(np.logaddexp(0, log_odds) - targets * log_odds))


def format_module(fitted: dict[Feature, tuple[int, int]]) -> str:
    """Return the assignments of bots/hive/weights.py with these weights; `ruff format` brings them into shape."""
    lines = [COMMENT, f"HAND_UNIT = {weights.HAND_UNIT}"]
    for name in dict.fromkeys(name for name, _ in fitted):
        pairs = [fitted[name, index] for index in range(len(list_pairs(getattr(weights, name))))]
        if "_TO_" in name:
            rows = (pairs[begin : begin + STEP_COUNT] for begin in range(0, len(pairs), STEP_COUNT))
            value: Any = tuple(map(tuple, rows))
        else:
            value = tuple(pairs) if len(pairs) > 1 else pairs[0]
        lines.append(f"{name} = {value}")
    return "\n".join(lines)


def main() -> None:
    """Read positions, fit, print the weights and report the loss before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument(
        "--positions", type=int, default=1_000_000, help="greatest number of training positions (default %(default)s)"
    )
    arguments = parser.parse_args()
    games = recorded_games(arguments.games)
    features, targets, _ = read_features((game for game in games if not is_validation(game)), arguments.positions)
    fitted = fit(features, targets)
    print(format_module(fitted))
    vector = np.array(list(fitted.values()), dtype=float).T.ravel()
    held_out, held_out_targets, present = read_features(filter(is_validation, games), arguments.positions)
    losses = cross_entropy(present, held_out_targets), cross_entropy(held_out @ vector, held_out_targets)
    print(
        f"{len(targets)} positions; loss on {len(held_out_targets)} held out: {losses[0]:.5f} with the present weights,"
        f" {losses[1]:.5f} with the fitted ones",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
