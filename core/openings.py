"""Balanced openings by a game's own search: random plies from the start that a player calls even."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from core.game import Position
from core.player import Limits, Player, Setup

CANDIDATES = 4  # of which the most even is taken: players count in units of their own
PATIENCE = 1000  # known openings in a row after which there seem to be no others


class Restartable(Position, Protocol):
    """A position that can begin anew."""

    def restart(self, setup: Setup) -> None:
        """The start of another setup in the same record; raise BadSetup and change nothing."""


P = TypeVar("P", bound=Restartable)


def accept_all(position: Position) -> bool:  # noqa: ARG001 - what a game has that asks no more of an opening
    """Any opening will do."""
    return True


@dataclass(frozen=True)
class OpeningMaker(Generic[P]):
    """Draws openings in `position`, whose game it replaces, and lets `player` judge them under `limits`.

    `form` gives what all images of an opening under the board's symmetries have in common. An opening is drawn only
    where the game goes on after it and `accept` agrees.
    """

    player: Player
    position: P
    form: Callable[[P], Hashable]
    limits: Limits
    accept: Callable[[P], bool] = accept_all

    def make(self, plies: int, seed: int) -> Iterator[list[str]]:
        """Yield openings of `plies` moves, no two of one form, until no others are found.

        Each is the most even of CANDIDATES; none has an end that the player calls proven.
        """
        chance = random.Random(seed)
        self.player.new_game(self.position.setup)
        seen: set[Hashable] = set()
        while candidates := list(self._draw(chance, plies, seen)):
            scored = [(score, moves) for moves in candidates if (score := self._measure(moves)) is not None]
            if scored:
                yield min(scored)[1]

    def _draw(self, chance: random.Random, plies: int, seen: set[Hashable]) -> Iterator[list[str]]:
        """CANDIDATES openings that were never drawn before, or fewer where there are no more."""
        found = misses = 0
        while found < CANDIDATES and misses < PATIENCE:
            play_random(self.position, chance, plies)
            form = self.form(self.position)
            if form in seen or self.position.outcome() is not None or not self.accept(self.position):
                misses += 1
                continue
            seen.add(form)
            found, misses = found + 1, 0
            yield self.position.moves

    def _measure(self, moves: Sequence[str]) -> int | None:
        """How far the score is from even, None for a proven end."""
        self.player.set_moves(moves)
        progress = self.player.choose(self.limits).progress
        return None if progress.win_in is not None else abs(progress.score)


def play_random(position: Restartable, chance: random.Random, plies: int) -> None:
    """Replace the game by one of random moves, ended early where it is over."""
    position.restart(position.setup)
    while len(position.moves) < plies and (moves := position.legal_moves()):
        position.play(chance.choice(moves))
