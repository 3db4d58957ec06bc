"""Openings are dealt evenly, the same way in every run with one seed, and each with both colours."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.plan import deal_opening, describe_shortage, plan_match

GAMES = st.integers(1, 90)
BOOKS = st.integers(0, 25)
SEEDS = st.integers(0, 2**31 - 1)


@given(GAMES, BOOKS, SEEDS, st.booleans())
def test_every_game_is_planned_once_and_colours_alternate(games: int, book: int, seed: int, shuffle: bool) -> None:
    plan = plan_match(games, book, seed, shuffle=shuffle)
    planned = [game for pair in plan for game in pair.games]
    assert [game.number for game in planned] == list(range(1, games + 1))
    assert [pair.number for pair in plan] == list(range(1, len(plan) + 1))
    for pair in plan[:-1]:
        assert [game.first for game in pair.games] == [0, 1]
    assert plan == plan_match(games, book, seed, shuffle=shuffle)


@given(GAMES, st.integers(1, 25), SEEDS)
def test_openings_are_used_evenly(games: int, book: int, seed: int) -> None:
    uses = Counter(pair.opening for pair in plan_match(games, book, seed))
    counts = [uses[opening] for opening in range(book)]
    assert max(counts) - min(counts) <= 1


@given(st.integers(1, 60), st.integers(1, 25), SEEDS)
def test_opening_depends_on_seed_and_pair_alone(pair: int, book: int, seed: int) -> None:
    assert plan_match(2 * pair, book, seed)[pair - 1].opening == deal_opening(pair, book, seed)
    assert plan_match(2 * pair + 7, book, seed)[pair - 1].opening == deal_opening(pair, book, seed)


def test_random_order_is_not_the_files_order() -> None:
    assert [pair.opening for pair in plan_match(40, 20, 1)] != list(range(20))
    assert [pair.opening for pair in plan_match(40, 20, 1, shuffle=False)] == list(range(20))
    assert [pair.opening for pair in plan_match(40, 20, 1)] != [pair.opening for pair in plan_match(40, 20, 2)]


def test_players_get_another_seed_in_each_game() -> None:
    seeds = {game.seed for pair in plan_match(100, 5, 3) for game in pair.games}
    assert len(seeds) == 100


def test_short_book_is_told() -> None:
    assert describe_shortage(20, 10, 10) is None
    assert describe_shortage(2, 0, 0) is None
    assert describe_shortage(20, 12, 9) == "only 9 distinct openings for 10 pairs: openings are used again"
    assert "no openings" in (describe_shortage(20, 0, 0) or "")
