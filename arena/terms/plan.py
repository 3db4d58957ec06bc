"""The plan of a run: who plays whom, from which opening, who begins. A pure function of seed and numbers.

The opening depends on the seed and the number of the pair within its pairing alone, never on a running counter, so
every pairing of a tournament sees the same openings in the same order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

SEED_BITS = 31  # fits the seed of every player
MAX_GAMES = 1_000_000  # of a pairing; a plan is made whole, and months of games are enough
MAX_NODES = 10**15  # of a search


@dataclass(frozen=True)
class PlannedGame:
    """One game: `number` counts from 1 through the run, `first` is the index of the engine that begins."""

    number: int
    first: int
    seed: int


@dataclass(frozen=True)
class Pair:
    """Two games from one opening with colours swapped; the last pair of an odd number has one game.

    Holds plain values only, so that another process or machine can be told to play it.
    """

    number: int  # from 1 through the run
    round: int  # from 1 within its pairing
    engines: tuple[int, int]  # indices; the first of them begins the first game
    opening: int | None  # index into the book, None where there is no book
    image: int  # under which of the board's symmetries the opening is played, 0 as it stands in the book
    games: tuple[PlannedGame, ...]


@dataclass(frozen=True)
class OpeningDealer:
    """Deals openings to the rounds of every pairing alike. The whole book is dealt before any line comes again.

    With `images` above 1 each line begins under a symmetry by chance and has had all when it comes to the first again.
    """

    openings: int  # lines of the book, 0 from the start position
    seed: int
    shuffle: bool = True
    images: int = 1

    def deal(self, number: int) -> tuple[int | None, int]:
        """Opening and image of a round, from 1."""
        if self.openings == 0:
            return None, 0
        cycle, place = divmod(number - 1, self.openings)
        opening = _order(self.openings, self.seed, cycle)[place] if self.shuffle else place
        return opening, (_first_image(self.seed, opening, self.images) + cycle) % self.images


def list_pairings(engines: int, gauntlet: int = 0) -> list[tuple[int, int]]:
    """Who plays whom: each engine against every other one, or the first `gauntlet` engines against each of the rest."""
    if gauntlet:
        return [(first, second) for first in range(gauntlet) for second in range(gauntlet, engines)]
    return [(first, second) for first in range(engines) for second in range(first + 1, engines)]


def plan_pairs(pairings: Sequence[tuple[int, int]], games: int, dealer: OpeningDealer) -> list[Pair]:
    """All pairs of a run with `games` games a pairing, round by round, so that a stop leaves a fair table."""
    pairs: list[Pair] = []
    played = 0
    for number in range(1, (games + 1) // 2 + 1):
        opening, image = dealer.deal(number)
        for engines in pairings:
            begin = engines[: games - 2 * (number - 1)]  # of the last round of an odd number only the first game
            planned = tuple(
                PlannedGame(number=game, first=first, seed=derive_seed(dealer.seed, game))
                for game, first in enumerate(begin, played + 1)
            )
            played += len(planned)
            pairs.append(Pair(len(pairs) + 1, number, engines, opening, image, planned))
    return pairs


def derive_seed(seed: int, game: int) -> int:
    """Seed of the players in one game, so that players with a random stream differ from game to game."""
    return random.Random(f"{seed}/game/{game}").getrandbits(SEED_BITS) or 1  # 0 has a player draw one


def describe_shortage(games: int, openings: int, distinct: int) -> str | None:
    """What a person should know where the book does not give each pair of a pairing an opening of its own, or None."""
    pairs = (games + 1) // 2
    if openings == 0:
        return f"no openings: engines without chance repeat one game in all {pairs} pairs" if pairs > 1 else None
    if distinct < pairs:
        return f"only {distinct} distinct openings for {pairs} pairs: openings are used again"
    return None


@lru_cache(maxsize=4)
def _order(openings: int, seed: int, cycle: int) -> list[int]:
    order = list(range(openings))
    random.Random(f"{seed}/{cycle}").shuffle(order)
    return order


def _first_image(seed: int, opening: int, images: int) -> int:
    return random.Random(f"{seed}/image/{opening}").randrange(images)
