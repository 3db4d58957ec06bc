"""When a command's time began, as far as the program that is asked can know.

A host's clock runs from the moment at which it has written a command (or has resumed us, which it does after that). We
see a line when we read it, and nobody tells since when it lay in the pipe. But it lay there no longer than

- the reader has been awake since it read last: that emptied the pipe, and a reader asleep in `read` is woken by a line;
- at the first read, if something lay there already: this process has been awake since it was created, boot loader
  included. So managers that write all at once, stop us and let us go for the first move find the start-up taken off,
  and those that wait for the answer to START do not pay for it: their move comes with a later read.

Time awake is running or waiting for a processor. While a host keeps us stopped, neither runs, and neither do its
clocks: what passes then belongs to nobody. A command that came during another one's search begins when that has
answered. A search that is stopped half-way keeps its deadline: no host that does so stops its own clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.system.awake_time import DISK_FACTOR, make_thread_awake_clock, max_process_awake_ns


@dataclass(frozen=True)
class AwakeClocks:
    """What tells how long we have been awake, in nanoseconds. `thread` makes a clock of the calling thread."""

    thread: Callable[[], Callable[[], int]] = make_thread_awake_clock
    process: Callable[[], int] = max_process_awake_ns
    now: Callable[[], int] = time.perf_counter_ns


class Arrivals:
    """Reads, and dates what it has read: the host may be waiting since `waiting_since_ns`, by perf_counter_ns.

    `has_input` says whether a read would find something. One thread makes and uses it.
    """

    def __init__(
        self, read: Callable[[], bytes], has_input: Callable[[], bool], clocks: AwakeClocks = AwakeClocks()
    ) -> None:
        self._read = read
        self._clocks = clocks
        self._awake = clocks.thread()
        self._last_ns = self.waiting_since_ns = clocks.now()
        self._last_awake_ns = self._awake()
        self._start_up_ns = clocks.process() if has_input() else 0  # counted until now; at the first read alone

    def read(self) -> bytes:
        """Wait for bytes; none at the end of input."""
        chunk = self._read()
        now_ns, awake_ns = self._clocks.now(), self._awake()
        awake_most_ns = DISK_FACTOR * max(0, awake_ns - self._last_awake_ns)
        self.waiting_since_ns = now_ns - min(now_ns - self._last_ns, awake_most_ns) - self._start_up_ns
        self._last_ns, self._last_awake_ns, self._start_up_ns = now_ns, awake_ns, 0
        return chunk


class CommandClock:
    """The time of the command that runs; commands do not overlap. `now` is perf_counter_ns except in tests."""

    def __init__(self, now: Callable[[], int] = time.perf_counter_ns) -> None:
        self.now = now
        self.began_ns = now()
        self._answered_ns = self.began_ns - (1 << 62)
        self._is_taken = False

    def begin(self, waiting_since_ns: int) -> None:
        """A command's turn has come; the host may be waiting for it since then, but not before the last answer."""
        self.began_ns, self._is_taken = max(waiting_since_ns, self._answered_ns), False

    def mark_answered(self) -> None:
        """A command that took its time will be answered now. Said before, as a fast host reacts at once."""
        self._answered_ns = self.now()

    def elapsed_ms(self) -> int:
        """What of the command's time has passed."""
        return (self.now() - self.began_ns) // 1_000_000

    def elapsed_for_first_search_ms(self) -> int:
        """The same for the first search of a command, 0 for further ones, whose limits are reckoned in the command."""
        elapsed_ms = 0 if self._is_taken else self.elapsed_ms()
        self._is_taken = True
        return elapsed_ms
