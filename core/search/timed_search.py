"""`TimedSearch`: limits and search info of one move, for players that run a search kernel of their game directly.

The players that replicate published programs do that. The strongest players use `IterativeDeepening` or `MctsSearch`,
which keep the limits themselves.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Protocol

from core.play.player import Progress
from core.search.clock import CLOCK
from core.search.scores import win_distance


class LimitedState(Protocol):
    """A kernel state with the counters and limits of a search (core/search/kernels/polling.py)."""

    nodes: int
    next_poll: int
    aborted: int
    node_limit: int
    deadline: int


class TimedSearch:
    """The search of one move. Times count from the creation of the object."""

    def __init__(self, state: LimitedState) -> None:
        self._state = state
        self._start = time.perf_counter()  # seconds

    @property
    def elapsed_ms(self) -> int:
        """Whole milliseconds since the start."""
        return int(self._elapsed_ms())

    def set_limits(self, nodes: int | None, hard_ms: float | None) -> None:
        """Reset the counters of the state, and set its limits: nodes, and milliseconds since the start; None for none.

        The search kernel sets `aborted` when a limit is reached.
        """
        state = self._state
        state.nodes = state.next_poll = state.aborted = 0
        state.node_limit = nodes or 0
        state.deadline = CLOCK.deadline_in(None if hard_ms is None else hard_ms - self._elapsed_ms())

    def progress(self, depth: int, score: int, pv: Iterable[str]) -> Progress:
        """Return the search info after `depth` plies, with the nodes that the state has counted."""
        elapsed_ms = self.elapsed_ms
        return Progress(depth, depth, score, win_distance(score), self._state.nodes, elapsed_ms, tuple(pv))

    def _elapsed_ms(self) -> float:
        return (time.perf_counter() - self._start) * 1000
