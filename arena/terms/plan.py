"""Plan the games of a run: pairings, openings and colours. The seed is the only source of chance.

A pairing is two engines that play each other; a pair is two games of a pairing from one opening with colours swapped.
Within a run, the opening of a pair depends only on its number within its pairing. So every pairing of a tournament gets
the same openings in the same order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

SEED_BITS = 31  # fits the seed of every player
MAX_GAMES = 1_000_000  # per pairing; the whole plan is kept in memory
MAX_NODES = 10**15  # largest node limit per move


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
    round: int  # from 1 within its pairing, or within the stage of a tournament that is played by rounds
    engines: tuple[int, int]  # indices; the first of them begins the first game
    opening: int | None  # index into the book; None without a book
    symmetry: int  # index of the board symmetry applied to the opening; 0: as in the book
    games: tuple[PlannedGame, ...]


@dataclass(frozen=True)
class OpeningDealer:
    """Assigns openings to the rounds of a pairing. Every opening is used once before any is used again.

    With `symmetry_count` above 1 an opening is first played under a random symmetry of the board, and each time that it
    is used again under the next one.
    """

    opening_count: int  # number of openings in the book; 0: play from the start position
    seed: int
    shuffle: bool = True
    symmetry_count: int = 1

    def deal(self, round_number: int) -> tuple[int | None, int]:
        """Return the index of the opening (None: no book) and of its symmetry for a round, counted from 1."""
        if self.opening_count == 0:
            return None, 0
        # `uses` counts how often the whole book has been used before
        uses, position = divmod(round_number - 1, self.opening_count)
        opening = _shuffled_indices(self.opening_count, self.seed, uses)[position] if self.shuffle else position
        return opening, (_first_symmetry(self.seed, opening, self.symmetry_count) + uses) % self.symmetry_count


def list_pairings(engine_count: int, gauntlet: int = 0) -> list[tuple[int, int]]:
    """Return the pairings of a round robin, or with `gauntlet` N those of the first N engines with the rest."""
    if gauntlet:
        return [(first, second) for first in range(gauntlet) for second in range(gauntlet, engine_count)]
    return [(first, second) for first in range(engine_count) for second in range(first + 1, engine_count)]


def count_pairings(engine_count: int, gauntlet: int = 0) -> int:
    """Return the number of pairings that `list_pairings` lists."""
    return gauntlet * (engine_count - gauntlet) if gauntlet else engine_count * (engine_count - 1) // 2


def plan_pairs(
    pairings: Sequence[tuple[int, int]],
    games: int,
    dealer: OpeningDealer,
    *,
    earlier_pairs: int = 0,
    earlier_openings: int = 0,
) -> list[Pair]:
    """Return all pairs of a run or of one stage of it, with `games` games per pairing.

    They are ordered by rounds, so that pairings have about the same number of games if the run stops early. A stage
    continues the numbers after `earlier_pairs` pairs of two games each, and the openings after `earlier_openings`.
    """
    pairs: list[Pair] = []
    planned_count = 2 * earlier_pairs  # games planned so far
    for round_number in range(1, (games + 1) // 2 + 1):
        opening, symmetry = dealer.deal(earlier_openings + round_number)
        for engines in pairings:
            first_engines = engines[: games - 2 * (round_number - 1)]  # the last round of an odd number has one game
            planned_games = tuple(
                PlannedGame(number, first, derive_seed(dealer.seed, number))
                for number, first in enumerate(first_engines, planned_count + 1)
            )
            planned_count += len(planned_games)
            number = earlier_pairs + len(pairs) + 1
            pairs.append(Pair(number, round_number, engines, opening, symmetry, planned_games))
    return pairs


def derive_seed(seed: int, game_number: int) -> int:
    """Return the seed of the players for one game, drawn anew for each game of a run and never 0."""
    return (
        random.Random(f"{seed}/game/{game_number}").getrandbits(SEED_BITS) or 1
    )  # with seed 0 a player would draw a random seed


def describe_shortage(game_count: int, opening_count: int, distinct_count: int) -> str | None:
    """Return a warning if a pairing of `game_count` games has fewer distinct openings than pairs, else None."""
    pairs = (game_count + 1) // 2
    if opening_count == 0:
        return f"no openings: deterministic engines repeat the same game in all {pairs} pairs" if pairs > 1 else None
    if distinct_count < pairs:
        return f"only {distinct_count} distinct openings for {pairs} pairs: openings are used again"
    return None


@lru_cache(maxsize=4)
def _shuffled_indices(opening_count: int, seed: int, cycle: int) -> list[int]:
    order = list(range(opening_count))
    random.Random(f"{seed}/{cycle}").shuffle(order)
    return order


def _first_symmetry(seed: int, opening: int, symmetry_count: int) -> int:
    return random.Random(f"{seed}/image/{opening}").randrange(symmetry_count)
