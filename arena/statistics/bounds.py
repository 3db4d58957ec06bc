"""Confidence bounds of the true score if results are too few or too one-sided for a standard error.

The lower one is N. Gaffke's, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a
nonnegative variable" (2005): add one result of the worst kind to those that were seen, give all of them random weights,
all divisions of 1 among them being equally likely, and take the quantile of their mean. The upper one adds a result of
the best kind. Where there are two kinds only, this is the exact interval of C. J. Clopper and E. S. Pearson (1934). The
mean is below h where a weighted sum of independent gamma variables is negative, whose distribution is one integral:
J. Gil-Pelaez, "Note on the inversion theorem" (1951).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

_INSET = 1e-9  # distance of the root search from both ends of the score range
# integration nodes, in inverse standard deviations; on a logarithmic scale the integrand is smooth
_STEP = 0.01
_FREQUENCIES = np.exp(np.arange(-28, 14, _STEP))


def bound_below(counts: Sequence[int], values: Sequence[float], chance: float) -> float:
    """Return the lower bound: the true score is below it with probability `chance` at most.

    `counts[i]` results were worth `values[i]` (0..1).
    """
    return _find_quantile(_add(counts, 0), np.array(values), chance)


def bound_above(counts: Sequence[int], values: Sequence[float], chance: float) -> float:
    """Return the upper bound: the true score is above it with probability `chance` at most."""
    return _find_quantile(_add(counts, -1), np.array(values), 1 - chance)


def chance_above(counts: Sequence[int], values: Sequence[float], score: float) -> float:
    """Return the probability that the true score exceeds `score` (0 < score < 1), the mean over both models."""
    below = (_chance_below(_add(counts, end), np.array(values), score) for end in (0, -1))
    return 1 - sum(below) / 2


def _add(counts: Sequence[int], end: int) -> Array:
    """Return the counts with one more result of the worst (`end` 0) or the best kind (-1)."""
    weights = np.array(counts, dtype=float)
    weights[end] += 1
    return weights


def _find_quantile(weights: Array, values: Array, share: float) -> float:
    from scipy.optimize import brentq

    seen = values[weights > 0]
    if len(seen) == 1:
        return float(seen[0])
    low, high = seen.min() + _INSET, seen.max() - _INSET
    return float(brentq(lambda score: _chance_below(weights, values, score) - share, low, high, xtol=1e-9))


def _chance_below(weights: Array, values: Array, score: float) -> float:
    """Return the probability that the randomly weighted mean of `values` is below `score`."""
    forces = values - score
    slopes = forces / math.sqrt(float((weights * forces**2).sum()))
    turns = np.outer(_FREQUENCIES, slopes)
    angles, falls = np.arctan(turns) @ weights, np.log1p(turns**2) @ weights
    area = float((np.sin(angles) * np.exp(-falls / 2)).sum()) * _STEP
    return min(1.0, max(0.0, 0.5 - area / math.pi))
