"""Fits the evaluation's weights to files of make_data.py: `python -m bots.pentago.training.fit FILE...`.

Logistic regression with a small ridge penalty, over the positions of all files.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from bots.pentago.training.features import UNITS_PER_LOGIT, FeatureExtractor, expand_by_knot, format_weights
from bots.pentago.training.make_data import Sample
from core.training.fitting import fit_weights
from core.training.games import read_games

RIDGE = 0.00001  # weight of the ridge penalty; features are scaled by their standard deviation


def read_samples(files: Iterable[Path]) -> Iterator[Sample]:
    """Yield the positions of all games, each with the probability that the side to move wins."""
    for game in read_games(files):
        yield from game["positions"]


def main() -> None:
    """Fit, and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="files written by bots.pentago.training.make_data")
    arguments = parser.parse_args()
    extractor = FeatureExtractor()
    columns, targets = [], []
    for own, other, target in read_samples(arguments.files):
        columns.append(
            np.array(expand_by_knot(extractor.extract(own, other), (own | other).bit_count()), dtype=np.float32)
        )
        targets.append(target)
    features = np.array(columns)
    weights = fit_weights(features, np.array(targets), np.zeros(features.shape[1]), units=UNITS_PER_LOGIT, ridge=RIDGE)
    print(f"{len(targets)} positions")
    print(format_weights(weights))


if __name__ == "__main__":
    main()
