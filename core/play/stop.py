"""`StopToken`: a thread-safe request to stop one command, such as a search. It is set once and never cleared."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class StopCell(Protocol):
    """A kernel state with a stop flag; a search kernel returns soon after `stop` becomes 1 (core/search/clock.py)."""

    stop: int


class StopToken:
    """Asks one command to stop. It cannot be cleared; the next command gets a new token.

    Therefore a stop request that comes before the search has started is not lost, and one that comes after its end does
    not stop the next search.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards the two fields below
        self._is_set = False
        self._callbacks: dict[object, Callable[[], None]] = {}

    @property
    def is_set(self) -> bool:
        """True if the command should stop."""
        return self._is_set

    def set(self) -> None:
        """Ask the command to stop; further calls do nothing. Thread-safe."""
        with self._lock:
            if not self._is_set:
                self._is_set = True
                for callback in self._callbacks.values():
                    callback()

    @contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call `callback` if the token is set before the end of the `with` block; at once if it is already set.

        The callback runs in the thread that sets the token. It must be short, because that thread holds a lock.
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
    def linked(self, *states: StopCell) -> Iterator[None]:
        """Within the `with` block, set the field `stop` of each kernel state to 1 once the token is set.

        At the start of the block the fields are 1 if the token is already set, else 0. Blocks may be nested.
        """

        def stop() -> None:
            for state in states:
                state.stop = 1

        for state in states:
            state.stop = 0
        with self.calling(stop):
            yield
