"""A clock that tests set, as a replacement of `time.perf_counter` and of the clock of searches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from core.search.clock import CLOCK, Clock

NS_PER_MS = 1_000_000
START_NS = 10**12  # not 0, because a deadline of 0 means no deadline


class ManualClock:
    """A clock that advances by `advance`, and by `step_ms` at each reading.

    With a step, a search with a time limit ends after the same number of readings on every machine.
    """

    def __init__(self) -> None:
        self.step_ms = 0.0
        self.readings = 0
        self._now_ns = START_NS
        self._pending_call: tuple[float, Callable[[], None]] | None = None  # its time by `now_ms`, and the function

    @property
    def now_ms(self) -> float:
        """Milliseconds on the clock since it was created."""
        return (self._now_ns - START_NS) / NS_PER_MS

    def advance(self, milliseconds: float) -> None:
        """Let time pass."""
        self._now_ns += int(milliseconds * NS_PER_MS)

    def call_at(self, at_ms: float, function: Callable[[], None]) -> None:
        """Call a function once, at the first reading at or after a time. Only one call can be pending."""
        self._pending_call = at_ms, function

    def read_ns(self) -> int:
        """Advance by the step and return the time in nanoseconds."""
        self.readings += 1
        self.advance(self.step_ms)
        if self._pending_call and self.now_ms >= self._pending_call[0]:
            function, self._pending_call = self._pending_call[1], None
            function()
        return self._now_ns

    def read_s(self) -> float:
        """Return the time as `time.perf_counter` does."""
        return self.read_ns() / 1e9

    def read_ticks(self) -> int:
        """Return the time as `Clock.now` does."""
        return int(self.read_ns() * CLOCK.ticks_per_ms) // NS_PER_MS


@contextmanager
def installed_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[ManualClock]:
    """Install a clock for players and sessions that are created in the `with` block. Kernels read it, too."""
    clock = ManualClock()
    monkeypatch.setattr(time, "perf_counter", clock.read_s)
    monkeypatch.setattr(time, "perf_counter_ns", clock.read_ns)
    monkeypatch.setattr("protocols.serving.command_clock.CommandClock.__init__.__defaults__", (clock.read_ns,))
    monkeypatch.setattr(Clock, "now", clock.read_ticks)
    with CLOCK.observe_polls(lambda *_: None):  # makes kernels poll `Clock.now` instead of the system clock
        yield clock
