"""Estimates when the host began to wait for a command's answer, so that our search ends in time by the host's clock.

A host's clock for an engine starts when the host has written a command. A host that suspends idle engines starts the
clock when it has resumed the engine (SIGCONT), which follows the write. We learn of a line only when we read it, and do
not know how long it was in the pipe. There are two upper bounds:

- The time that the reader thread was awake since its last read. That read emptied the pipe, and a new line wakes a
  reader that is blocked in `read`.
- For input that is there before the first read: the time that this process was awake since its creation, including the
  boot loader of an executable. So a manager that writes all commands at once is charged with our start-up. A manager
  that waits for the answer to START is not, because its move command comes with a later read.

Awake means running or waiting for a processor. Time during which the host keeps us suspended is not charged. The time
of a command that arrived during another one's search begins when that one was answered. A search that is suspended
half-way keeps its wall-clock deadline, because a host that does this does not stop its own clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.system.awake_time import DISK_FACTOR, make_thread_awake_clock, max_process_awake_ns


@dataclass(frozen=True)
class AwakeClocks:
    """The clocks that `TimestampedReader` uses, in nanoseconds; tests replace them.

    `thread` returns a clock of the calling thread's awake time, `process` returns the longest time that the process can
    have been awake, and `now` is the monotonic clock.
    """

    thread: Callable[[], Callable[[], int]] = make_thread_awake_clock
    process: Callable[[], int] = max_process_awake_ns
    now: Callable[[], int] = time.perf_counter_ns


class TimestampedReader:
    """Reads bytes and estimates when they were sent.

    `waiting_since_ns` is the earliest time, by perf_counter_ns, at which the host may have sent the last bytes read.
    `has_input` tells whether a read would return at once. One thread must create and use the reader, because the clock
    of the time awake is that thread's.
    """

    def __init__(
        self, read: Callable[[], bytes], has_input: Callable[[], bool], clocks: AwakeClocks = AwakeClocks()
    ) -> None:
        self._read = read
        self._clocks = clocks
        self._awake = clocks.thread()
        self._last_ns = self.waiting_since_ns = clocks.now()
        self._last_awake_ns = self._awake()
        self._start_up_ns = clocks.process() if has_input() else 0  # charged to the first read only

    def read(self) -> bytes:
        """Wait for bytes and return them; return b"" at the end of input."""
        chunk = self._read()
        now_ns, awake_ns = self._clocks.now(), self._awake()
        max_awake_ns = DISK_FACTOR * max(0, awake_ns - self._last_awake_ns)
        self.waiting_since_ns = now_ns - min(now_ns - self._last_ns, max_awake_ns) - self._start_up_ns
        self._last_ns, self._last_awake_ns, self._start_up_ns = now_ns, awake_ns, 0
        return chunk


class CommandClock:
    """Measures the time of the running command; commands do not overlap. `now` is perf_counter_ns except in tests."""

    def __init__(self, now: Callable[[], int] = time.perf_counter_ns) -> None:
        self.now = now
        self.began_ns = now()
        self._answered_ns = self.began_ns - (1 << 62)
        self._was_elapsed_used = False

    def begin(self, waiting_since_ns: int) -> None:
        """Start timing a command: from `waiting_since_ns` or from the last answer, whichever is later."""
        self.began_ns, self._was_elapsed_used = max(waiting_since_ns, self._answered_ns), False

    def mark_answered(self) -> None:
        """Record that a slow command is answered now. Call this before writing, because a fast host reacts at once."""
        self._answered_ns = self.now()

    def elapsed_ms(self) -> int:
        """Return the time since the command began."""
        return (self.now() - self.began_ns) // 1_000_000

    def elapsed_for_first_search_ms(self) -> int:
        """Return the time since the command began if this is its first call for the command, else 0.

        A command that searches several times computes the limits of its later searches itself.
        """
        elapsed_ms = 0 if self._was_elapsed_used else self.elapsed_ms()
        self._was_elapsed_used = True
        return elapsed_ms
