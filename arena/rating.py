"""Ratings of many engines: Bradley and Terry's model by maximum likelihood, with a draw and a first-move term.

With x the difference of the ratings of first and second player plus the first-move term, and d the draw term, a game is
won, drawn and lost with chances in proportion to exp(x / 2), exp(d) and exp(-x / 2): R. R. Davidson, "On extending the
Bradley-Terry model to accommodate ties" (1970), the first-move term as in Davidson and Beaver (1977). No prior is used.
Errors come from the inverse Hessian and take games as independent, which those of a pair are not quite.

A maximum exists only where the results overlap (A. Albert and J. A. Anderson 1984): who has won or lost everything has
no finite rating. So engines are rated in groups in which everybody has scored, round some corners, against everybody;
ratings of different groups do not compare. A term that the results do not determine is left out, and this is told.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.log import GameEnded
from arena.stats import CONFIDENCE_Z, ELO_PER_LOGIT

FIRST_MOVE, DRAW = "first move", "draw"
Results = Counter[tuple[int, int, float]]  # first, second, score of the first
Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Term:
    """An estimate in Elo with half its 95 % interval, None for an anchor's rating."""

    elo: float
    error: float | None = None


@dataclass(frozen=True)
class Ratings:
    """`engines` holds None where an engine has no finite rating; the first of each group is its anchor, 0."""

    engines: dict[str, Term | None]
    groups: tuple[tuple[str, ...], ...]  # in the order of the engines; one where all compare
    first_move: Term | None = None
    draw_share: float | None = None  # of games between equals, the first-move term left aside
    left_out: tuple[str, ...] = ()  # terms that the results do not determine


def rate(names: Sequence[str], games: Iterable[GameEnded]) -> Ratings:
    """Rate engines by finished games; those that do not count are passed over."""
    index = {name: number for number, name in enumerate(names)}
    results: Results = Counter(
        (index[game.first], index[game.second], game.score(game.first)) for game in games if game.ending.counts
    )
    group_of = _find_groups(len(names), results)
    groups = tuple(
        tuple(names[engine] for engine in range(len(names)) if group_of[engine] == group)
        for group in dict.fromkeys(group_of)
    )
    inside = Counter({key: count for key, count in results.items() if group_of[key[0]] == group_of[key[1]]})
    if not inside:
        return Ratings(dict.fromkeys(names), groups)
    return _estimate(names, groups, inside)


def _estimate(names: Sequence[str], groups: Sequence[tuple[str, ...]], results: Results) -> Ratings:
    free = [name for group in groups for name in group[1:]]  # all but the anchors
    columns = {names.index(name): column for column, name in enumerate(free)}
    wanted = [FIRST_MOVE, DRAW] if any(score == 0.5 for *_, score in results) else [FIRST_MOVE]
    model = next(
        model
        for terms in _choices(wanted)
        if (model := _Model(columns, terms, results)).is_determined() or not terms
    )
    values, errors = model.fit()
    estimates = [Term(value, error) for value, error in zip(values, errors, strict=True)]
    engines: dict[str, Term | None] = dict.fromkeys(names)
    for group in groups:
        engines[group[0]] = Term(0.0) if len(group) > 1 else None
    engines |= dict(zip(free, estimates, strict=False))
    found = dict(zip(model.terms, estimates[len(free) :], strict=True))
    draw = math.exp(found[DRAW].elo / ELO_PER_LOGIT) if DRAW in found else None
    return Ratings(
        engines,
        tuple(groups),
        first_move=found.get(FIRST_MOVE),
        draw_share=None if draw is None else draw / (2 + draw),
        left_out=tuple(term for term in wanted if term not in found),
    )


def _choices(terms: list[str]) -> list[list[str]]:
    """Sets of terms, the fullest first."""
    return [terms, *([[DRAW], [FIRST_MOVE]] if len(terms) == 2 else []), []]


