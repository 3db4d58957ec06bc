"""What comes from a program whose manners nobody knows: kept within bounds, and taken in no faster than is good for us.

Whoever writes more than we take has to wait at its pipe.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

LINE_BYTES = 64  # that a line weighs besides its characters, so that empty ones count, too
QUEUED_BYTES = 1 << 20  # of lines that nobody has looked at yet
MESSAGE_BYTES = 1 << 16  # of what a program says besides its answer
MAX_REPLY_BYTES = (
    1 << 20
)  # of one answer; the longest that programs give (legal moves, lists of commands) are far below
BURST_BYTES = 1 << 20  # that are taken in at once
BYTES_PER_S = 4 << 20  # after a burst; no engine has that much to say, and its lines take half a processor's time here


@dataclass(frozen=True)
class ArrivedLine:
    """One line of an engine and when it came, by time.perf_counter_ns()."""

    text: str
    at_ns: int


def line_size_bytes(text: str) -> int:
    """What a line counts against a bound."""
    return len(text) + LINE_BYTES


def chunk_size_bytes(chunk: bytes) -> int:
    """The same for all lines of some bytes."""
    return len(chunk) + LINE_BYTES * chunk.count(b"\n")


class Pace:
    """Holds a reader back that takes in more than BYTES_PER_S after a burst, so that no flood takes our processors."""

    def __init__(self) -> None:
        self._credit = float(BURST_BYTES)
        self._at_s = time.perf_counter()

    def book(self, weight: int) -> None:
        """Note what has been taken in."""
        now_s = time.perf_counter()
        self._credit = min(BURST_BYTES, self._credit + (now_s - self._at_s) * BYTES_PER_S) - weight
        self._at_s = now_s

    def rest(self) -> None:
        """Sleep as long as was too much."""
        if self._credit < 0:
            time.sleep(-self._credit / BYTES_PER_S)


class LineQueue:
    """Lines between the thread that reads them and the one that waits for them."""

    def __init__(self, most_bytes: int = QUEUED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lines: deque[ArrivedLine] = deque()
        self._bytes = 0
        self._ended = False
        self._changed = threading.Condition()

    @property
    def is_over(self) -> bool:
        """Whether there is no line and will not be."""
        with self._changed:
            return self._ended and not self._lines

    def put(self, line: ArrivedLine) -> bool:
        """Add a line, waiting while the queue is full; False after `end`, when it is not wanted any more."""
        with self._changed:
            while self._bytes >= self._most_bytes and not self._ended:
                self._changed.wait()
            if self._ended:
                return False
            self._lines.append(line)
            self._bytes += line_size_bytes(line.text)
            self._changed.notify_all()
            return True

    def get(self, timeout_s: float) -> ArrivedLine | None:
        """The next line; None where none comes in time or ever."""
        with self._changed:
            if not self._lines and not self._ended:
                self._changed.wait(timeout_s)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._bytes -= line_size_bytes(line.text)
            self._changed.notify_all()
            return line

    def drain(self) -> list[ArrivedLine]:
        """The lines that are there; those of a flood that come meanwhile are not waited for."""
        with self._changed:
            lines = list(self._lines)
            self._lines.clear()
            self._bytes = 0
            self._changed.notify_all()
            return lines

    def end(self) -> None:
        """No line is added from now on; those that are there can still be had."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


class LastLines(Sequence[str]):
    """The last of many lines, as many as the bound allows and always one; `left_out` counts those before them."""

    def __init__(self, most_bytes: int = MESSAGE_BYTES) -> None:
        self.left_out = 0
        self._most_bytes = most_bytes
        self._lines: deque[str] = deque()
        self._bytes = 0

    def add(self, *lines: str) -> None:
        """Take in further lines."""
        for line in lines:
            self._lines.append(line)
            self._bytes += line_size_bytes(line)
            while self._bytes > self._most_bytes and len(self._lines) > 1:
                self._bytes -= line_size_bytes(self._lines.popleft())
                self.left_out += 1

    def add_all(self, others: Iterable[str]) -> None:
        """Take in what somebody else has kept, with the count of what that left out."""
        if isinstance(others, LastLines):
            self.left_out += others.left_out
        self.add(*others)

    def clear(self) -> None:
        """Begin anew."""
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
