"""The monotonic clock as kernels and Python both read it: an address to call, and ticks a millisecond.

A search record carries the fields below. Every thousand nodes or so a kernel calls the clock through its address
(18 ns) and compares with the deadline; it reads the stop cell at the same time.

Code in Python looks at the clock by `poll`, `ms_since` and `has_passed`. A watcher hears of all these looks: `pentad
bench` measures by it how long a search goes without one. Kernels know nothing of it, for their records then hold the
address of another clock.
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
    StateField("clock_argument", "i64", (), "first argument of the call: the clock's number, on Windows the buffer"),
    StateField("clock_is_counter", "i64", (), "1 where the clock fills one counter instead of seconds and nanoseconds"),
    StateField("clock_buffer", "i64", (2,), "what the clock fills"),
    StateField("deadline", "i64", (), "ticks at which the search stops; 0 for never"),
    StateField("stop", "i64", (), "not 0 asks the search to stop; set from any thread"),
)

_CLOCK_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64))
Watcher = Callable[[int, int], None]  # address of the count of nodes of the record that looks, and its value; or 0, 0
WATCHED_FOREVER_MS = 1e9  # a deadline of searches without a limit: kernels look at the clock only if there is one


class Clock:
    """This system's monotonic clock. Its ticks are what `read_clock` in `core/search/kernels/polling.py` gives."""

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
        self._watcher: Watcher | None = None
        # Made once and kept for ever: records of players that were made while there was a watcher hold its address.
        self._watched_function: Any = None

    def now(self) -> int:
        """Present time in ticks."""
        if sys.platform == "win32":
            counter = ctypes.c_int64()
            self._function(ctypes.byref(counter))
            return counter.value
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)

    def poll(self) -> int:
        """Return the present time in ticks, for a search that decides by it whether to go on."""
        if self._watcher:
            self._watcher(0, 0)
        return self.now()

    def ms_since(self, start: int) -> float:
        """Return the milliseconds since a time in ticks, for a search that decides by it whether to go on."""
        return (self.poll() - start) / self.ticks_per_ms

    def has_passed(self, deadline: int) -> bool:
        """Return whether a deadline in ticks has passed; 0 never does."""
        return self.poll() >= deadline > 0

    def deadline_in(self, milliseconds: float | None) -> int:
        """Return the deadline so long from now, at least 1 tick; 0, which is never, for None."""
        if milliseconds is None:
            if not self._watcher:
                return 0
            milliseconds = WATCHED_FOREVER_MS
        return max(self.now() + int(milliseconds * self.ticks_per_ms), 1)

    @contextmanager
    def observe_polls(self, watcher: Watcher) -> Iterator[None]:
        """Tell `watcher` of every look at the clock inside by players that are made inside."""
        self._watched_function = self._watched_function or _CLOCK_FUNCTION(self._look_from_kernel)
        self._watcher = watcher
        try:
            yield
        finally:
            self._watcher = None

    def install(self, record: Any) -> None:
        """Fill the clock fields of a record."""
        if self._watcher:
            record.clock_address = ctypes.cast(self._watched_function, ctypes.c_void_p).value
            record.clock_is_counter = 1
            record.clock_argument = ctypes.addressof(record) + type(record).nodes.offset
            return
        record.clock_address = self._address
        record.clock_is_counter = int(sys.platform == "win32")
        buffer = ctypes.addressof(record) + type(record).clock_buffer.offset
        record.clock_argument = buffer if sys.platform == "win32" else time.CLOCK_MONOTONIC

    def _look_from_kernel(self, nodes_address: int, buffer: Any) -> int:
        """Stand in for the system's clock: fill the buffer with one counter."""
        if self._watcher:
            self._watcher(nodes_address, ctypes.c_int64.from_address(nodes_address).value)
        buffer[0] = self.now()
        return 0


CLOCK = Clock()