def _find_groups(engines: int, results: Results) -> list[int]:
    """For each engine its strongly connected group in the graph of who has scored against whom."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    graph = np.zeros((engines, engines))
    for first, second, score in results:
        graph[first, second] += score > 0
        graph[second, first] += score < 1
    _, labels = connected_components(csr_matrix(graph), directed=True, connection="strong")
    return [int(label) for label in labels]


class _Model:
    """A multinomial logit: `_utility` has for each kind of game and each outcome the parameters' weights."""

    def __init__(self, columns: dict[int, int], terms: Sequence[str], results: Results) -> None:
        self.terms = tuple(terms)
        outcomes = (1.0, 0.0, 0.5) if DRAW in terms else (1.0, 0.0)
        kinds = sorted({(first, second) for first, second, _ in results})
        size = len(columns) + len(terms)
        self._utility: Array = np.zeros((len(kinds), len(outcomes), size))
        self._counts: Array = np.zeros((len(kinds), len(outcomes)))
        for row, (first, second) in enumerate(kinds):
            difference = np.zeros(size)
            for engine, sign in ((first, 1.0), (second, -1.0)):
                if engine in columns:
                    difference[columns[engine]] = sign
            if FIRST_MOVE in terms:
                difference[len(columns)] = 1.0
            self._utility[row, 0], self._utility[row, 1] = difference / 2, -difference / 2
            counts = [results[first, second, score] for score in (1.0, 0.0, 0.5)]
            if DRAW in terms:
                self._utility[row, 2, -1] = 1.0
                self._counts[row] = counts
            else:  # a draw is half of each
                self._counts[row] = counts[0] + counts[2] / 2, counts[1] + counts[2] / 2

    def is_determined(self) -> bool:
        """Whether the likelihood has one maximum: no change of the parameters makes nothing seen less likely."""
        from scipy.optimize import linprog

        margins = np.array(
            [
                self._utility[row, seen] - self._utility[row, other]
                for row, seen in np.argwhere(self._counts > 0)
                for other in range(self._counts.shape[1])
                if other != seen
            ]
        )
        if np.linalg.matrix_rank(margins) < margins.shape[1]:
            return False
        found = linprog(-margins.sum(axis=0), A_ub=-margins, b_ub=np.zeros(len(margins)), bounds=(-1, 1))
        return bool(-found.fun < 1e-9)

    def fit(self) -> tuple[list[float], list[float]]:
        """The likeliest parameters and half their 95 % intervals, all in Elo."""
        from scipy.optimize import minimize

        start = np.zeros(self._utility.shape[2])
        found = minimize(self._loss, start, jac=self._gradient, hess=self._hessian, method="trust-exact")
        deviations = np.sqrt(np.diag(np.linalg.inv(self._hessian(found.x))))
        return (
            [float(value) * ELO_PER_LOGIT for value in found.x],
            [float(value) * CONFIDENCE_Z * ELO_PER_LOGIT for value in deviations],
        )

    def _chances(self, values: Array) -> Array:
        weights = np.exp(self._utility @ values)
        chances: Array = weights / weights.sum(axis=1, keepdims=True)
        return chances

    def _loss(self, values: Array) -> float:
        return -float((self._counts * np.log(self._chances(values))).sum())

    def _gradient(self, values: Array) -> Array:
        expected = self._counts.sum(axis=1, keepdims=True) * self._chances(values)
        gradient: Array = ((expected - self._counts)[:, :, None] * self._utility).sum(axis=(0, 1))
        return gradient

    def _hessian(self, values: Array) -> Array:
        chances = self._chances(values)[:, :, None]
        mean = (chances * self._utility).sum(axis=1, keepdims=True)
        spread = self._utility - mean
        weights = chances * self._counts.sum(axis=1)[:, None, None]
        hessian: Array = np.einsum("tok,tol->kl", weights * spread, spread)
        return hessian
