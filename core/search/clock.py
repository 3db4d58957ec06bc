"""The monotonic clock as kernels and Python both read it: an address to call, and ticks a millisecond.

A search record carries the fields below. Every thousand nodes or so a kernel calls the clock through its address
(18 ns) and compares with the deadline; it reads the stop cell at the same time.
"""

from __future__ import annotations

import ctypes
import sys
import time
from typing import Any

from core.native.record import Field

CLOCK_FIELDS = (
    Field("clock_address", "i64", (), "address of clock_gettime or QueryPerformanceCounter"),
    Field("clock_argument", "i64", (), "first argument of the call: the clock's number, on Windows the buffer"),
    Field("clock_is_counter", "i64", (), "1 where the clock fills one counter instead of seconds and nanoseconds"),
    Field("clock_buffer", "i64", (2,), "what the clock fills"),
    Field("deadline", "i64", (), "ticks at which the search stops; 0 for never"),
    Field("stop", "i64", (), "not 0 asks the search to stop; set from any thread"),
)


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

    def now(self) -> int:
        """Present time in ticks."""
        if sys.platform == "win32":
            counter = ctypes.c_int64()
            self._function(ctypes.byref(counter))
            return counter.value
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)

    def install(self, record: Any) -> None:
        """Fill the clock fields of a record."""
        record.clock_address = self._address
        record.clock_is_counter = int(sys.platform == "win32")
        buffer = ctypes.addressof(record) + type(record).clock_buffer.offset
        record.clock_argument = buffer if sys.platform == "win32" else time.CLOCK_MONOTONIC


CLOCK = Clock()
