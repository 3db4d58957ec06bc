"""Estimates when the host began to wait for a command's answer, so that our search ends in time by the host's clock.

A host starts our clock when it has written a command. If it suspends idle engines, it first writes the command, then
resumes the engine (SIGCONT) and starts the clock. We notice a line only when we read it, and do not know how long it
was in the pipe. There are two upper bounds for this time:

- The time that the reader thread was awake since its last read, times DISK_WAIT_FACTOR
  (core/system/awake_time.py). That read emptied the pipe, and a new line wakes a reader that is blocked in `read`.
- For input that is there before the first read: the time that this process was awake since its creation, including the
  boot loader of an executable. Therefore our start-up counts as time of the first commands if the host has sent them at
  once. It does not count if the host waits for the answer to an earlier command before it asks for a move.

Awake means running or waiting for a processor, so the time during which the host keeps us suspended does not count. The
time of a command that arrived during another search begins with the answer to that search. A search that is suspended
before its end keeps its wall-clock deadline, because a host that does this does not stop its clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.system.awake_time import DISK_WAIT_FACTOR, make_thread_awake_clock, max_process_awake_ns


@dataclass(frozen=True)
class AwakeClocks:
    """The clocks that `TimestampedReader` uses, in nanoseconds; tests replace them.

    `thread` makes a clock of the time that the calling thread was awake, `process` returns an upper bound of the time
    that the process was awake, and `now` is the monotonic clock.
    """

    thread: Callable[[], Callable[[], int]] = make_thread_awake_clock
    process: Callable[[], int] = max_process_awake_ns
    now: Callable[[], int] = time.perf_counter_ns


class TimestampedReader:
    """Reads bytes and estimates when they were sent.

    `waiting_since_ns` is the earliest time, by perf_counter_ns, at which the host may have sent the last bytes read.
    `has_input` returns whether a read would return at once. One thread must create and use the reader, because it
    measures the time that this thread is awake.
    """

    def __init__(
        self, read: Callable[[], bytes], has_input: Callable[[], bool], clocks: AwakeClocks = AwakeClocks()
    ) -> None:
        self._read = read
        self._clocks = clocks
        self._awake_clock = clocks.thread()
        self._last_ns = self.waiting_since_ns = clocks.now()
        self._last_awake_ns = self._awake_clock()
        self._start_up_ns = clocks.process() if has_input() else 0  # counts for the first read only

    def read(self) -> bytes:
        """Wait for bytes and return them; return b"" at the end of input."""
        chunk = self._read()
        now_ns, awake_ns = self._clocks.now(), self._awake_clock()
        max_awake_ns = DISK_WAIT_FACTOR * max(0, awake_ns - self._last_awake_ns)
        self.waiting_since_ns = now_ns - min(now_ns - self._last_ns, max_awake_ns) - self._start_up_ns
        self._last_ns, self._last_awake_ns, self._start_up_ns = now_ns, awake_ns, 0
        return chunk


class CommandClock:
    """Measures the time of the running command; commands do not overlap. `now` is perf_counter_ns except in tests."""

    def __init__(self, now: Callable[[], int] = time.perf_counter_ns) -> None:
        self.now = now
        self.began_ns = now()
        self._answered_ns = self.began_ns - (1 << 62)  # long ago: nothing has been answered yet
        self._was_elapsed_used = False  # True after `elapsed_for_first_search_ms` for the running command

    def begin(self, waiting_since_ns: int) -> None:
        """Start timing a command: from `waiting_since_ns` or from the last answer, whichever is later."""
        self.began_ns, self._was_elapsed_used = max(waiting_since_ns, self._answered_ns), False

    def mark_answered(self) -> None:
        """Record that a slow command is answered now. Call this before writing: the host may react at once."""
        self._answered_ns = self.now()

    def elapsed_ms(self) -> int:
        """Return the time since the command began."""
        return (self.now() - self.began_ns) // 1_000_000

    def elapsed_for_first_search_ms(self) -> int:
        """Return the time since the command began at the first call for a command, and 0 at later calls.

        A command with several searches computes the limits of the later ones itself.
        """
        elapsed_ms = 0 if self._was_elapsed_used else self.elapsed_ms()
        self._was_elapsed_used = True
        return elapsed_ms
