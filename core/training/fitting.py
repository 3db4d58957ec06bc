"""Logistic regression of evaluation weights to results of games, held near the weights there were. Wants scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize


def fit_weights(features: Any, results: Any, prior: Any, *, units: float, ridge: float) -> Any:
    """Weights near `prior` under which `features @ weights / units` are the best log-odds of `results`.

    `features` is (positions, weights), `results` 1 for a win, 0 for a loss, 1/2 for a draw of the side that counts.
    `ridge` is how firmly the fit is held, per standard deviation of a feature; one that never varies keeps its weight,
    unless it is a constant other than 0.
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
