"""Ratings of many engines: Bradley and Terry's model by maximum likelihood, with a draw and a first-move term.

Let x be the rating of the first player minus that of the second plus the first-move term, and d the draw term. Then
P(win) : P(draw) : P(loss) = exp(x / 2) : exp(d) : exp(-x / 2). Source: R. R. Davidson, "On extending the Bradley-Terry
model to accommodate ties" (1970); the first-move term follows Davidson and Beaver (1977). Errors come from the inverse
Hessian and assume independent games, which is not quite true within a pair.

A finite maximum exists only if the results overlap (A. Albert and J. A. Anderson 1984): an engine that has won or lost
everything has no finite rating. So engines are rated within strongly connected groups, in which each engine has scored,
directly or through others, against each other one. These ratings use no prior. A term that the results do not determine
is left out and listed in `Ratings.left_out`.

Between such groups the results are one-sided. Among strongly connected groups that are connected by games the largest
is the reference. An engine outside it gets a 95 % profile-likelihood interval (S. S. Wilks 1938) relative to the
reference. Only these intervals use a prior, a weak one: at most one virtual game per engine, half won and half lost,
spread over its opponents. An interval is open on a side that no result bounds.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from arena.log.events import GameEnded
from arena.statistics.elo import CONFIDENCE_Z, ELO_PER_LOGIT

FIRST_MOVE, DRAW = "first move", "draw"
# Number of games by (first engine, second engine, score of the first); engines are indices from 0
Results = dict[tuple[int, int, float], float]
Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Estimate:
    """An estimate in Elo with half the width of its 95 % interval, which is None for the anchor of a group."""

    elo: float
    half_width: float | None = None


@dataclass(frozen=True)
class RatingInterval:
    """The 95 % interval in Elo of an engine with one-sided results; an open end is None."""

    low: float | None
    high: float | None


@dataclass(frozen=True)
class Ratings:
    """Ratings of all engines and the other terms of the model.

    In each group one engine is the anchor, fixed at 0: the first one of the group's reference (see the module).
    """

    engines: dict[str, Estimate | RatingInterval | None]  # by name; None if the engine has not played
    groups: tuple[tuple[str, ...], ...]  # comparable engines, in engine order; a single group if all are comparable
    first_move: Estimate | None = None  # Elo advantage of the first player
    draw_share: float | None = None  # expected share of draws between equal engines, without first-move advantage
    left_out: tuple[str, ...] = ()  # names of the terms that the results do not determine

    @property
    def has_ranges(self) -> bool:
        """Whether any rating is an interval and so depends on the prior."""
        return any(isinstance(rating, RatingInterval) for rating in self.engines.values())


def estimate_ratings(names: Sequence[str], games: Iterable[GameEnded]) -> Ratings:
    """Rate the engines by their finished games; games that do not count are skipped."""
    index_of = {name: number for number, name in enumerate(names)}
    results: Results = defaultdict(float)
    for game in games:
        if game.ending.counts:
            results[index_of[game.first], index_of[game.second], game.score(game.first)] += 1
    graph = _build_score_graph(len(names), results)
    # groups connected by games, and the strongly connected groups within them
    connected_groups, strong_groups = _find_groups(graph, "weak"), _find_groups(graph, "strong")
    ratings = _estimate(
        names, [group for group in strong_groups if len(group) > 1], _select_within_groups(results, strong_groups)
    )
    engines: dict[str, Estimate | RatingInterval | None] = dict.fromkeys(names)
    for group in connected_groups:
        if len(group) > 1:
            reference = max((part for part in strong_groups if part[0] in group), key=len)
            engines |= _bound_one_sided(names, group, reference, results, graph)
            engines |= {names[engine]: ratings.engines.get(names[engine], Estimate(0.0)) for engine in reference}
    groups = tuple(tuple(names[engine] for engine in group) for group in connected_groups)
    return replace(ratings, engines=engines, groups=groups)


def _select_within_groups(results: Results, groups: Sequence[Sequence[int]]) -> Results:
    """Return the results of games between engines of the same group."""
    group_of = {engine: number for number, group in enumerate(groups) for engine in group}
    return {key: count for key, count in results.items() if group_of[key[0]] == group_of[key[1]]}


def _estimate(names: Sequence[str], groups: Sequence[Sequence[int]], results: Results) -> Ratings:
    """Return the ratings within groups whose results overlap, and the model's other terms.

    `Ratings.groups` of the result is empty.
    """
    if not groups:
        return Ratings({}, ())
    free = [engine for group in groups for engine in group[1:]]  # all but the anchors
    all_terms = _list_terms(results)
    # the model with the most terms that the results determine
    model = next(
        model
        for terms in _list_term_subsets(all_terms)
        if (model := _Model(free, terms, results)).is_determined() or not terms
    )
    values, errors = model.fit()
    estimates = [Estimate(value, half_width) for value, half_width in zip(values, errors, strict=True)]
    rated = {names[group[0]]: Estimate(0.0) for group in groups}
    rated |= {names[engine]: estimate for engine, estimate in zip(free, estimates, strict=False)}
    term_estimates = dict(zip(model.terms, estimates[len(free) :], strict=True))
    # weight of a draw between equal engines, if a win and a loss have weight 1
    draw = math.exp(term_estimates[DRAW].elo / ELO_PER_LOGIT) if DRAW in term_estimates else None
    return Ratings(
        dict(rated),
        (),
        first_move=term_estimates.get(FIRST_MOVE),
        draw_share=None if draw is None else draw / (2 + draw),
        left_out=tuple(term for term in all_terms if term not in term_estimates),
    )


def _bound_one_sided(
    names: Sequence[str], group: Sequence[int], reference: Sequence[int], results: Results, graph: Array
) -> dict[str, RatingInterval]:
    """Return the intervals of the engines of a connected group that are outside its reference group."""
    one_sided = [engine for engine in group if engine not in reference]
    if not one_sided:
        return {}
    with_prior = _add_prior({key: count for key, count in results.items() if key[0] in group})
    anchor = reference[0]
    free = [engine for engine in group if engine != anchor]
    model = _Model(free, _list_terms(with_prior), with_prior)
    has_scored = _find_reachable(graph)
    intervals = {}
    for engine in one_sided:
        low, high = (
            model.find_profile_bound(free.index(engine), sign) if is_bounded else None
            for sign, is_bounded in ((-1, has_scored[engine, anchor]), (1, has_scored[anchor, engine]))
        )
        intervals[names[engine]] = RatingInterval(low, high)
    return intervals


def _add_prior(results: Results) -> Results:
    """Return the results plus at most one virtual game per engine, half won and half lost with each colour."""
    pairings = {frozenset(key[:2]) for key in results}
    opponents = Counter(engine for pairing in pairings for engine in pairing)
    with_prior: Results = defaultdict(float, results)
    for first, second in (order for pairing in pairings for order in permutations(pairing)):
        for score in (0.0, 1.0):
            # a quarter of a virtual game for each of two colours and two results
            with_prior[first, second, score] += 0.25 / max(opponents[first], opponents[second])
    return with_prior


def _list_terms(results: Results) -> list[str]:
    """Return the terms of the model besides the ratings; the draw term only if there is a draw."""
    return [FIRST_MOVE, DRAW] if any(score == 0.5 for *_, score in results) else [FIRST_MOVE]


def _list_term_subsets(terms: list[str]) -> list[list[str]]:
    """Return the subsets of the model's terms, the largest first."""
    return [terms, *([[DRAW], [FIRST_MOVE]] if len(terms) == 2 else []), []]


