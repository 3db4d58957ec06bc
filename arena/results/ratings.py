"""Ratings of many engines by maximum likelihood, with anchors; the model is that of arena/results/rating_model.py.

A finite maximum exists only if the results overlap (A. Albert and J. A. Anderson 1984): an engine that has won or lost
everything has no finite rating. So engines are rated within strongly connected groups, in which each engine has scored,
directly or through others, against each other one. These ratings use no prior. A term that the results do not determine
is left out and listed in `Ratings.left_out`.

Between such groups the results are one-sided. Among strongly connected groups that are connected by games the largest
is the reference. An engine outside it gets a 95 % profile-likelihood interval (S. S. Wilks 1938) relative to the
reference. Only these intervals use a prior, a weak one: at most one virtual game per engine, half won and half lost,
spread over its opponents. An interval is open on a side that no result bounds.

The mean rating of a reference is 0, and errors are relative to that mean. An anchor has a given rating instead, without
error: all anchors are fixed while the others are fitted, so errors are relative to the anchors. As their differences
are known, anchors connect groups like results of both kinds, and the group of the anchors is the reference. Whether the
games of the anchors contradict their ratings is tested by a likelihood ratio (`Ratings.anchor_p_value`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from arena.log.events import GameEnded
from arena.results.rating_model import DRAW, FIRST_MOVE, Array, RatingModel, Results, Scale
from arena.statistics.elo import CONFIDENCE_Z, ELO_PER_LOGIT
from arena.terms.anchors import Anchor

MIN_P_VALUE = 0.01  # of the test of the anchors; a smaller value is reported


@dataclass(frozen=True)
class Estimate:
    """An estimate in Elo with half the width of its 95 % interval, which is None if the rating is fixed.

    Anchors are fixed, and an engine that is alone in its reference, at 0.
    """

    elo: float
    half_width: float | None = None


@dataclass(frozen=True)
class RatingInterval:
    """The 95 % interval in Elo of an engine with one-sided results; an open end is None."""

    low: float | None
    high: float | None


@dataclass(frozen=True)
class Ratings:
    """Ratings of all engines and the other terms of the model."""

    engines: dict[str, Estimate | RatingInterval | None]  # by name; None if the engine has not played
    groups: tuple[tuple[str, ...], ...]  # comparable engines, in engine order; a single group if all are comparable
    first_move: Estimate | None = None  # Elo advantage of the first player
    draw_share: float | None = None  # expected share of draws between equal engines, without first-move advantage
    left_out: tuple[str, ...] = ()  # names of the terms that the results do not determine
    anchors: tuple[str, ...] = ()  # names of the engines with given ratings
    # Probability of games that contradict the anchors' ratings as much as these games do; None if not tested
    anchor_p_value: float | None = None

    @property
    def has_ranges(self) -> bool:
        """Whether any rating is an interval and so depends on the prior."""
        return any(isinstance(rating, RatingInterval) for rating in self.engines.values())


def estimate_ratings(names: Sequence[str], games: Iterable[GameEnded], anchors: Sequence[Anchor] = ()) -> Ratings:
    """Rate the engines by their finished games; games that do not count are skipped. Anchors are among the names."""
    return rate_results(names, count_game_results(names, games), anchors)


def count_game_results(names: Sequence[str], games: Iterable[GameEnded]) -> Results:
    """Return the number of games by engines and score; games that do not count are skipped."""
    index_of = {name: number for number, name in enumerate(names)}
    results: Results = defaultdict(float)
    for game in games:
        if game.ending.counts:
            results[index_of[game.first], index_of[game.second], game.score(game.first)] += 1
    return results


def rate_results(names: Sequence[str], results: Results, anchors: Sequence[Anchor] = ()) -> Ratings:
    """Rate the engines by numbers of games. Anchors are among the names; those without games are ignored."""
    if not results:
        return Ratings(dict.fromkeys(names), tuple((name,) for name in names))
    graph = _build_score_graph(len(names), results)
    played = {engine for key in results for engine in key[:2]}
    given = {names.index(anchor.name): anchor.rating for anchor in anchors if names.index(anchor.name) in played}
    # The model uses ratings relative to the mean of the anchors, so that they are small.
    shift = sum(given.values()) / len(given) if given else 0.0
    fixed = {engine: (rating - shift) / ELO_PER_LOGIT for engine, rating in given.items()}
    joined = _join(graph, list(fixed))
    # groups connected by games or anchors, and the strongly connected groups within them
    connected_groups, strong_groups = _find_groups(joined, "weak"), _find_groups(joined, "strong")
    ratings = _estimate(names, strong_groups, _select_within_groups(results, strong_groups), fixed)
    engines: dict[str, Estimate | RatingInterval | None] = dict.fromkeys(names)
    for group in connected_groups:
        parts = [part for part in strong_groups if part[0] in group]
        reference = next((part for part in parts if not fixed.keys().isdisjoint(part)), max(parts, key=len))
        if len(group) > 1:
            found: dict[str, Estimate | RatingInterval] = {}
            found |= _bound_one_sided(names, group, reference, results, joined, fixed)
            found |= {names[engine]: ratings.engines.get(names[engine]) or Estimate(0.0) for engine in reference}
            group_shift = 0.0 if fixed.keys().isdisjoint(group) else shift
            engines |= {name: _shift(rating, group_shift) for name, rating in found.items()}
    engines |= {names[engine]: Estimate(rating) for engine, rating in given.items()}
    return replace(
        ratings,
        engines=engines,
        groups=tuple(tuple(names[engine] for engine in group) for group in connected_groups),
        anchors=tuple(names[engine] for engine in given),
        anchor_p_value=_test_anchors(graph, joined, results, fixed),
    )


def list_rating_warnings(ratings: Ratings, anchors: Sequence[Anchor] = ()) -> list[str]:
    """Return warnings about the anchors: those without games, and ratings that the games contradict."""
    idle = [anchor.name for anchor in anchors if anchor.name not in ratings.anchors]
    warnings = [f"anchors without games have no effect: {', '.join(idle)}"] if idle else []
    if ratings.anchor_p_value is not None and ratings.anchor_p_value < MIN_P_VALUE:
        warnings.append(
            f"the games contradict the ratings of the anchors (p = {ratings.anchor_p_value:.2g}): all other ratings are"
            " distorted; use one anchor, or ratings from the same conditions"
        )
    return warnings


def _shift(rating: Estimate | RatingInterval, shift: float) -> Estimate | RatingInterval:
    """Return the rating moved by a number of Elo."""
    if isinstance(rating, Estimate):
        return replace(rating, elo=rating.elo + shift)
    low, high = (None if end is None else end + shift for end in (rating.low, rating.high))
    return RatingInterval(low, high)


def _select_within_groups(results: Results, groups: Sequence[Sequence[int]]) -> Results:
    """Return the results of games between engines of the same group."""
    group_of = {engine: number for number, group in enumerate(groups) for engine in group}
    return {key: count for key, count in results.items() if group_of[key[0]] == group_of[key[1]]}


def _make_scale(engines: int, groups: Sequence[Sequence[int]], fixed: Mapping[int, float]) -> Scale:
    """Return the scale of the ratings of the groups; the other engines have the rating 0.

    In a group with fixed engines, the others are free. In each other group the mean is 0: all but the first engine are
    free, and the first has the negative sum of their ratings.
    """
    offsets = np.zeros(engines)
    for engine, rating in fixed.items():
        offsets[engine] = rating
    free_by_group = [
        [engine for engine in group if engine not in fixed] if not fixed.keys().isdisjoint(group) else group[1:]
        for group in groups
    ]
    basis = np.zeros((engines, sum(map(len, free_by_group))))
    column = 0
    for group, free in zip(groups, free_by_group, strict=True):
        columns = range(column, column + len(free))
        basis[free, columns] = 1.0
        if fixed.keys().isdisjoint(group):
            basis[group[0], columns] = -1.0
        column += len(free)
    return Scale(offsets, basis)


def _estimate(
    names: Sequence[str], strong_groups: Sequence[Sequence[int]], results: Results, fixed: Mapping[int, float]
) -> Ratings:
    """Return the ratings within groups whose results overlap, and the model's other terms.

    The results are those of games within the groups. `Ratings.groups` of the result is empty.
    """
    groups = [group for group in strong_groups if len(group) > 1]
    if not results:
        return Ratings({}, ())
    all_terms = _list_terms(results)
    scale = _make_scale(len(names), groups, fixed)
    # the model with the most terms that the results determine
    model = next(
        model
        for terms in _list_term_subsets(all_terms)
        if (model := RatingModel(scale, results, terms)).is_determined() or not terms
    )
    fit = model.fit()
    values = scale.offsets + scale.basis @ fit.values[: scale.size]
    covariance = scale.basis @ fit.covariance[: scale.size, : scale.size] @ scale.basis.T
    rated = {
        names[engine]: _make_estimate(values[engine], covariance[engine, engine])
        for group in groups
        for engine in group
    }
    term_estimates = {
        term: _make_estimate(fit.values[column], fit.covariance[column, column])
        for column, term in enumerate(model.terms, scale.size)
    }
    # weight of a draw between equal engines, if a win and a loss have weight 1
    draw = math.exp(term_estimates[DRAW].elo / ELO_PER_LOGIT) if DRAW in term_estimates else None
    return Ratings(
        dict(rated),
        (),
        first_move=term_estimates.get(FIRST_MOVE),
        draw_share=None if draw is None else draw / (2 + draw),
        left_out=tuple(term for term in all_terms if term not in term_estimates),
    )


def _make_estimate(value: float, variance: float) -> Estimate:
    """Return an estimate in Elo of a value in logits."""
    return Estimate(float(value) * ELO_PER_LOGIT, math.sqrt(variance) * CONFIDENCE_Z * ELO_PER_LOGIT)


def _bound_one_sided(
    names: Sequence[str],
    group: Sequence[int],
    reference: Sequence[int],
    results: Results,
    graph: Array,
    fixed: Mapping[int, float],
) -> dict[str, RatingInterval]:
    """Return the intervals of the engines of a connected group that are outside its reference group."""
    one_sided = [engine for engine in group if engine not in reference]
    if not one_sided:
        return {}
    with_prior = _add_prior({key: count for key, count in results.items() if key[0] in group})
    scale = _make_scale(len(names), [reference], fixed)
    columns = {engine: scale.size + number for number, engine in enumerate(one_sided)}
    basis = np.zeros((len(names), scale.size + len(one_sided)))
    basis[:, : scale.size] = scale.basis
    basis[one_sided, list(columns.values())] = 1.0
    model = RatingModel(Scale(scale.offsets, basis), with_prior, _list_terms(with_prior))
    has_scored = _find_reachable(graph)
    anchor = reference[0]
    intervals = {}
    for engine in one_sided:
        low, high = (
            model.find_profile_bound(columns[engine], sign, CONFIDENCE_Z**2 / 2) * ELO_PER_LOGIT if is_bounded else None
            for sign, is_bounded in ((-1, has_scored[engine, anchor]), (1, has_scored[anchor, engine]))
        )
        intervals[names[engine]] = RatingInterval(low, high)
    return intervals


def _test_anchors(graph: Array, joined: Array, results: Results, fixed: Mapping[int, float]) -> float | None:
    """Return the p-value of the likelihood-ratio test of the fixed ratings; None if the games do not compare anchors.

    Among anchors that are connected by games, each but one could have a free rating. Games between strongly connected
    groups have no part in the greatest likelihood: it is approached as the distance of the groups grows, and their
    results become certain.
    """
    from scipy.stats import chi2

    freedom = sum(max(0, len(fixed.keys() & set(group)) - 1) for group in _find_groups(graph, "weak"))
    if not freedom:
        return None
    parts = []  # scale and games of the models without and with fixed ratings
    for model_graph, ratings in ((graph, {}), (joined, fixed)):
        groups = _find_groups(model_graph, "strong")
        scale = _make_scale(len(graph), [group for group in groups if len(group) > 1], ratings)
        parts.append((scale, _select_within_groups(results, groups)))
    for terms in _list_term_subsets(_list_terms(results)):
        free, restricted = (RatingModel(scale, games, terms) for scale, games in parts)
        if not terms or (free.is_determined() and restricted.is_determined()):
            break
    return float(chi2.sf(2 * (restricted.fit().cost - free.fit().cost), freedom))


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


def _join(graph: Array, engines: Sequence[int]) -> Array:
    """Return the graph with an edge from each of these engines to each other one."""
    joined = graph.copy()
    joined[np.ix_(engines, engines)] += 1 - np.eye(len(engines))
    return joined


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
