"""Openings are dealt evenly, the same way to every pairing and in every run with one seed, each with both colours."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arena.terms.plan import OpeningDealer, Pair, describe_shortage, list_pairings, plan_pairs

GAMES = st.integers(1, 90)
BOOKS = st.integers(0, 25)
SEEDS = st.integers(0, 2**31 - 1)
DEALERS = st.builds(OpeningDealer, BOOKS, SEEDS, st.booleans(), st.sampled_from([1, 2, 8]))


@st.composite
def pairing_lists(draw: st.DrawFn) -> list[tuple[int, int]]:
    engines = draw(st.integers(2, 7))
    return list_pairings(engines, draw(st.integers(0, engines - 1)))


def plan_match(games: int, openings: int, seed: int, *, shuffle: bool = True) -> list[Pair]:
    return plan_pairs([(0, 1)], games, OpeningDealer(openings, seed, shuffle))


@given(st.integers(2, 9))
def test_all_play_all_once(engines: int) -> None:
    pairings = list_pairings(engines)
    assert {frozenset(pairing) for pairing in pairings} == {
        frozenset((one, other)) for one in range(engines) for other in range(engines) if one != other
    }
    assert len(pairings) == engines * (engines - 1) // 2


@given(st.integers(1, 4), st.integers(1, 5))
def test_gauntlet_is_the_first_ones_against_the_rest(challengers: int, others: int) -> None:
    pairings = list_pairings(challengers + others, challengers)
    assert len(set(pairings)) == len(pairings) == challengers * others
    assert all(first < challengers <= second for first, second in pairings)


@given(pairing_lists(), GAMES, DEALERS)
def test_every_game_is_planned_once_with_colours_swapped(
    pairings: list[tuple[int, int]], games: int, dealer: OpeningDealer
) -> None:
    plan = plan_pairs(pairings, games, dealer)
    assert [pair.number for pair in plan] == list(range(1, len(plan) + 1))
    assert [game.number for pair in plan for game in pair.games] == list(range(1, games * len(pairings) + 1))
    for pair in plan:
        whole = 2 * pair.round <= games
        assert tuple(game.first for game in pair.games) == (pair.engines if whole else pair.engines[:1])
    assert plan == plan_pairs(pairings, games, dealer)


@given(pairing_lists(), GAMES, DEALERS)
def test_every_pairing_gets_the_same_openings_in_the_same_order(
    pairings: list[tuple[int, int]], games: int, dealer: OpeningDealer
) -> None:
    """A running counter would show each pairing only a part of the book."""
    dealt = defaultdict(list)
    for pair in plan_pairs(pairings, games, dealer):
        dealt[pair.engines].append((pair.round, pair.opening, pair.symmetry))
    lists = list(dealt.values())
    assert len(lists) == len(pairings)
    assert all(openings == lists[0] for openings in lists)
    assert [number for number, *_ in lists[0]] == list(range(1, (games + 1) // 2 + 1))


def test_round_robin_of_five_with_forty_openings() -> None:
    colours: dict[tuple[int, int], list[tuple[int | None, int]]] = defaultdict(list)
    for pair in plan_pairs(list_pairings(5), 80, OpeningDealer(40, 7)):
        colours[pair.engines] += [(pair.opening, game.first) for game in pair.games]
    lists = list(colours.items())
    assert len(lists) == 10
    for engines, games in lists:
        assert sorted(games) == sorted((opening, first) for opening in range(40) for first in engines)
        assert [opening for opening, _ in games] == [opening for opening, _ in lists[0][1]]


@given(GAMES, st.integers(1, 25), SEEDS)
def test_openings_are_used_evenly(games: int, book: int, seed: int) -> None:
    uses = Counter(pair.opening for pair in plan_match(games, book, seed))
    counts = [uses[opening] for opening in range(book)]
    assert max(counts) - min(counts) <= 1


@given(st.integers(1, 25), SEEDS, st.booleans(), st.sampled_from([2, 8]))
def test_every_image_of_every_opening_is_dealt_before_any_comes_again(
    book: int, seed: int, shuffle: bool, symmetries: int
) -> None:
    dealer = OpeningDealer(book, seed, shuffle, symmetries)
    dealt = {dealer.deal(number) for number in range(1, book * symmetries + 1)}
    assert dealt == {(opening, symmetry) for opening in range(book) for symmetry in range(symmetries)}


@given(st.integers(1, 60), DEALERS)
def test_a_longer_match_begins_like_a_shorter_one(pair: int, dealer: OpeningDealer) -> None:
    longer = plan_pairs([(0, 1)], 2 * pair + 7, dealer)
    assert longer[:pair] == plan_pairs([(0, 1)], 2 * pair, dealer)


def test_random_order_is_not_the_files_order() -> None:
    assert [pair.opening for pair in plan_match(40, 20, 1)] != list(range(20))
    assert [pair.opening for pair in plan_match(40, 20, 1, shuffle=False)] == list(range(20))
    assert [pair.opening for pair in plan_match(40, 20, 1)] != [pair.opening for pair in plan_match(40, 20, 2)]


def test_players_get_another_seed_in_each_game() -> None:
    seeds = {game.seed for pair in plan_match(100, 5, 3) for game in pair.games}
    assert len(seeds) == 100


def test_a_pair_crosses_to_another_process_as_text() -> None:
    pair = plan_match(3, 5, 1)[0]
    assert msgspec.json.decode(msgspec.json.encode(pair), type=Pair) == pair


def test_short_book_is_told() -> None:
    assert describe_shortage(20, 10, 10) is None
    assert describe_shortage(2, 0, 0) is None
    assert describe_shortage(20, 12, 9) == "only 9 distinct openings for 10 pairs: openings are used again"
    assert "no openings" in (describe_shortage(20, 0, 0) or "")
