"""The interface through which a run plays pairs of games, in this process (PairRunner) or on a cluster.

arena/run/match.py uses it; pairs.py and cluster.py implement it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from arena.log.events import GameEnded, GameStarted, PairEnded
from arena.run.pairs import MoveCallback
from arena.terms.plan import Pair


class WorkersLostError(Exception):
    """No more pairs can be played, for example because the cluster was lost; the message is the reason."""


class PairWorker(Protocol):
    """Plays one pair at a time. One thread uses it; only `interrupt` may be called from another thread."""

    def play(self, pair: Pair, on_move: MoveCallback) -> Iterator[GameStarted | GameEnded | PairEnded]:
        """Play a pair and yield its events, as `PairRunner.play` does; raise WorkersLostError."""

    def close(self) -> None:
        """Release what the worker holds, such as running engines."""

    def interrupt(self) -> None:
        """End the running pair early; `play` yields no further result."""


@dataclass(frozen=True)
class PairWorkers:
    """A factory of `PairWorker`, and how many of them may play at the same time."""

    count: int
    make: Callable[[int], PairWorker]  # argument: the slot of the worker, 0 to count - 1
