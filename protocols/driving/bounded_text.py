"""Keeps the beginning and the end of a byte stream of unknown length, such as an engine's standard error."""

from __future__ import annotations

import threading

KEPT_BYTES = 16384  # kept of the beginning, and as many of the end


class BoundedText:
    """Collects the bytes of a stream. Thread-safe."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._lock = threading.Lock()
        self._head = self._tail = b""
        self._dropped_bytes = 0

    def add(self, chunk: bytes) -> None:
        """Append bytes; drop bytes from the middle if the text becomes too long."""
        with self._lock:
            room = self._kept_bytes - len(self._head)
            self._head += chunk[:room]
            tail = self._tail + chunk[room:]
            self._tail = tail[-self._kept_bytes :]
            self._dropped_bytes += len(tail) - len(self._tail)

    def take(self) -> str:
        """Return the text collected since the last call and clear it.

        If bytes were dropped, a line such as `[... 192 bytes ...]` stands in their place. Bytes that are no UTF-8
        become U+FFFD.
        """
        with self._lock:
            gap = f"\n[... {self._dropped_bytes} bytes ...]\n".encode() if self._dropped_bytes else b""
            data = self._head + gap + self._tail
            self._head = self._tail = b""
            self._dropped_bytes = 0
        return data.decode("utf-8", errors="replace").replace("\r\n", "\n")
