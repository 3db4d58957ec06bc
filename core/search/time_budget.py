"""Time management: how long a player may think about one move.

The engines of all games call these functions. Iterative deepening and MCTS obey the `TimeBudget` that they return.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.play.player import Limits

# A move's share of the clock is the time left / the expected moves, plus a part of the increment. The three factors are
# chosen by hand.
INCREMENT_FRACTION = 0.8  # part of the increment that belongs to the share
SOFT_FRACTION = 0.6  # soft limit / share
HARD_FACTOR = 4  # hard limit / share
# Of `time_factor`, chosen by hand and tested by matches (bots/gomoku/search_tests.md)
NEW_MOVE_FACTOR = 1.3  # after an iteration in which the best move changed
UNCHANGED_STEP, MAX_UNCHANGED = 0.08, 8  # less for each iteration since then, and how many of them count
NODE_FACTOR, NODE_SLOPE = 2.3, 1.8  # without nodes for the best move, and how much less if it took all of them
MIN_NODE_FACTOR, MAX_NODE_FACTOR = 0.6, 1.7


@dataclass(frozen=True)
class TimeBudget:
    """Limits of one search in milliseconds from its start; None means no limit.

    No new iteration begins after `soft_ms`. At `hard_ms` the search is aborted. `clock_ms` is what `soft_ms` would be
    by the game's clock alone; it is None if the game has no clock.
    """

    soft_ms: float | None
    hard_ms: float | None
    clock_ms: float | None = None

    def soft_limit(self, factor: float) -> float | None:
        """Return the soft limit if the time by the game's clock is multiplied by `factor`.

        A time limit of the move alone stays as it is, because time left over from it is lost.
        """
        if self.clock_ms is None or self.hard_ms is None:
            return self.soft_ms
        return min(factor * self.clock_ms, self.hard_ms)

    def minus_elapsed(self, elapsed_ms: float) -> TimeBudget:
        """Return the rest of the budget after `elapsed_ms`; it is negative if the time is over."""
        return TimeBudget(
            *(None if ms is None else ms - elapsed_ms for ms in (self.soft_ms, self.hard_ms, self.clock_ms))
        )


def time_factor(unchanged: int, node_share: float) -> float:
    """Return the factor for `TimeBudget.soft_limit` after an iteration.

    `unchanged` is the number of iterations since the best move changed, `node_share` the share of all nodes, 0 to 1,
    that its searches took. A longer search is unlikely to change a move that has been the best for many iterations, or
    whose alternatives are refuted with few nodes.
    """
    stability = NEW_MOVE_FACTOR - UNCHANGED_STEP * min(unchanged, MAX_UNCHANGED)
    nodes = NODE_FACTOR - NODE_SLOPE * node_share
    return stability * min(max(nodes, MIN_NODE_FACTOR), MAX_NODE_FACTOR)


def allocate_time(limits: Limits, margin_ms: float, expected_moves_left: float, instant_ms: float = 0) -> TimeBudget:
    """Return the time budget of a move. `margin_ms` is subtracted from each limit (UCI: Move Overhead).

    The margin is reduced to half of the shortest limit if it is more. `expected_moves_left` is the estimated number of
    moves that the side to move makes until the end of the game. A move time of 0 asks for an immediate move: the soft
    limit is then 0, and the hard limit is `instant_ms`.
    """
    if limits.move_time_ms is not None and limits.move_time_ms <= 0:
        return TimeBudget(0, instant_ms)
    given_ms = [ms for ms in (limits.move_time_ms, limits.time_left_ms) if ms is not None]
    shortest_ms = max(min(given_ms), 0) if given_ms else 2 * margin_ms
    margin_ms = min(margin_ms, shortest_ms / 2)
    hard_ms: float | None = None
    soft_ms: float | None = None
    clock_ms: float | None = None
    if limits.move_time_ms is not None:
        hard_ms = soft_ms = limits.move_time_ms - margin_ms
    if limits.time_left_ms is not None:
        left_ms = limits.time_left_ms - margin_ms
        share_ms = left_ms / expected_moves_left + INCREMENT_FRACTION * limits.increment_ms
        clock_hard_ms, clock_ms = min(left_ms, HARD_FACTOR * share_ms), SOFT_FRACTION * share_ms
        hard_ms = clock_hard_ms if hard_ms is None else min(hard_ms, clock_hard_ms)
        soft_ms = clock_ms if soft_ms is None else min(soft_ms, clock_ms)
    return TimeBudget(soft_ms, hard_ms, clock_ms)
