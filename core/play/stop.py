"""The order to end one command, such as a search: given once, from any thread, and never taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class StopCell(Protocol):
    """A record whose kernels end their search when `stop` is not 0 (core/search/clock.py)."""

    stop: int


class StopToken:
    """Tells one command to end. There is no way to clear it: the next command has a token of its own.

    So a stop cannot be lost, whether it comes before the search has begun, while it begins, or later; nor can it reach
    the search after it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards the next two
        self._is_set = False
        self._callbacks: dict[object, Callable[[], None]] = {}

    @property
    def is_set(self) -> bool:
        """Whether the command is to end."""
        return self._is_set

    def set(self) -> None:
        """Tell the command to end; further calls do nothing. May be called from any thread."""
        with self._lock:
            if not self._is_set:
                self._is_set = True
                for callback in self._callbacks.values():
                    callback()

    @contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call `callback` when the token is set, at once if it already is, but never after the block has ended.

        The callback runs on the thread that sets the token, which waits for it; it must be short.
        """
        key = object()
        with self._lock:
            self._callbacks[key] = callback
            if self._is_set:
                callback()
        try:
            yield
        finally:
            with self._lock:
                del self._callbacks[key]

    @contextmanager
    def linked(self, *records: StopCell) -> Iterator[None]:
        """Keep the `stop` cells of records equal to the token for the length of the block. Blocks may be nested."""

        def stop() -> None:
            for record in records:
                record.stop = 1

        for record in records:
            record.stop = 0
        with self.calling(stop):
            yield
