"""Tests of the Swiss: properties of the pairings in simulated tournaments, and tie-breaks of an example by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.rules import TournamentRules
from arena.formats.swiss import SwissRecord, pair_swiss_round, rank_swiss
from arena.formats.tournament import Tournament

PAIR_POINTS = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0])  # of the first engine in a pair of games


@st.composite
def played_tournaments(draw: st.DrawFn) -> tuple[Tournament, list[list[SwissRecord]]]:
    """Return a Swiss of 2 to 9 engines with random results, and the records of its engines before each round."""
    engines, games = draw(st.integers(2, 9)), draw(st.sampled_from([2, 4]))
    rounds = draw(st.integers((engines - 1).bit_length(), 2 * engines))
    tournament = Tournament(TournamentRules("swiss", engines, games, rounds=rounds))
    records = [tournament.list_records()]
    while stage := tournament.next_stage():
        first_pair = tournament.pair_count + 1
        tournament.add_stage(stage)
        for number in range(first_pair, tournament.pair_count + 1):
            points = draw(PAIR_POINTS)
            tournament.add_pair(number, (points, 2 - points))
        records.append(tournament.list_records())
    return tournament, records


def list_perfect_matchings(engines: list[int]) -> list[list[tuple[int, int]]]:
    """Return all ways to pair an even number of engines."""
    if not engines:
        return [[]]
    first, *rest = engines
    return [
        [(first, other), *matching]
        for other in rest
        for matching in list_perfect_matchings([engine for engine in rest if engine != other])
    ]


@settings(max_examples=40, deadline=None)
@given(played_tournaments())
def test_each_engine_plays_or_has_a_bye_in_each_round(played: tuple[Tournament, list[list[SwissRecord]]]) -> None:
    tournament, _ = played
    engines = list(range(tournament.rules.engine_count))
    assert [stage.round for stage in tournament.stages] == list(range(1, tournament.rules.rounds + 1))
    for stage in tournament.stages:
        assert sorted([engine for pairing in (*stage.pairings, stage.byes) for engine in pairing]) == engines
        assert len(stage.byes) == len(engines) % 2
    byes = Counter(bye for stage in tournament.stages for bye in stage.byes)
    if byes:  # nobody has a second bye before everybody has had one
        assert max(byes.values()) - min(byes[engine] for engine in engines) <= 1


@settings(max_examples=25, deadline=None)
@given(played_tournaments())
def test_no_other_pairing_is_better(played: tuple[Tournament, list[list[SwissRecord]]]) -> None:
    """Each round is compared with all ways to pair it: nobody meets twice if that can be avoided, the bye is for the
    lowest engine with the fewest byes, and then the scores of opponents are as close as possible.
    """
    tournament, all_records = played
    for stage, records in zip(tournament.stages, all_records, strict=False):
        order = sorted(range(len(records)), key=lambda engine: (-records[engine].score, engine))
        fewest = min(record.byes for record in records)
        candidates = [[engine] for engine in order if records[engine].byes == fewest] if len(order) % 2 else [[]]
        values = [
            judge(records, order, matching, byes)
            for byes in candidates
            for matching in list_perfect_matchings([engine for engine in order if engine not in byes])
        ]
        assert judge(records, order, stage.pairings, stage.byes) == min(values)
        assert all(records[bye].byes == fewest for bye in stage.byes)


def judge(
    records: Sequence[SwissRecord], order: Sequence[int], pairings: Iterable[tuple[int, int]], byes: Iterable[int]
) -> tuple[float, ...]:
    """Return what is wrong with a pairing, the most important first: rematches, place of the bye, score differences."""
    pairings = list(pairings)
    met = [sum(opponent == other for opponent, _ in records[one].opponents) for one, other in pairings]
    differences = [records[one].score - records[other].score for one, other in pairings]
    places = [-order.index(bye) for bye in byes]
    return sum(times**2 for times in met), sum(places), sum(difference**2 for difference in differences)


def test_first_round_pairs_the_upper_half_with_the_lower_half() -> None:
    assert pair_swiss_round([SwissRecord()] * 8) == ([(0, 4), (1, 5), (2, 6), (3, 7)], [])
    assert pair_swiss_round([SwissRecord()] * 7)[1] == [6]


def test_equal_scores_meet() -> None:
    """After a first round without draws, the winners meet winners and the losers meet losers."""
    scores = [((4, 2.0),), ((5, 0.0),), ((6, 2.0),), ((7, 0.0),), ((0, 0.0),), ((1, 2.0),), ((2, 0.0),), ((3, 2.0),)]
    pairings, byes = pair_swiss_round([SwissRecord(opponents) for opponents in scores])
    assert pairings == [(0, 5), (2, 7), (1, 4), (3, 6)]
    assert byes == []


def test_rematch_is_avoided_even_if_scores_differ_more() -> None:
    """The two leaders have met, so each of them must meet an engine with no points."""
    records = [SwissRecord(((1, 2.0),)), SwissRecord(((0, 2.0),)), SwissRecord(((3, 0.0),)), SwissRecord(((2, 0.0),))]
    pairings, _ = pair_swiss_round(records)
    assert pairings == [(0, 2), (1, 3)]


def test_bye_goes_to_the_lowest_engine_without_one() -> None:
    records = [
        SwissRecord(((1, 2.0),)),
        SwissRecord(((0, 0.0),)),
        SwissRecord(((3, 1.5),)),
        SwissRecord(((2, 0.5),)),
        SwissRecord((), 1, 2.0),  # the lowest seed has had the bye, which counts as a won encounter
    ]
    assert pair_swiss_round(records)[1] == [1]


def test_bye_moves_up_if_only_that_avoids_a_rematch() -> None:
    """The lowest engine has met neither other one yet. If it had the bye, those two would meet again."""
    records = [SwissRecord(((1, 2.0),)), SwissRecord(((0, 0.0),)), SwissRecord(((3, 0.0),)), SwissRecord(((2, 0.0),))]
    three = [records[0], records[1], SwissRecord()]
    assert pair_swiss_round(three) == ([(0, 2)], [1])


def test_pairing_is_the_same_each_time() -> None:
    records = [SwissRecord(((11 - engine, float(engine % 3)),)) for engine in range(12)]
    assert all(pair_swiss_round(records) == pair_swiss_round(records) for _ in range(3))


def test_tie_breaks_of_an_example_by_hand() -> None:
    """Four engines after three rounds of one pair each, and all their figures computed with pencil and paper.

    Points: A 1.5-0.5 B, C 1-1 D; A 0.5-1.5 C, B 2-0 D; A 1.5-0.5 D, B 1-1 C. So A and B have 3.5, C has 3.5, D has 1.5.
    """
    a, b, c, d = range(4)
    records = [
        SwissRecord(((b, 1.5), (c, 0.5), (d, 1.5))),
        SwissRecord(((a, 0.5), (d, 2.0), (c, 1.0))),
        SwissRecord(((d, 1.0), (a, 1.5), (b, 1.0))),
        SwissRecord(((c, 1.0), (b, 0.0), (a, 0.5))),
    ]
    ranked = rank_swiss(records)
    figures = [(rank.engine, rank.rank, rank.score, rank.buchholz, rank.sonneborn_berger) for rank in ranked]
    # Sonneborn-Berger: A 1.5*3.5 + 0.5*3.5 + 1.5*1.5 = 9.25, B 0.5*3.5 + 2*1.5 + 1*3.5 = 8.25,
    # C 1*1.5 + 1.5*3.5 + 1*3.5 = 10.25, D 1*3.5 + 0 + 0.5*3.5 = 5.25
    assert figures == [(c, 1, 3.5, 8.5, 10.25), (a, 2, 3.5, 8.5, 9.25), (b, 3, 3.5, 8.5, 8.25), (d, 4, 1.5, 10.5, 5.25)]


def test_direct_encounter_separates_two_engines_that_are_equal_otherwise() -> None:
    """B and D have equal scores, Buchholz and Sonneborn-Berger, but D has won their encounter by 1.5 to 0.5.

    The other encounters: A 0-2 B, A 0-2 C, A 0.5-1.5 D, B 0.5-1.5 C, C 2-0 D.
    """
    a, b, c, d = range(4)
    records = [
        SwissRecord(((b, 0.0), (c, 0.0), (d, 0.5))),
        SwissRecord(((a, 2.0), (c, 0.5), (d, 0.5))),
        SwissRecord(((a, 2.0), (b, 1.5), (d, 2.0))),
        SwissRecord(((a, 1.5), (b, 1.5), (c, 0.0))),
    ]
    ranked = rank_swiss(records)
    assert [(rank.engine, rank.rank, rank.direct) for rank in ranked] == [
        (c, 1, 0),
        (d, 2, 1.5),
        (b, 3, 0.5),
        (a, 4, 0),
    ]
    assert {(rank.score, rank.buchholz, rank.sonneborn_berger) for rank in ranked[1:3]} == {(3.0, 9.0, 5.25)}


def test_bye_counts_as_a_win_against_an_engine_of_the_same_score() -> None:
    (rank, *_) = rank_swiss([SwissRecord(((1, 1.0),), 1, 2.0), SwissRecord(((0, 1.0),))])
    assert (rank.engine, rank.score, rank.buchholz, rank.sonneborn_berger) == (0, 3.0, 1.0 + 3.0, 1.0 + 2.0 * 3.0)


def test_engines_that_nothing_separates_share_a_rank() -> None:
    ranks = rank_swiss([SwissRecord(((1, 1.0),)), SwissRecord(((0, 1.0),)), SwissRecord(((3, 1.0),)), SwissRecord()])
    assert [(rank.engine, rank.rank) for rank in ranks][:2] == [(0, 1), (1, 1)]


def test_direct_encounters_count_only_if_all_tied_engines_have_met() -> None:
    """Three engines are equal. Two of them have met each other, which must not put them above the third one."""
    records = [
        SwissRecord(((2, 0.0), (1, 1.0))),
        SwissRecord(((0, 1.0),)),
        SwissRecord(((0, 2.0),)),
        SwissRecord(((4, 1.0),)),
        SwissRecord(((3, 1.0),)),
    ]
    ranks = {rank.engine: rank for rank in rank_swiss(records)}
    assert len({(ranks[engine].buchholz, ranks[engine].rank, ranks[engine].direct) for engine in (1, 3, 4)}) == 1


@given(st.integers(2, 12))
def test_all_meet_once_in_a_full_schedule_if_scores_never_differ(engines: int) -> None:
    """All encounters are drawn, so only the rule against rematches works. Half of a schedule is always possible."""
    rounds = (engines + 1) // 2
    tournament = Tournament(TournamentRules("swiss", engines, 2, rounds=max(rounds, 4)))
    met: set[frozenset[int]] = set()
    for _ in range(rounds):
        stage = tournament.next_stage()
        assert stage
        first_pair = tournament.pair_count + 1
        tournament.add_stage(stage)
        for number in range(first_pair, tournament.pair_count + 1):
            tournament.add_pair(number, (1.0, 1.0))
        pairings = {frozenset(pairing) for pairing in stage.pairings}
        assert not pairings & met or engines < 4
        met |= pairings
    assert met <= {frozenset(pairing) for pairing in combinations(range(engines), 2)}
