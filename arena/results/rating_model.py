"""The likelihood of game results: Bradley and Terry's model with a first-move and a draw term, and its maximum.

Let x be the rating of the first player minus that of the second plus the first-move term, and d the draw term. Then
P(win) : P(draw) : P(loss) = exp(x / 2) : exp(d) : exp(-x / 2). Source: R. R. Davidson, "On extending the Bradley-Terry
model to accommodate ties" (1970); the first-move term follows Davidson and Beaver (1977). Errors come from the inverse
Hessian and assume independent games, which is not quite true within a pair. All ratings and terms are in logits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

FIRST_MOVE, DRAW = "first move", "draw"
NEWTON_STEPS = 2  # after the minimization, which ends when the gradient is small; each doubles the correct digits
# Number of games by (first engine, second engine, score of the first); engines are indices from 0
Results = dict[tuple[int, int, float], float]
Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Scale:
    """The ratings as a function of free parameters: `offsets + basis @ parameters`, with a row per engine."""

    offsets: Array
    basis: Array

    @property
    def size(self) -> int:
        """Number of free parameters."""
        return int(self.basis.shape[1])


@dataclass(frozen=True)
class Fit:
    """The parameters with the greatest likelihood, their covariances, and the negative log-likelihood (cost)."""

    values: Array
    covariance: Array
    cost: float


class RatingModel:
    """A multinomial logit model of game results. Its parameters are those of a `Scale`, then the terms.

    Rows of its arrays are pairings: two engines with their colours. `_design` and `_constant` give x as a linear
    function of the parameters; `_won`, `_lost` and `_drawn` are the observed numbers of games of the first engine.
    """

    def __init__(self, scale: Scale, results: Results, terms: Sequence[str]) -> None:
        """Without a draw term a draw counts as half a win and half a loss."""
        self.terms = tuple(terms)
        self._size = scale.size + len(self.terms)
        pairings = sorted({(first, second) for first, second, _ in results})
        firsts, seconds = np.array(pairings, dtype=np.int64).reshape(-1, 2).T
        self._constant = scale.offsets[firsts] - scale.offsets[seconds]
        self._design: Array = np.zeros((len(pairings), self._size))
        self._design[:, : scale.size] = scale.basis[firsts] - scale.basis[seconds]
        if FIRST_MOVE in self.terms:
            self._design[:, scale.size] = 1.0
        self._has_draws = DRAW in self.terms  # the draw term is the last parameter
        counts = np.array([[results.get((*pairing, score), 0.0) for score in (1.0, 0.0, 0.5)] for pairing in pairings])
        self._won, self._lost, self._drawn = counts.reshape(-1, 3).T
        if not self._has_draws:
            half_points = self._drawn / 2
            self._won, self._lost = self._won + half_points, self._lost + half_points
            self._drawn = np.zeros(len(pairings))
        self._games = self._won + self._lost + self._drawn

    def is_determined(self) -> bool:
        """Whether the likelihood has a unique finite maximum.

        That is so if every change of the parameters makes some observed outcome less likely.
        """
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix

        if self._size == 0:
            return True
        margins = self._margins()
        if np.linalg.matrix_rank(margins.T @ margins, hermitian=True) < self._size:
            return False
        # A change of the parameters that lowers no margin and raises some would leave the maximum at infinity. The
        # program maximizes the sum of the margins under this condition; only 0 is left if there is no such change.
        program = linprog(-margins.sum(axis=0), A_ub=csr_matrix(-margins), b_ub=np.zeros(len(margins)), bounds=(-1, 1))
        return bool(-program.fun < 1e-9)

    def fit(self) -> Fit:
        """Return the maximum of the likelihood; the model must be determined."""
        values = self._maximize_likelihood()[0]
        if not self._size:
            return Fit(values, np.zeros((0, 0)), self._cost(values))
        for _ in range(NEWTON_STEPS):
            values = self._improve(values)
        covariance = np.asarray(np.linalg.inv(self._hessian(values)), np.float64)
        return Fit(values, covariance, self._cost(values))

    def find_profile_bound(self, column: int, sign: int, drop: float) -> float:
        """Return the lower (`sign` -1) or upper (`sign` 1) end of a parameter's profile-likelihood interval.

        At this end the profile log-likelihood is `drop` below its maximum.
        """
        from scipy.optimize import brentq

        best_values, best_cost = self._maximize_likelihood()
        best = float(best_values[column])

        def excess(distance: float) -> float:
            """Return how much the cost at this distance from the best value exceeds that at the interval's end."""
            _, cost = self._maximize_likelihood(column, best + sign * distance)
            return cost - best_cost - drop

        reach = 1.0  # distance that is doubled until it is beyond the end of the interval
        while excess(reach) < 0:
            reach *= 2
        return best + sign * float(brentq(excess, 0, reach, xtol=1e-6))

    def _improve(self, values: Array) -> Array:
        """Return the parameters after a step of Newton's method."""
        improved: Array = values - np.linalg.solve(self._hessian(values), self._gradient(values))
        return improved

    def _margins(self) -> Array:
        """Return a row per observed outcome and other outcome: the gradient of their difference in utility.

        The utility of an outcome is the logarithm of its weight: x / 2, -x / 2 or d.
        """
        won, lost, drawn = self._won > 0, self._lost > 0, self._drawn > 0
        parts = [self._design[won], -self._design[lost]]
        if self._has_draws:
            draw = np.zeros(self._size)
            draw[-1] = 1.0
            half = self._design / 2
            parts += [half[won] - draw, -half[lost] - draw, draw - half[drawn], draw + half[drawn]]
        margins: Array = np.concatenate(parts)
        return margins

    def _maximize_likelihood(self, fixed_column: int | None = None, fixed_value: float = 0.0) -> tuple[Array, float]:
        """Return the parameters with the greatest likelihood, and their cost; one is fixed if a column is given.

        The cost is the negative log-likelihood; with a fixed parameter it is the negative profile log-likelihood.
        """
        from scipy.optimize import minimize

        free = np.arange(self._size) != fixed_column

        def complete(free_values: Array) -> Array:
            """Return all parameters, with the fixed one among the free ones."""
            values = np.full(self._size, fixed_value)
            values[free] = free_values
            return values

        if not free.any():
            values = complete(np.zeros(0))
            return values, self._cost(values)
        optimum = minimize(
            lambda free_values: self._cost(complete(free_values)),
            np.zeros(free.sum()),
            jac=lambda free_values: self._gradient(complete(free_values))[free],
            hess=lambda free_values: self._hessian(complete(free_values))[np.ix_(free, free)],
            method="trust-exact",
        )
        return complete(optimum.x), float(optimum.fun)

    def _log_probabilities(self, values: Array) -> tuple[Array, Array, Array]:
        """Return the logarithms of the probabilities of a win, a loss and a draw in each pairing."""
        half = (self._constant + self._design @ values) / 2
        draw = np.full(len(half), values[-1] if self._has_draws else -np.inf)
        total = np.logaddexp(np.logaddexp(half, -half), draw)
        return half - total, -half - total, draw - total

    def _cost(self, values: Array) -> float:
        """Return the negative log-likelihood of the observed games for these parameters."""
        won, lost, drawn = self._log_probabilities(values)
        cost = self._won @ won + self._lost @ lost
        return -float(cost + self._drawn @ drawn if self._has_draws else cost)

    def _gradient(self, values: Array) -> Array:
        """Return the gradient of the cost."""
        won, lost, drawn = (np.exp(part) for part in self._log_probabilities(values))
        slope = (self._games * (won - lost) - (self._won - self._lost)) / 2
        gradient: Array = self._design.T @ slope
        if self._has_draws:
            gradient[-1] += float((self._games * drawn - self._drawn).sum())
        return gradient

    def _hessian(self, values: Array) -> Array:
        """Return the Hessian of the cost."""
        won, lost, drawn = (np.exp(part) for part in self._log_probabilities(values))
        mean = (won - lost) / 2  # of the derivative of an outcome's utility by x
        curvature = self._games * ((won + lost) / 4 - mean**2)
        hessian: Array = self._design.T @ (curvature[:, None] * self._design)
        if self._has_draws:
            mixed = self._design.T @ (-self._games * mean * drawn)
            hessian[-1] += mixed
            hessian[:, -1] += mixed
            hessian[-1, -1] += float((self._games * drawn * (1 - drawn)).sum())
        return hessian
