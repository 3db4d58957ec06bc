"""GTP's clocks: `time_settings` and `time_left` to limits for a move."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.player import Limits


@dataclass
class _SideClock:
    """What one side has. With `stones` above 0 the main time is over: `left_ms` is for that many moves."""

    left_ms: int = 0
    stones: int = 0


@dataclass
class GtpClock:
    """Both sides' clocks, in milliseconds; without settings and without a word on the time left there is no limit.

    Main time first, then periods of `period_ms` with `period_stones` moves each; without periods, sudden death.
    """

    main_ms: int = 0
    period_ms: int = 0
    period_stones: int = 0
    _limited: bool = False
    _sides: dict[int, _SideClock] = field(default_factory=dict)  # empty for a side of which nothing was said

    def set_time(self, main_ms: int, period_ms: int, period_stones: int) -> None:
        """`time_settings`. A period without moves means no limit; so do three zeros, as some controllers mean it."""
        self.main_ms, self.period_ms, self.period_stones = main_ms, period_ms, period_stones
        unlimited = (period_ms > 0 and period_stones == 0) or (main_ms == 0 and period_ms == 0)
        self._limited = not unlimited
        self.reset()

    def reset(self) -> None:
        """A new game: both clocks show the game's time."""
        self._sides = {}
        if self._limited:
            self._sides = {side: self._new_side() for side in (0, 1)}

    def tell(self, side: int, left_ms: int, stones: int) -> None:
        """`time_left`: the controller's word goes before our own count."""
        self._sides[side] = _SideClock(left_ms, stones)

    def spend(self, side: int, elapsed_ms: int) -> None:
        """Count a move of ours, for controllers that say nothing of the time left."""
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
        """What a move of a side may take, None without a limit."""
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
