"""Clocks of a GTP session: turn `time_settings` and `time_left` into the limits of a search."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.player import Limits


@dataclass
class _SideClock:
    """Clock of one side. `stones` > 0: in byo-yomi, `left_ms` is for that many moves; 0: main time."""

    left_ms: int = 0
    stones: int = 0


@dataclass
class GtpClock:
    """Clocks of both sides, in milliseconds. There is no limit before the first `time_settings` or `time_left`.

    Main time, then Canadian byo-yomi: periods of `period_ms` for `period_stones` moves each. Without byo-yomi, sudden
    death.
    """

    main_ms: int = 0
    period_ms: int = 0
    period_stones: int = 0
    _limited: bool = False
    _sides: dict[int, _SideClock] = field(default_factory=dict)  # no entry: no limit for that side

    def set_time(self, main_ms: int, period_ms: int, period_stones: int) -> None:
        """Handle `time_settings`. No limit if the byo-yomi has time but no moves, or if both times are 0."""
        self.main_ms, self.period_ms, self.period_stones = main_ms, period_ms, period_stones
        unlimited = (period_ms > 0 and period_stones == 0) or (main_ms == 0 and period_ms == 0)
        self._limited = not unlimited
        self.reset()

    def reset(self) -> None:
        """Reset both clocks for a new game."""
        self._sides = {}
        if self._limited:
            self._sides = {side: self._new_side() for side in (0, 1)}

    def tell(self, side: int, left_ms: int, stones: int) -> None:
        """Handle `time_left`, which overrides our own count."""
        self._sides[side] = _SideClock(left_ms, stones)

    def spend(self, side: int, elapsed_ms: int) -> None:
        """Subtract the time of a move of ours, for controllers that never send `time_left`."""
        clock = self._sides.get(side)
        if clock is None:
            return
        in_period = clock.stones > 0
        clock.left_ms -= elapsed_ms
        clock.stones -= in_period
        is_over = clock.stones == 0 if in_period else clock.left_ms <= 0
        if is_over and self._has_periods:
            self._sides[side] = _SideClock(self.period_ms, self.period_stones)

    def limits(self, side: int) -> Limits | None:
        """Return the limits for a move of a side; None if there are none. Byo-yomi to come counts as an increment."""
        clock = self._sides.get(side)
        if clock is None:
            return None
        if clock.stones:
            return Limits(move_time_ms=clock.left_ms // clock.stones)
        later_ms = self.period_ms // self.period_stones if self._has_periods else 0
        return Limits(time_left_ms=clock.left_ms + later_ms, increment_ms=later_ms)

    @property
    def _has_periods(self) -> bool:
        return self.period_ms > 0 and self.period_stones > 0

    def _new_side(self) -> _SideClock:
        if self.main_ms == 0:
            return _SideClock(self.period_ms, self.period_stones)
        return _SideClock(self.main_ms)
