"""Plan the games of a run: pairings, openings and colours, determined by the seed alone.

A pairing is two engines that play each other; a pair is two games of a pairing from one opening with colours swapped.
The opening of a pair depends only on the seed and on its number within its pairing. So every pairing of a tournament
gets the same openings in the same order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

SEED_BITS = 31  # fits the seed of every player
MAX_GAMES = 1_000_000  # per pairing; the whole plan is kept in memory
MAX_NODES = 10**15  # per move


@dataclass(frozen=True)
class PlannedGame:
    """One game: `number` counts from 1 through the run, `first` is the index of the engine that begins."""

    number: int
    first: int
    seed: int


@dataclass(frozen=True)
class Pair:
    """Two games from one opening with colours swapped; the last pair of an odd number has one game.

    Holds plain values only, so that it can be sent to another process or machine.
    """

    number: int  # from 1 through the run
    round: int  # from 1 within its pairing
    engines: tuple[int, int]  # indices; the first of them begins the first game
    opening: int | None  # index into the book, None where there is no book
    symmetry: int  # index of the board symmetry applied to the opening; 0: as in the book
    games: tuple[PlannedGame, ...]


@dataclass(frozen=True)
class OpeningDealer:
    """Assigns openings to the rounds of a pairing. Every opening is used once before any is used again.

    With `symmetries` above 1 an opening is first played under a random symmetry of the board, and under the next one
    each time it is used again.
    """

    openings: int  # number of openings in the book; 0: play from the start position
    seed: int
    shuffle: bool = True
    symmetries: int = 1

    def deal(self, number: int) -> tuple[int | None, int]:
        """Return the index of the opening (None: no book) and of its symmetry for a round, counted from 1."""
        if self.openings == 0:
            return None, 0
        cycle, position = divmod(number - 1, self.openings)
        opening = _shuffled_indices(self.openings, self.seed, cycle)[position] if self.shuffle else position
        return opening, (_first_symmetry(self.seed, opening, self.symmetries) + cycle) % self.symmetries


def list_pairings(engines: int, gauntlet: int = 0) -> list[tuple[int, int]]:
    """Return the pairings of a round robin, or with `gauntlet` N those of the first N engines with the rest."""
    if gauntlet:
        return [(first, second) for first in range(gauntlet) for second in range(gauntlet, engines)]
    return [(first, second) for first in range(engines) for second in range(first + 1, engines)]


def plan_pairs(pairings: Sequence[tuple[int, int]], games: int, dealer: OpeningDealer) -> list[Pair]:
    """Return all pairs of a run, round by round: if it stops early, pairings have about the same number of games."""
    pairs: list[Pair] = []
    played = 0
    for number in range(1, (games + 1) // 2 + 1):
        opening, symmetry = dealer.deal(number)
        for engines in pairings:
            first_engines = engines[: games - 2 * (number - 1)]  # the last round of an odd number has one game
            planned = tuple(
                PlannedGame(number=game, first=first, seed=derive_seed(dealer.seed, game))
                for game, first in enumerate(first_engines, played + 1)
            )
            played += len(planned)
            pairs.append(Pair(len(pairs) + 1, number, engines, opening, symmetry, planned))
    return pairs


def derive_seed(seed: int, game: int) -> int:
    """Return the seed of the players for one game, different for each game."""
    return (
        random.Random(f"{seed}/game/{game}").getrandbits(SEED_BITS) or 1
    )  # with seed 0 a player would draw a random seed


def describe_shortage(games: int, openings: int, distinct: int) -> str | None:
    """Return a warning if a pairing has fewer different openings than pairs, else None."""
    pairs = (games + 1) // 2
    if openings == 0:
        return f"no openings: deterministic engines repeat the same game in all {pairs} pairs" if pairs > 1 else None
    if distinct < pairs:
        return f"only {distinct} distinct openings for {pairs} pairs: openings are used again"
    return None


@lru_cache(maxsize=4)
def _shuffled_indices(openings: int, seed: int, cycle: int) -> list[int]:
    order = list(range(openings))
    random.Random(f"{seed}/{cycle}").shuffle(order)
    return order


def _first_symmetry(seed: int, opening: int, symmetries: int) -> int:
    return random.Random(f"{seed}/image/{opening}").randrange(symmetries)
