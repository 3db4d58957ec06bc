"""Confidence bounds of the true score if results are too few or too one-sided for a standard error.

The lower bound is N. Gaffke's, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a
nonnegative variable" (2005). Add one result of the worst kind to the observed results. Give all results random weights
with sum 1, uniformly distributed, which is a Dirichlet distribution. The bound is a quantile of the weighted mean. The
upper bound adds a result of the best kind instead. With two kinds of results (no draws) this is the exact interval of
C. J. Clopper and E. S. Pearson (1934).

The weighted mean is below h if a weighted sum of independent gamma variables is negative. The probability of that is
one integral: J. Gil-Pelaez, "Note on the inversion theorem" (1951).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

_INSET = 1e-9  # distance of the root search from both ends of the score range
# Nodes of the integral over the argument of the characteristic function, in inverse standard deviations of the weighted
# sum. They are equidistant on a logarithmic scale, on which the integrand is smooth. Range and step are chosen by hand.
_STEP = 0.01
_FREQUENCIES = np.exp(np.arange(-28, 14, _STEP))


def bound_below(counts: Sequence[int], values: Sequence[float], probability: float) -> float:
    """Return the lower bound: the true score is below it with at most this probability.

    `counts[i]` results were worth `values[i]` (0..1).
    """
    return _find_quantile(_add(counts, 0), np.array(values), probability)


def bound_above(counts: Sequence[int], values: Sequence[float], probability: float) -> float:
    """Return the upper bound: the true score is above it with at most this probability. See `bound_below`."""
    return _find_quantile(_add(counts, -1), np.array(values), 1 - probability)


def probability_above(counts: Sequence[int], values: Sequence[float], score: float) -> float:
    """Return the probability that the true score exceeds `score` (0 < score < 1).

    It is the mean of the probabilities with an added result of the worst and of the best kind.
    """
    below = (_probability_below(_add(counts, end), np.array(values), score) for end in (0, -1))
    return 1 - sum(below) / 2


def _add(counts: Sequence[int], end: int) -> Array:
    """Return the counts with one more result of the worst (`end` is 0) or the best kind (`end` is -1)."""
    weights = np.array(counts, dtype=float)
    weights[end] += 1
    return weights


def _find_quantile(weights: Array, values: Array, share: float) -> float:
    """Return the `share` quantile (0..1) of the randomly weighted mean of `values`."""
    from scipy.optimize import brentq

    observed_values = values[weights > 0]
    if len(observed_values) == 1:
        return float(observed_values[0])
    low, high = observed_values.min() + _INSET, observed_values.max() - _INSET
    return float(brentq(lambda score: _probability_below(weights, values, score) - share, low, high, xtol=1e-9))


def _probability_below(weights: Array, values: Array, score: float) -> float:
    """Return the probability that the randomly weighted mean of `values` is below `score`.

    `weights` are the shapes of the gamma variables G: the number of results of each kind. The sum over all kinds of
    (value - score) * G is negative if the mean is below the score. Its characteristic function at t is the product of
    (1 - i t (value - score)) ** -shape.
    """
    differences = values - score
    coefficients = differences / math.sqrt(float((weights * differences**2).sum()))  # scaled to standard deviation 1
    arguments = np.outer(_FREQUENCIES, coefficients)  # t times coefficient: one row per t, one column per kind
    # of the characteristic function: angle in the complex plane, and -2 times the logarithm of its absolute value
    angles, log_decay = np.arctan(arguments) @ weights, np.log1p(arguments**2) @ weights
    integral = float((np.sin(angles) * np.exp(-log_decay / 2)).sum()) * _STEP  # of its imaginary part, over log t
    return min(1.0, max(0.0, 0.5 - integral / math.pi))
