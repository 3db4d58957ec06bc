"""What is kept of a stream whose length nobody knows: its beginning and its end."""

from __future__ import annotations

import threading

KEPT_BYTES = 16384  # of the beginning, and as many of the end


class Excerpt:
    """Collects the bytes of a stream. Any thread may add, any thread may take."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept = kept_bytes
        self._lock = threading.Lock()
        self._head = self._tail = b""
        self._left_out = 0

    def add(self, chunk: bytes) -> None:
        """Take in what has come."""
        with self._lock:
            room = self._kept - len(self._head)
            self._head += chunk[:room]
            tail = self._tail + chunk[room:]
            self._tail = tail[-self._kept :]
            self._left_out += len(tail) - len(self._tail)

    def take(self) -> str:
        """The text since the last time, however it was encoded; what was left out of its middle is counted there."""
        with self._lock:
            gap = f"\n[... {self._left_out} bytes ...]\n".encode() if self._left_out else b""
            data = self._head + gap + self._tail
            self._head = self._tail = b""
            self._left_out = 0
        return data.decode("utf-8", errors="replace").replace("\r\n", "\n")
