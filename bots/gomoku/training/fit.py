"""Fits the linear evaluation's weights to recorded games: `python -m bots.gomoku.training.fit FILE.games ...`.

The games are those of make_data.py. A quiet position, one without a threat that must be answered, gives the
counts that the evaluation uses, and a target: the side to move's probability of winning. Logistic regression gives the
weights of bots/gomoku/weights.py, with a ridge penalty towards the present weights, because some counts are rare. They
are printed, and copied into that file by hand.

Most positions must be strays (positions that a search evaluated, but that were not played): weights fitted to played
positions alone predicted those better, but played worse by 120 Elo (bots/gomoku/search_tests.md).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from bots.gomoku.kernels.patterns import GRADES, PATTERNS
from bots.gomoku.training.samples import GameSource, Samples, value_targets
from bots.gomoku.weights import GRADE_WEIGHTS, PATTERN_WEIGHTS, TEMPO, UNITS_PER_LOGIT, WEIGHT_DIVISOR
from core.training.fitting import fit_weights

RIDGE = 0.005  # weight of the ridge penalty; features are scaled by their standard deviation
BLOCK_NAMES = ("patterns, side to move", "patterns, opponent", "grades, side to move", "grades, opponent")


def features_of(samples: Samples) -> Any:
    """Return the features of each position, shape (positions, weights), in the order of `present_weights`."""
    counts = samples.counts.reshape(len(samples), PATTERNS + GRADES, 2).astype(float)
    blocks = [counts[:, kinds, side] for kinds in (slice(PATTERNS), slice(PATTERNS, None)) for side in (0, 1)]
    return np.concatenate([*blocks, np.ones((len(samples), 1))], axis=1)


def present_weights() -> Any:
    """Return the weights of bots/gomoku/weights.py as one vector, with the opponent's negated.

    The order is: patterns of the side to move and of the opponent, grades of both, tempo.
    """
    patterns, grades = np.array(PATTERN_WEIGHTS, dtype=float), np.array(GRADE_WEIGHTS, dtype=float)
    return np.concatenate([patterns[0], -patterns[1], grades[0], -grades[1], [TEMPO]])


def fit(features: Any, targets: Any) -> Any:
    """Return the weights that minimise the cross-entropy with the targets plus the ridge penalty."""
    return fit_weights(features, targets, present_weights(), units=UNITS_PER_LOGIT * WEIGHT_DIVISOR, ridge=RIDGE)


def read_positions(source: GameSource, min_positions: int) -> tuple[Any, Any]:
    """Read training games in random order; return features and targets of their positions.

    Reading stops when there are at least `min_positions` positions, or no more games.
    """
    features: list[Any] = []
    targets: list[Any] = []
    for samples in source.read(np.random.default_rng(1).permutation(source.split_games()[0])):
        features.append(features_of(samples))
        targets.append(value_targets(samples))
        if sum(map(len, targets)) >= min_positions:
            break
    return np.concatenate(features), np.concatenate(targets)


def main() -> None:
    """Read positions, fit, and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--rule", nargs="+", default=["freestyle"], help="rules whose games are read")
    parser.add_argument("--positions", type=int, default=300_000, help="stop reading games at this number of positions")
    arguments = parser.parse_args()
    source = GameSource(tuple(arguments.games), tuple(arguments.rule))
    features, targets = read_positions(source, arguments.positions)
    weights = fit(features, targets)
    print(f"{len(targets)} positions")
    blocks = np.split(weights[:-1], [PATTERNS, 2 * PATTERNS, 2 * PATTERNS + GRADES])
    for name, block, sign in zip(BLOCK_NAMES, blocks, (1, -1, 1, -1), strict=True):
        print(f"{name}: {[round(sign * float(weight)) for weight in block]}")
    print(f"tempo: {weights[-1]:.0f}")


if __name__ == "__main__":
    main()
