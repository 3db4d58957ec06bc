"""Keeps the beginning and the end of a byte stream of unknown length, such as an engine's standard error."""

from __future__ import annotations

import threading

BYTES_PER_END = 16384  # number of bytes kept of the beginning, and again of the end


class BoundedText:
    """Collects the bytes of a stream, and drops those in the middle if there are too many. Thread-safe.

    `bytes_per_end` bytes of its beginning are kept, and as many of its end.
    """

    def __init__(self, bytes_per_end: int = BYTES_PER_END) -> None:
        self._bytes_per_end = bytes_per_end
        self._lock = threading.Lock()
        self._head = self._tail = b""
        self._dropped_bytes = 0

    def add(self, chunk: bytes) -> None:
        """Append bytes to the text."""
        with self._lock:
            room = self._bytes_per_end - len(self._head)
            self._head += chunk[:room]
            tail = self._tail + chunk[room:]
            self._tail = tail[-self._bytes_per_end :]
            self._dropped_bytes += len(tail) - len(self._tail)

    def take(self) -> str:
        """Return the text collected since the last call and clear it.

        Dropped bytes are replaced by a line such as `[... 192 bytes ...]`, and invalid UTF-8 by U+FFFD.
        """
        with self._lock:
            gap = f"\n[... {self._dropped_bytes} bytes ...]\n".encode() if self._dropped_bytes else b""
            data = self._head + gap + self._tail
            self._head = self._tail = b""
            self._dropped_bytes = 0
        return data.decode("utf-8", errors="replace").replace("\r\n", "\n")
