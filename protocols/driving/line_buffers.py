"""Bounded buffers and a rate limiter for the output of engines, which may print any amount at any speed.

An engine that writes faster than it is read blocks at its pipe.

- `LineQueue`: lines that the reader thread has read and the client has not fetched; blocks the reader when full.
- `LastLines`: the newest lines of a conversation, for messages and logs; drops the oldest lines when full.
- `Throttle`: limits how fast the reader thread reads.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

LINE_OVERHEAD_BYTES = 64  # added to the size of each line, so that empty lines count too
MAX_QUEUED_BYTES = 1 << 20  # of lines that are read but not fetched
MAX_MESSAGE_BYTES = 1 << 16  # of the lines that an engine prints besides its answer
MAX_REPLY_BYTES = 1 << 20  # of one answer; real ones (legal moves, lists of commands) are far shorter
BURST_BYTES = 1 << 20  # bytes that may be read without a pause
MAX_BYTES_PER_S = 4 << 20  # after a burst; chosen by hand: reading takes at most half a core, and no engine needs more


@dataclass(frozen=True)
class ArrivedLine:
    """A line of an engine and the time at which it was read."""

    text: str
    at_ns: int  # when it was read, by time.perf_counter_ns()


def line_size_bytes(text: str) -> int:
    """Return the size that counts for the limits: the number of UTF-8 bytes plus LINE_OVERHEAD_BYTES."""
    return len(text.encode("utf-8", errors="replace")) + LINE_OVERHEAD_BYTES


def chunk_size_bytes(chunk: bytes) -> int:
    """Return the size of a chunk of bytes, with LINE_OVERHEAD_BYTES for each line end in it."""
    return len(chunk) + LINE_OVERHEAD_BYTES * chunk.count(b"\n")


class Throttle:
    """A token-bucket rate limiter: BURST_BYTES at once, then MAX_BYTES_PER_S.

    It keeps an engine that floods its output from taking a core of this process.
    """

    def __init__(self) -> None:
        self._credit_bytes = float(BURST_BYTES)
        self._credited_at_s = time.perf_counter()

    def charge(self, size_bytes: int) -> None:
        """Subtract bytes that have been read from the credit."""
        now_s = time.perf_counter()
        earned_bytes = (now_s - self._credited_at_s) * MAX_BYTES_PER_S
        self._credit_bytes = min(BURST_BYTES, self._credit_bytes + earned_bytes) - size_bytes
        self._credited_at_s = now_s

    def wait(self) -> None:
        """Sleep until the credit is no longer negative."""
        if self._credit_bytes < 0:
            time.sleep(-self._credit_bytes / MAX_BYTES_PER_S)


class LineQueue:
    """A bounded queue of lines from one reader thread to one consumer.

    Unlike `queue.Queue`, it limits the total size and not the number of lines, and it can be closed.
    """

    def __init__(self, max_bytes: int = MAX_QUEUED_BYTES) -> None:
        self._max_bytes = max_bytes
        self._lines: deque[ArrivedLine] = deque()
        self._bytes = 0
        self._is_closed = False
        self._condition = threading.Condition()

    @property
    def is_exhausted(self) -> bool:
        """Return whether the queue is closed and empty."""
        with self._condition:
            return self._is_closed and not self._lines

    def put(self, line: ArrivedLine) -> bool:
        """Append a line, and block while the queue is full. Return False if the queue is closed."""
        with self._condition:
            while self._bytes >= self._max_bytes and not self._is_closed:
                self._condition.wait()
            if self._is_closed:
                return False
            self._lines.append(line)
            self._bytes += line_size_bytes(line.text)
            self._condition.notify_all()
            return True

    def get(self, timeout_s: float) -> ArrivedLine | None:
        """Remove and return the next line, or None after the timeout or if the queue is exhausted."""
        with self._condition:
            if not self._lines and not self._is_closed:
                self._condition.wait(timeout_s)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._bytes -= line_size_bytes(line.text)
            self._condition.notify_all()
            return line

    def drain(self) -> list[ArrivedLine]:
        """Remove and return the queued lines without waiting for more."""
        with self._condition:
            lines = list(self._lines)
            self._lines.clear()
            self._bytes = 0
            self._condition.notify_all()
            return lines

    def close(self) -> None:
        """Refuse further lines. Queued lines can still be fetched."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()


class LastLines(Sequence[str]):
    """The newest lines up to a total size, but at least one line.

    `left_out` counts the older lines that were dropped.
    """

    def __init__(self, max_bytes: int = MAX_MESSAGE_BYTES) -> None:
        self.left_out = 0
        self._max_bytes = max_bytes
        self._lines: deque[str] = deque()
        self._bytes = 0

    def add(self, *lines: str) -> None:
        """Append lines, and drop the oldest ones while the total size is above the limit."""
        for line in lines:
            self._lines.append(line)
            self._bytes += line_size_bytes(line)
            while self._bytes > self._max_bytes and len(self._lines) > 1:
                self._bytes -= line_size_bytes(self._lines.popleft())
                self.left_out += 1

    def add_all(self, others: Iterable[str]) -> None:
        """Append other lines. If they are `LastLines`, add their count of dropped lines to ours."""
        if isinstance(others, LastLines):
            self.left_out += others.left_out
        self.add(*others)

    def clear(self) -> None:
        """Remove all lines and reset the count of dropped ones."""
        self._lines.clear()
        self._bytes = self.left_out = 0

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        return list(self._lines)[index] if isinstance(index, slice) else self._lines[index]
