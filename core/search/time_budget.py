"""Time management: how long a player may think about one move.

The engines of all games call these functions. Iterative deepening and MCTS obey the `TimeBudget` that they return.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.play.player import Limits

# A move's share of the clock is the time left / the expected moves, plus a part of the increment. Chosen by hand.
INCREMENT_FRACTION = 0.8  # this fraction of the increment is added to the share
SOFT_FRACTION = 0.6  # soft limit / share
HARD_FACTOR = 4  # hard limit / share


@dataclass(frozen=True)
class TimeBudget:
    """Limits of one search in milliseconds from its start; None means no limit.

    No new iteration begins after `soft_ms`. At `hard_ms` the search is aborted.
    """

    soft_ms: float | None
    hard_ms: float | None

    def minus_elapsed(self, elapsed_ms: float) -> TimeBudget:
        """Return the rest of the budget after `elapsed_ms`; it is negative if the time is over."""
        soft_ms, hard_ms = (None if ms is None else ms - elapsed_ms for ms in (self.soft_ms, self.hard_ms))
        return TimeBudget(soft_ms, hard_ms)


def allocate_time(limits: Limits, margin_ms: float, expected_moves_left: float) -> TimeBudget:
    """Return the time budget of a move. `margin_ms` is subtracted from each limit (UCI: Move Overhead).

    `expected_moves_left` is the estimated number of moves that the side to move makes until the end of the game.
    """
    hard: float | None = None
    soft: float | None = None
    if limits.move_time_ms is not None:
        hard = limits.move_time_ms - margin_ms
        soft = hard
    if limits.time_left_ms is not None:
        left = limits.time_left_ms - margin_ms
        share = left / expected_moves_left + INCREMENT_FRACTION * limits.increment_ms
        clock_hard, clock_soft = min(left, HARD_FACTOR * share), SOFT_FRACTION * share
        hard = clock_hard if hard is None else min(hard, clock_hard)
        soft = clock_soft if soft is None else min(soft, clock_soft)
    return TimeBudget(soft, hard)


def allocate_short_time(
    limits: Limits, margin_ms: float, expected_moves_left: float, instant_ms: float = 0
) -> TimeBudget:
    """Return the time budget as `allocate_time` does, but for limits that may be shorter than the margin.

    The margin is at most half of the shortest limit. A move time of 0 asks for an immediate move: its soft limit is 0,
    and its hard limit is `instant_ms`.
    """
    if limits.move_time_ms is not None and limits.move_time_ms <= 0:
        return TimeBudget(0, instant_ms)
    given_ms = [ms for ms in (limits.move_time_ms, limits.time_left_ms) if ms is not None]
    shortest_ms = max(min(given_ms), 0) if given_ms else 2 * margin_ms
    return allocate_time(limits, min(margin_ms, shortest_ms / 2), expected_moves_left)
