"""Win probability of a score, by the scale of a game. core/training/score_scale.py fits scales to recorded games."""

from __future__ import annotations

import math

MAX_LOG_ODDS = 30.0  # beyond it the probability is 0 or 1 in any printed form, and `exp` would overflow in the end


def logistic_probability(score: float, scale: float) -> float:
    """Return 1 / (1 + exp(-score / scale)): 0.73 at a score of `scale`."""
    log_odds = min(max(score / scale, -MAX_LOG_ODDS), MAX_LOG_ODDS)
    return 1 / (1 + math.exp(-log_odds))
