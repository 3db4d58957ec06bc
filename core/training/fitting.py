"""Logistic regression of evaluation weights on game results, with a ridge penalty towards the old weights.

Texel's tuning method is the same idea; see chessprogramming.org.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize


def fit_weights(features: Any, results: Any, prior: Any, *, units: float, ridge: float) -> Any:
    """Return the weights near `prior` for which `features @ weights / units` predicts `results` best, as log-odds.

    `features` has shape (positions, weights), `results` (positions,): 1 for a win, 0 for a loss, 0.5 for a draw of the
    side that the features describe. `ridge` is the strength of the penalty, on weights scaled by the standard
    deviation of their feature. A feature that is always 0 keeps its prior weight.
    """
    scale = features.std(axis=0)
    scale[(scale == 0) & (features[0] != 0)] = 1.0
    used = scale > 0
    columns, start = features[:, used] / scale[used], prior[used] * scale[used] / units

    def loss(weights: Any) -> tuple[float, Any]:
        odds = columns @ weights
        error = np.mean(np.logaddexp(0, odds) - results * odds) + ridge * np.sum((weights - start) ** 2)
        slope = columns.T @ (1 / (1 + np.exp(-odds)) - results) / len(results) + 2 * ridge * (weights - start)
        return float(error), slope

    fitted = prior.copy()
    fitted[used] = minimize(loss, start, jac=True, method="L-BFGS-B").x / scale[used] * units
    return fitted
