"""Logistic regression of evaluation weights on game results, with a ridge penalty towards the old weights.

Texel's tuning method (chessprogramming.org) is similar, but minimises the squared error and has no penalty.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize


def fit_weights(features: Any, results: Any, prior: Any, *, units: float, ridge: float) -> Any:
    """Return the weights, near `prior`, with which the log-odds `features @ weights / units` predict `results` best.

    `features` has shape (positions, weights). `results` has shape (positions,); for the side that the features describe
    a win is 1, a loss 0 and a draw 0.5. `units` is the score that means log-odds of 1. `ridge` is the factor of the
    penalty, the sum of the squared differences from `prior`, in which each weight is scaled by the standard deviation
    of its feature (1 if the feature is constant) and by 1 / `units`. A feature that is 0 in all positions keeps its
    prior weight.
    """
    scale = features.std(axis=0)  # of each feature
    scale[(scale == 0) & (features[0] != 0)] = 1.0  # a constant feature
    used = scale > 0
    scaled_features, scaled_prior = features[:, used] / scale[used], prior[used] * scale[used] / units

    def loss_and_gradient(weights: Any) -> tuple[float, Any]:
        log_odds, change = scaled_features @ weights, weights - scaled_prior
        loss = np.mean(np.logaddexp(0, log_odds) - results * log_odds) + ridge * np.sum(change**2)
        gradient = scaled_features.T @ (1 / (1 + np.exp(-log_odds)) - results) / len(results) + 2 * ridge * change
        return float(loss), gradient

    fitted = prior.copy()
    fitted[used] = minimize(loss_and_gradient, scaled_prior, jac=True, method="L-BFGS-B").x / scale[used] * units
    return fitted
