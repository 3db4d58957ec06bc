"""The plan of a match: which opening each pair plays and who begins. A pure function of seed and numbers.

The opening depends on the seed and the number of the pair alone, never on a running counter, so every pairing of a
tournament sees the same openings in the same order.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SEED_BITS = 31  # fits the seed of every player


@dataclass(frozen=True)
class PlannedGame:
    """One game: `number` counts from 1 through the match, `first` is the index of the engine that begins."""

    number: int
    first: int
    seed: int


@dataclass(frozen=True)
class Pair:
    """Two games from one opening with colours swapped; the last pair of an odd match has one game."""

    number: int  # from 1
    opening: int | None  # index into the book, None where there is no book
    games: tuple[PlannedGame, ...]


def plan_match(games: int, openings: int, seed: int, *, shuffle: bool = True) -> list[Pair]:
    """All pairs of a match of `games` games over a book of `openings` lines (0: from the start position)."""
    return [
        Pair(
            number=number,
            opening=deal_opening(number, openings, seed, shuffle=shuffle),
            games=tuple(
                PlannedGame(number=game, first=(game - 1) % 2, seed=derive_seed(seed, game))
                for game in range(2 * number - 1, min(2 * number, games) + 1)
            ),
        )
        for number in range(1, (games + 1) // 2 + 1)
    ]


def deal_opening(pair: int, openings: int, seed: int, *, shuffle: bool = True) -> int | None:
    """Index of the opening of a pair. The whole book is dealt before any line comes again, then in a new order."""
    if openings == 0:
        return None
    cycle, place = divmod(pair - 1, openings)
    if not shuffle:
        return place
    order = list(range(openings))
    random.Random(f"{seed}/{cycle}").shuffle(order)
    return order[place]


def derive_seed(seed: int, game: int) -> int:
    """Seed of the players in one game, so that players with a random stream differ from game to game."""
    return random.Random(f"{seed}/game/{game}").getrandbits(SEED_BITS)


def describe_shortage(games: int, openings: int, distinct: int) -> str | None:
    """What a person should know where the book does not give each pair an opening of its own, or None."""
    pairs = (games + 1) // 2
    if openings == 0:
        return f"no openings: engines without chance repeat one game in all {pairs} pairs" if pairs > 1 else None
    if distinct < pairs:
        return f"only {distinct} distinct openings for {pairs} pairs: openings are used again"
    return None
