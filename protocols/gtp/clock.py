"""The clocks of a GTP session: converts `time_settings` and `time_left` to the limits of a search."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.player import Limits


@dataclass
class _SideClock:
    """Clock of one side. In byo-yomi `left_ms` is for `moves_left` moves; in main time `moves_left` is 0."""

    left_ms: int = 0
    moves_left: int = 0


@dataclass
class GtpClock:
    """Clocks of both sides (0 and 1), in milliseconds. Without `time_settings` or `time_left` there is no limit.

    A side has the main time, then periods of `period_ms` for `period_moves` moves each (Canadian byo-yomi). Without
    periods it loses when the main time is over (sudden death).
    """

    main_ms: int = 0
    period_ms: int = 0
    period_moves: int = 0
    _is_limited: bool = False  # by `time_settings`
    _sides: dict[int, _SideClock] = field(default_factory=dict)  # no entry: no limit for that side

    def set_time(self, main_ms: int, period_ms: int, period_moves: int) -> None:
        """Handle `time_settings MAIN PERIOD MOVES`, and reset both clocks.

        As in GTP 2, there is no limit if the period has time but no moves, or if both times are 0.
        """
        self.main_ms, self.period_ms, self.period_moves = main_ms, period_ms, period_moves
        is_unlimited = (period_ms > 0 and period_moves == 0) or (main_ms == 0 and period_ms == 0)
        self._is_limited = not is_unlimited
        self.reset()

    def reset(self) -> None:
        """Reset both clocks for a new game."""
        self._sides = {}
        if self._is_limited:
            self._sides = {side: self._new_side() for side in (0, 1)}

    def set_time_left(self, side: int, left_ms: int, moves_left: int) -> None:
        """Handle `time_left`, which replaces the time that we have counted. `moves_left` is 0 in main time."""
        self._sides[side] = _SideClock(left_ms, moves_left)

    def subtract(self, side: int, elapsed_ms: int) -> None:
        """Subtract the time of our move; a controller that sends `time_left` replaces the result."""
        clock = self._sides.get(side)
        if clock is None:
            return
        in_period = clock.moves_left > 0
        clock.left_ms -= elapsed_ms
        clock.moves_left -= in_period
        is_over = clock.moves_left == 0 if in_period else clock.left_ms <= 0
        if is_over and self._has_periods:
            self._sides[side] = _SideClock(self.period_ms, self.period_moves)

    def limits(self, side: int) -> Limits | None:
        """Return the limits for a move of a side, or None without a limit.

        In main time the time per move of the later byo-yomi counts as the increment, and once as time left.
        """
        clock = self._sides.get(side)
        if clock is None:
            return None
        if clock.moves_left:
            return Limits(move_time_ms=clock.left_ms // clock.moves_left)
        later_ms = self.period_ms // self.period_moves if self._has_periods else 0
        return Limits(time_left_ms=clock.left_ms + later_ms, increment_ms=later_ms)

    @property
    def _has_periods(self) -> bool:
        return self.period_ms > 0 and self.period_moves > 0

    def _new_side(self) -> _SideClock:
        if self.main_ms == 0:
            return _SideClock(self.period_ms, self.period_moves)
        return _SideClock(self.main_ms)
