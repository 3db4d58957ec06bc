"""Where a run's pairs are played: in this process, or on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from arena.log.events import GameEnded, GameStarted, PairEnded
from arena.run.pairs import Watch
from arena.terms.plan import Pair


class PlaceLostError(Exception):
    """Pairs cannot be played there any more; the text says why."""


class Place(Protocol):
    """Plays one pair at a time, driven by one thread; `interrupt` may come from another."""

    def play(self, pair: Pair, watch: Watch) -> Iterator[GameStarted | GameEnded | PairEnded]:
        """Play a pair as `PairRunner.play` does; raise PlaceLostError."""

    def close(self) -> None:
        """End all engines."""

    def interrupt(self) -> None:
        """End the running game without a result."""


@dataclass(frozen=True)
class Places:
    """How many pairs can be played at a time, and what makes the place for each."""

    count: int
    make: Callable[[int], Place]  # takes the slot, from 0
