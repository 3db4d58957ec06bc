"""The monotonic clock that kernels and Python share.

A state that is searched has the fields CLOCK_FIELDS. Every 256 nodes, or more often, a kernel calls the system's clock
through its address (which takes 18 ns), compares the time with the deadline, and reads the stop flag
(core/search/kernels/polling.py). Search code in Python polls the clock with `poll`, `ms_since` and `has_passed`.

`pentad bench` measures how long a search goes without polling. For that it installs an observer, which is called at
every poll. A kernel does not notice: its state then holds the address of another clock function.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.native.state_type import StateField

CLOCK_FIELDS = (
    StateField("clock_address", "i64", (), "address of clock_gettime or QueryPerformanceCounter"),
    StateField("clock_argument", "i64", (), "first argument of the clock: its number; on Windows the buffer's address"),
    StateField("clock_is_counter", "i64", (), "1 if the clock returns one counter, 0 if seconds and nanoseconds"),
    StateField("clock_buffer", "i64", (2,), "values that the clock returns"),
    StateField("deadline", "i64", (), "time in ticks of the clock at which the search stops; 0 for none"),
    StateField("stop", "i64", (), "set to 1 by any thread to stop the search"),
)

_CLOCK_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64))
# Called with the address of the state's field `nodes` and its value, or with 0, 0 for a poll in Python
PollObserver = Callable[[int, int], None]
# Deadline of observed searches without a time limit, since kernels poll the clock only if there is a deadline
OBSERVED_NO_LIMIT_MS = 1e9


class Clock:
    """The system's monotonic clock. Its ticks are those of `read_clock` in core/search/kernels/polling.py."""

    def __init__(self) -> None:
        if sys.platform == "win32":
            frequency = ctypes.c_int64()
            kernel32 = ctypes.windll.kernel32
            kernel32.QueryPerformanceFrequency(ctypes.byref(frequency))
            self._function: Any = kernel32.QueryPerformanceCounter
            self.ticks_per_ms = frequency.value / 1000
        else:
            self._function = ctypes.CDLL(None).clock_gettime
            self.ticks_per_ms = 1e6
        self._address = ctypes.cast(self._function, ctypes.c_void_p).value or 0
        self._observer: PollObserver | None = None
        # Never freed once made: states of players that were made under an observer hold its address.
        self._observed_function: Any = None

    def now(self) -> int:
        """Return the time in ticks."""
        if sys.platform == "win32":
            counter = ctypes.c_int64()
            self._function(ctypes.byref(counter))
            return counter.value
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)

    def poll(self) -> int:
        """Return the time in ticks, for a search that decides whether to go on; an observer is called first."""
        if self._observer:
            self._observer(0, 0)
        return self.now()

    def ms_since(self, start: int) -> float:
        """Poll the clock and return the milliseconds since `start`, a time in ticks."""
        return (self.poll() - start) / self.ticks_per_ms

    def has_passed(self, deadline: int) -> bool:
        """Poll the clock and return whether a deadline in ticks has passed; 0 is no deadline."""
        return self.poll() >= deadline > 0

    def deadline_in(self, milliseconds: float | None) -> int:
        """Return the time in ticks after some milliseconds, at least 1; for None return 0, which is no deadline.

        While polls are observed, None gives a deadline far in the future instead.
        """
        if milliseconds is None:
            if not self._observer:
                return 0
            milliseconds = OBSERVED_NO_LIMIT_MS
        return max(self.now() + int(milliseconds * self.ticks_per_ms), 1)

    @contextmanager
    def observe_polls(self, observer: PollObserver) -> Iterator[None]:
        """Call `observer` at every poll within the block.

        The polls of kernels are those of states on which `install` was called within the block.
        """
        self._observed_function = self._observed_function or _CLOCK_FUNCTION(self._poll_from_kernel)
        self._observer = observer
        try:
            yield
        finally:
            self._observer = None

    def install(self, state: Any) -> None:
        """Fill in the clock fields of a state, so that kernels can read the clock."""
        if self._observer:
            state.clock_address = ctypes.cast(self._observed_function, ctypes.c_void_p).value
            state.clock_is_counter = 1
            state.clock_argument = ctypes.addressof(state) + type(state).nodes.offset
            return
        state.clock_address = self._address
        state.clock_is_counter = int(sys.platform == "win32")
        buffer = ctypes.addressof(state) + type(state).clock_buffer.offset
        state.clock_argument = buffer if sys.platform == "win32" else time.CLOCK_MONOTONIC

    def _poll_from_kernel(self, nodes_address: int, buffer: Any) -> int:
        """Stand in for the system's clock function: fill in one counter and call the observer."""
        if self._observer:
            self._observer(nodes_address, ctypes.c_int64.from_address(nodes_address).value)
        buffer[0] = self.now()
        return 0


CLOCK = Clock()
