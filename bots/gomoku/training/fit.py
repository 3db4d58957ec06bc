"""Fits the evaluation's weights to recorded games: `python -m bots.gomoku.training.fit FILE.games ...`.

Each quiet position of make_data.py's games gives the counts that the evaluation sees and its side's chance of winning.
Logistic regression gives the weights that `bots/gomoku/weights.py` holds. It starts from the present ones and is held
a little near them, as some counts are rare. Most positions must be strays, which a search judged but nobody played:
weights fitted to games alone, better for these, played worse by 110 Elo.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from bots.gomoku.kernels.patterns import GRADES, PATTERNS
from bots.gomoku.training.samples import GameSource, Samples, chances
from bots.gomoku.weights import GRADE_WEIGHTS, PATTERN_WEIGHTS, TEMPO, UNITS_PER_LOGIT, UNITS_PER_WEIGHT
from core.training.fitting import fit_weights

RIDGE = 0.005  # how firmly the fit is held to the present weights, per standard deviation of a count
NAMES = ("codes, side to move", "codes, the other", "grades, side to move", "grades, the other")


def features_of(samples: Samples) -> Any:
    """Counts of each position, (positions, weights), in the order of `present_weights`; the last is the tempo's."""
    counts = samples.counts.reshape(len(samples), PATTERNS + GRADES, 2).astype(float)
    blocks = [counts[:, kinds, side] for kinds in (slice(PATTERNS), slice(PATTERNS, None)) for side in (0, 1)]
    return np.concatenate([*blocks, np.ones((len(samples), 1))], axis=1)


def present_weights() -> Any:
    """The weights that `bots/gomoku/weights.py` holds, the other side's negative."""
    patterns, grades = np.array(PATTERN_WEIGHTS, dtype=float), np.array(GRADE_WEIGHTS, dtype=float)
    return np.concatenate([patterns[0], -patterns[1], grades[0], -grades[1], [TEMPO]])


def fit(features: Any, chance: Any) -> Any:
    """The weights that predict the probabilities of winning best."""
    return fit_weights(features, chance, present_weights(), units=UNITS_PER_LOGIT * UNITS_PER_WEIGHT, ridge=RIDGE)


def read_positions(source: GameSource, positions: int) -> tuple[Any, Any]:
    """Features and probabilities of winning of games in a random order, until there are enough positions."""
    features: list[Any] = []
    chance: list[Any] = []
    for samples in source.read(np.random.default_rng(1).permutation(source.numbers()[0])):
        features.append(features_of(samples))
        chance.append(chances(samples))
        if sum(map(len, chance)) >= positions:
            break
    return np.concatenate(features), np.concatenate(chance)


def main() -> None:
    """Read, fit and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--rule", nargs="+", default=["freestyle"], help="rules whose games are read")
    parser.add_argument("--positions", type=int, default=300_000, help="number to stop reading at")
    arguments = parser.parse_args()
    source = GameSource(tuple(arguments.games), tuple(arguments.rule))
    features, chance = read_positions(source, arguments.positions)
    weights = fit(features, chance)
    print(f"{len(chance)} positions")
    blocks = np.split(weights[:-1], [PATTERNS, 2 * PATTERNS, 2 * PATTERNS + GRADES])
    for name, block, sign in zip(NAMES, blocks, (1, -1, 1, -1), strict=True):
        print(f"{name}: {[round(sign * float(weight)) for weight in block]}")
    print(f"tempo: {weights[-1]:.0f}")


if __name__ == "__main__":
    main()