def _build_score_graph(engines: int, results: Results) -> Array:
    """Return a matrix; an entry is positive if the engine of the row has scored against the engine of the column."""
    graph = np.zeros((engines, engines))
    for first, second, score in results:
        graph[first, second] += score > 0
        graph[second, first] += score < 1
    return graph


def _find_groups(graph: Array, connection: str) -> list[list[int]]:
    """Return the weakly or strongly connected components of the graph (`connection` is `weak` or `strong`).

    Components and their members are in engine order.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    _, labels = connected_components(csr_matrix(graph), directed=True, connection=connection)
    return [[int(engine) for engine in np.flatnonzero(labels == label)] for label in dict.fromkeys(labels.tolist())]


def _find_reachable(graph: Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return whether each engine (row) has scored against each other (column), directly or through others."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import shortest_path

    reachable: np.ndarray[Any, np.dtype[np.bool_]] = np.isfinite(shortest_path(csr_matrix(graph), unweighted=True))
    return reachable


class _Model:
    """A multinomial logit model of game results.

    `_utility[pairing, outcome, parameter]` is its design tensor, `_counts[pairing, outcome]` has the observed games. A
    pairing is two engines with their colours; outcomes are win, loss and (with a draw term) draw of the first engine.
    """

    def __init__(self, free: Sequence[int], terms: Sequence[str], results: Results) -> None:
        """Parameters are the ratings of the `free` engines, then the terms; all other engines are fixed at 0."""
        columns = {engine: column for column, engine in enumerate(free)}
        self.terms = tuple(terms)
        outcomes = (1.0, 0.0, 0.5) if DRAW in terms else (1.0, 0.0)
        pairings = sorted({(first, second) for first, second, _ in results})
        size = len(columns) + len(terms)
        self._utility: Array = np.zeros((len(pairings), len(outcomes), size))
        self._counts: Array = np.zeros((len(pairings), len(outcomes)))
        for row, (first, second) in enumerate(pairings):
            difference = np.zeros(size)
            for engine, sign in ((first, 1.0), (second, -1.0)):
                if engine in columns:
                    difference[columns[engine]] = sign
            if FIRST_MOVE in terms:
                difference[len(columns)] = 1.0
            self._utility[row, 0], self._utility[row, 1] = difference / 2, -difference / 2
            counts = [results.get((first, second, score), 0.0) for score in (1.0, 0.0, 0.5)]
            if DRAW in terms:
                self._utility[row, 2, -1] = 1.0
                self._counts[row] = counts
            else:  # without a draw term a draw counts as half a win and half a loss
                self._counts[row] = counts[0] + counts[2] / 2, counts[1] + counts[2] / 2

    def is_determined(self) -> bool:
        """Whether the likelihood has a unique finite maximum.

        That is so if every change of the parameters makes some observed outcome less likely.
        """
        from scipy.optimize import linprog

        margins = np.array(
            [
                self._utility[row, observed] - self._utility[row, other]
                for row, observed in np.argwhere(self._counts > 0)
                for other in range(self._counts.shape[1])
                if other != observed
            ]
        )
        if np.linalg.matrix_rank(margins) < margins.shape[1]:
            return False
        # A change of the parameters that lowers no margin and raises some would leave the maximum at infinity. The
        # program maximizes the sum of the margins under this condition; only 0 is left if there is no such change.
        program = linprog(-margins.sum(axis=0), A_ub=-margins, b_ub=np.zeros(len(margins)), bounds=(-1, 1))
        return bool(-program.fun < 1e-9)

    def fit(self) -> tuple[list[float], list[float]]:
        """Return the maximum-likelihood parameters and half the widths of their 95 % intervals, all in Elo."""
        values, _ = self._maximize_likelihood()
        deviations = np.sqrt(np.diag(np.linalg.inv(self._hessian(values))))
        return (
            [float(value) * ELO_PER_LOGIT for value in values],
            [float(value) * CONFIDENCE_Z * ELO_PER_LOGIT for value in deviations],
        )

    def find_profile_bound(self, column: int, sign: int) -> float:
        """Return the lower (`sign` -1) or upper (`sign` 1) end of a parameter's 95 % profile-likelihood interval.

        It is in Elo. At this end the profile log-likelihood is z**2 / 2 below its maximum.
        """
        from scipy.optimize import brentq

        best_values, best_cost = self._maximize_likelihood()
        best = float(best_values[column])

        def excess(distance: float) -> float:
            """Return how much the cost at this distance from the best value exceeds that at the interval's end."""
            _, cost = self._maximize_likelihood(column, best + sign * distance)
            return cost - best_cost - CONFIDENCE_Z**2 / 2

        reach = 1.0  # distance that is doubled until it is beyond the end of the interval
        while excess(reach) < 0:
            reach *= 2
        distance = float(brentq(excess, 0, reach, xtol=1e-6))
        return (best + sign * distance) * ELO_PER_LOGIT

    def _maximize_likelihood(self, fixed_column: int | None = None, fixed_value: float = 0.0) -> tuple[Array, float]:
        """Return the parameters with the greatest likelihood, and their cost; one is fixed if a column is given.

        The cost is the negative log-likelihood; with a fixed parameter it is the negative profile log-likelihood.
        """
        from scipy.optimize import minimize

        free = np.arange(self._utility.shape[2]) != fixed_column

        def complete(free_values: Array) -> Array:
            """Return all parameters, with the fixed one among the free ones."""
            values = np.full(len(free), fixed_value)
            values[free] = free_values
            return values

        optimum = minimize(
            lambda free_values: self._cost(complete(free_values)),
            np.zeros(free.sum()),
            jac=lambda free_values: self._gradient(complete(free_values))[free],
            hess=lambda free_values: self._hessian(complete(free_values))[np.ix_(free, free)],
            method="trust-exact",
        )
        return complete(optimum.x), float(optimum.fun)

    def _probabilities(self, values: Array) -> Array:
        """Return the probability of each outcome (column) of each pairing (row) for these parameters."""
        weights = np.exp(self._utility @ values)
        probabilities: Array = weights / weights.sum(axis=1, keepdims=True)
        return probabilities

    def _cost(self, values: Array) -> float:
        """Return the negative log-likelihood of the observed games for these parameters."""
        return -float((self._counts * np.log(self._probabilities(values))).sum())

    def _gradient(self, values: Array) -> Array:
        """Return the gradient of the cost."""
        expected = self._counts.sum(axis=1, keepdims=True) * self._probabilities(values)
        gradient: Array = ((expected - self._counts)[:, :, None] * self._utility).sum(axis=(0, 1))
        return gradient

    def _hessian(self, values: Array) -> Array:
        """Return the Hessian of the cost."""
        probabilities = self._probabilities(values)[:, :, None]
        mean = (probabilities * self._utility).sum(axis=1, keepdims=True)
        spread = self._utility - mean
        weights = probabilities * self._counts.sum(axis=1)[:, None, None]
        # p: pairing, o: outcome, k and l: parameters
        hessian: Array = np.einsum("pok,pol->kl", weights * spread, spread)
        return hessian
