"""Fits the evaluation's weights to games of `make_data.py`: `python -m bots.pentago.training.fit FILE...`.

Logistic regression, held a little to 0, over the positions of all files, which may be games of several selves.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from bots.pentago.training.features import UNITS, Counter, format_weights, spread
from bots.pentago.training.make_data import Sample
from core.training.fitting import fit_weights

RIDGE = 0.00001


def read_samples(files: Iterable[Path]) -> Iterator[Sample]:
    """The positions of all games."""
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                yield from json.loads(line)["positions"]


def main() -> None:
    """Fit, and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    counter = Counter()
    columns, chances = [], []
    for own, other, chance in read_samples(arguments.files):
        columns.append(np.array(spread(counter.count(own, other), (own | other).bit_count()), dtype=np.float32))
        chances.append(chance)
    features = np.array(columns)
    weights = fit_weights(features, np.array(chances), np.zeros(features.shape[1]), units=UNITS, ridge=RIDGE)
    print(f"{len(chances)} positions")
    print(format_weights(weights))


if __name__ == "__main__":
    main()
