"""Swiss tournaments: the pairings of a round, and the final order with its tie-breaks.

An engine is an index into the list of engines, which is also its seed. Scores are points of games: an encounter of two
games gives up to 2. A bye gives the points of an encounter that is won completely. Scores are multiples of 1/2, so
sums of products of them are exact as floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby


@dataclass(frozen=True)
class SwissRecord:
    """The results of one engine in the rounds so far."""

    opponents: tuple[tuple[int, float], ...] = ()  # of each encounter: the opponent, and the points against it
    byes: int = 0
    bye_points: float = 0.0  # of all byes

    @property
    def score(self) -> float:
        """Points of all encounters and byes."""
        return sum(points for _, points in self.opponents) + self.bye_points


@dataclass(frozen=True)
class SwissRank:
    """The place of an engine in the final order. Engines that nothing separates have the same rank."""

    rank: int  # from 1
    engine: int
    score: float
    buchholz: float  # sum of the opponents' scores
    sonneborn_berger: float  # sum over the opponents: points against it times its score
    direct: float = 0.0  # points against the engines that are equal in all of these; 0 unless all of them have met


def pair_swiss_round(records: Sequence[SwissRecord]) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the pairings of the next round, best score first, and the engine with a bye if their number is odd.

    The pairing is a matching of maximum weight. Its criteria, the most important one first:

    1. as few rematches as possible
    2. the bye goes to the lowest engine among those with the fewest byes
    3. opponents have nearly equal scores: the sum of the squared differences is as small as possible
    4. engines of equal score meet half of their group apart: of eight, the first meets the fifth

    The order for criteria 2 and 4 is that of the scores, then of the seeds.
    """
    from networkx import Graph, max_weight_matching

    count = len(records)
    order = sorted(range(count), key=lambda engine: (-records[engine].score, engine))
    # Each criterion is worth more than the sum of all less important ones. All weights are integers, so that nothing
    # is rounded. `engine_pairs` is the maximum number of edges in a matching.
    engine_pairs = count // 2 + 1
    half_points = [round(2 * record.score) for record in records]
    score_unit = engine_pairs * (2 * count) ** 2 + 1
    bye_unit = score_unit * (engine_pairs * (max(half_points) - min(half_points)) ** 2 + 1)
    rematch_unit = bye_unit * (count + 1)
    graph = Graph()
    graph.add_nodes_from(order)
    group_sizes = {score: len(list(group)) for score, group in groupby(half_points[engine] for engine in order)}
    for (one_position, one), (other_position, other) in combinations(enumerate(order), 2):
        meetings = sum(opponent == other for opponent, _ in records[one].opponents)
        difference = half_points[one] - half_points[other]
        distance = other_position - one_position
        apart = 2 * distance - group_sizes[half_points[one]] if difference == 0 else distance
        cost = rematch_unit * meetings**2 + score_unit * difference**2 + apart**2
        graph.add_edge(one, other, weight=-cost)
    if count % 2:
        fewest_byes = min(record.byes for record in records)
        for position, engine in enumerate(order):
            if records[engine].byes == fewest_byes:
                graph.add_edge(engine, count, weight=-bye_unit * (count - 1 - position))
    positions = {engine: position for position, engine in enumerate(order)}
    matched = [sorted(edge, key=lambda node: positions.get(node, count)) for edge in max_weight_matching(graph, True)]
    matched.sort(key=lambda edge: positions[edge[0]])
    pairings = [(one, other) for one, other in matched if other != count]
    return pairings, [one for one, other in matched if other == count]


def rank_swiss(records: Sequence[SwissRecord]) -> list[SwissRank]:
    """Return the engines by score, Buchholz, Sonneborn-Berger, direct encounter and seed.

    For the tie-breaks a bye counts as a win against an opponent with the engine's own score.
    """
    scores = [record.score for record in records]
    unranked = [_compute_tie_breaks(engine, record, scores) for engine, record in enumerate(records)]
    unranked.sort(key=_criteria)
    compared: list[SwissRank] = []
    for _, group in groupby(unranked, _criteria):
        compared += _compare_directly(list(group), records)
    compared.sort(key=lambda rank: (_criteria(rank), rank.engine))
    ranked: list[SwissRank] = []
    for position, rank in enumerate(compared, 1):
        is_equal = bool(ranked) and _criteria(ranked[-1]) == _criteria(rank)
        ranked.append(replace(rank, rank=ranked[-1].rank if is_equal else position))
    return ranked


def _criteria(rank: SwissRank) -> tuple[float, ...]:
    """Return the values by which engines are ordered; lower values are better."""
    return -rank.score, -rank.buchholz, -rank.sonneborn_berger, -rank.direct


def _compute_tie_breaks(engine: int, record: SwissRecord, scores: Sequence[float]) -> SwissRank:
    """Return the score and the tie-breaks of an engine, without its rank and its direct encounters."""
    own = scores[engine]
    buchholz = sum(scores[opponent] for opponent, _ in record.opponents) + record.byes * own
    sonneborn_berger = sum(points * scores[opponent] for opponent, points in record.opponents)
    return SwissRank(0, engine, own, buchholz, sonneborn_berger + record.bye_points * own)


def _compare_directly(tied: Sequence[SwissRank], records: Sequence[SwissRecord]) -> list[SwissRank]:
    """Return tied engines with the points of the encounters among them, if each of them has met each other."""
    engines = {rank.engine for rank in tied}
    if any(engines - {opponent for opponent, _ in records[engine].opponents} != {engine} for engine in engines):
        return list(tied)
    return [
        replace(rank, direct=sum(points for other, points in records[rank.engine].opponents if other in engines))
        for rank in tied
    ]
