"""Tests of the plan of a run: pairings, colours, and openings that are used evenly and equally in every pairing."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arena.terms.plan import OpeningDealer, Pair, describe_shortage, list_pairings, plan_pairs

GAME_COUNTS = st.integers(1, 90)
BOOK_SIZES = st.integers(0, 25)
SEEDS = st.integers(0, 2**31 - 1)
# Number of openings, seed, whether they are shuffled, number of symmetries
DEALERS = st.builds(OpeningDealer, BOOK_SIZES, SEEDS, st.booleans(), st.sampled_from([1, 2, 8]))


@st.composite
def pairing_lists(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Return the pairings of a random round robin or gauntlet."""
    engines = draw(st.integers(2, 7))
    return list_pairings(engines, draw(st.integers(0, engines - 1)))


def plan_match(games: int, openings: int, seed: int, *, shuffle: bool = True) -> list[Pair]:
    return plan_pairs([(0, 1)], games, OpeningDealer(openings, seed, shuffle))


@given(st.integers(2, 9))
def test_round_robin_has_each_pairing_once(engines: int) -> None:
    pairings = list_pairings(engines)
    assert {frozenset(pairing) for pairing in pairings} == {
        frozenset((first, second)) for first in range(engines) for second in range(engines) if first != second
    }
    assert len(pairings) == engines * (engines - 1) // 2


@given(st.integers(1, 4), st.integers(1, 5))
def test_gauntlet_pairs_the_first_engines_with_the_others(challengers: int, others: int) -> None:
    pairings = list_pairings(challengers + others, challengers)
    assert len(set(pairings)) == len(pairings) == challengers * others
    assert all(first < challengers <= second for first, second in pairings)


@given(pairing_lists(), GAME_COUNTS, DEALERS)
def test_every_game_is_planned_once_with_colours_swapped(
    pairings: list[tuple[int, int]], games: int, dealer: OpeningDealer
) -> None:
    plan = plan_pairs(pairings, games, dealer)
    assert [pair.number for pair in plan] == list(range(1, len(plan) + 1))
    assert [game.number for pair in plan for game in pair.games] == list(range(1, games * len(pairings) + 1))
    for pair in plan:
        has_two_games = 2 * pair.round <= games
        assert tuple(game.first for game in pair.games) == (pair.engines if has_two_games else pair.engines[:1])
    assert plan == plan_pairs(pairings, games, dealer)


@given(pairing_lists(), GAME_COUNTS, DEALERS)
def test_every_pairing_gets_the_same_openings_in_the_same_order(
    pairings: list[tuple[int, int]], games: int, dealer: OpeningDealer
) -> None:
    """If openings were dealt by one counter for all pairings, each pairing would get only a part of the book."""
    rounds_by_pairing = defaultdict(list)
    for pair in plan_pairs(pairings, games, dealer):
        rounds_by_pairing[pair.engines].append((pair.round, pair.opening, pair.symmetry))
    rounds = list(rounds_by_pairing.values())
    assert len(rounds) == len(pairings)
    assert all(openings == rounds[0] for openings in rounds)
    assert [number for number, *_ in rounds[0]] == list(range(1, (games + 1) // 2 + 1))


def test_round_robin_of_five_engines_with_forty_openings() -> None:
    """In each of the 10 pairings, each engine begins a game from each of the 40 openings."""
    games_by_pairing: dict[tuple[int, int], list[tuple[int | None, int]]] = defaultdict(list)  # opening, first engine
    for pair in plan_pairs(list_pairings(5), 80, OpeningDealer(40, 7)):
        games_by_pairing[pair.engines] += [(pair.opening, game.first) for game in pair.games]
    first_pairing, *_ = games_by_pairing.values()
    assert len(games_by_pairing) == 10
    for engines, games in games_by_pairing.items():
        assert sorted(games) == sorted((opening, first) for opening in range(40) for first in engines)
        assert [opening for opening, _ in games] == [opening for opening, _ in first_pairing]


@given(GAME_COUNTS, st.integers(1, 25), SEEDS)
def test_openings_are_used_evenly(games: int, openings: int, seed: int) -> None:
    uses = Counter(pair.opening for pair in plan_match(games, openings, seed))
    counts = [uses[opening] for opening in range(openings)]
    assert max(counts) - min(counts) <= 1


@given(st.integers(1, 25), SEEDS, st.booleans(), st.sampled_from([2, 8]))
def test_every_symmetry_of_every_opening_is_used_before_any_is_repeated(
    openings: int, seed: int, shuffle: bool, symmetries: int
) -> None:
    dealer = OpeningDealer(openings, seed, shuffle, symmetries)
    dealt = {dealer.deal(number) for number in range(1, openings * symmetries + 1)}
    assert dealt == {(opening, symmetry) for opening in range(openings) for symmetry in range(symmetries)}


@given(st.integers(1, 60), DEALERS)
def test_longer_match_begins_with_the_pairs_of_a_shorter_one(pairs: int, dealer: OpeningDealer) -> None:
    longer = plan_pairs([(0, 1)], 2 * pairs + 7, dealer)
    assert longer[:pairs] == plan_pairs([(0, 1)], 2 * pairs, dealer)


def test_random_order_depends_on_the_seed_and_differs_from_file_order() -> None:
    assert [pair.opening for pair in plan_match(40, 20, 1)] != list(range(20))
    assert [pair.opening for pair in plan_match(40, 20, 1, shuffle=False)] == list(range(20))
    assert [pair.opening for pair in plan_match(40, 20, 1)] != [pair.opening for pair in plan_match(40, 20, 2)]


def test_each_game_has_another_player_seed() -> None:
    seeds = {game.seed for pair in plan_match(100, 5, 3) for game in pair.games}
    assert len(seeds) == 100


def test_pair_can_be_sent_as_json() -> None:
    pair = plan_match(3, 5, 1)[0]
    assert msgspec.json.decode(msgspec.json.encode(pair), type=Pair) == pair


def test_warning_if_a_book_has_too_few_openings() -> None:
    # numbers of games, openings and distinct openings
    assert describe_shortage(20, 10, 10) is None
    assert describe_shortage(2, 0, 0) is None
    assert describe_shortage(20, 12, 9) == "only 9 distinct openings for 10 pairs: openings are used again"
    assert "no openings" in (describe_shortage(20, 0, 0) or "")
