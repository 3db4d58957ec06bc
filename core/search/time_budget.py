"""Time management: how long a player may think about one move.

The engines of all games share these functions; MCTS and iterative deepening obey the `TimeBudget` they return.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.play.player import Limits

# Fractions of the clock. Chosen by hand.
INCREMENT_SHARE = 0.8  # of the increment is spent on the move
SOFT_SHARE = 0.6  # of a move's share of the clock is the soft limit
HARD_SHARES = 4  # a started iteration may use this many shares


@dataclass(frozen=True)
class TimeBudget:
    """Milliseconds from the start of the search; None is no limit.

    No new iteration begins after `soft_ms`. At `hard_ms` the search is aborted.
    """

    soft_ms: float | None
    hard_ms: float | None

    def minus_elapsed(self, elapsed_ms: float) -> TimeBudget:
        """Return what is left of the budget after `elapsed_ms`."""
        soft_ms, hard_ms = (None if ms is None else ms - elapsed_ms for ms in (self.soft_ms, self.hard_ms))
        return TimeBudget(soft_ms, hard_ms)


def allocate_time(limits: Limits, margin_ms: float, expected_moves_left: float) -> TimeBudget:
    """Return the time budget of a move under the limits; `margin_ms` is subtracted from each of them (move overhead).

    `expected_moves_left` is the estimated number of our own moves until the end of the game.
    """
    hard: float | None = None
    soft: float | None = None
    if limits.move_time_ms is not None:
        hard = limits.move_time_ms - margin_ms
        soft = hard
    if limits.time_left_ms is not None:
        left = limits.time_left_ms - margin_ms
        share = left / expected_moves_left + INCREMENT_SHARE * limits.increment_ms
        longest = min(left, HARD_SHARES * share)
        hard = longest if hard is None else min(hard, longest)
        soft = share * SOFT_SHARE if soft is None else min(soft, share * SOFT_SHARE)
    return TimeBudget(soft, hard)


def allocate_short_time(
    limits: Limits, margin_ms: float, expected_moves_left: float, instant_ms: float = 0
) -> TimeBudget:
    """As `allocate_time`, for limits that may be as short as the margin.

    At most half of the shortest limit is kept as margin. A move time of 0 asks for an instant move and gets
    `instant_ms` as hard limit.
    """
    if limits.move_time_ms is not None and limits.move_time_ms <= 0:
        return TimeBudget(0, instant_ms)
    given_ms = [ms for ms in (limits.move_time_ms, limits.time_left_ms) if ms is not None]
    shortest_ms = max(min(given_ms), 0) if given_ms else 2 * margin_ms
    return allocate_time(limits, min(margin_ms, shortest_ms / 2), expected_moves_left)
