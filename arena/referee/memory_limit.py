"""The memory limit of engines: a thread measures each program with its children and kills it above the limit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from arena.referee.participant import Participant

POLL_S = 0.25  # seconds between two measurements; a short peak between them is missed


class MemoryGuard:
    """Watches the participants of one worker until it is closed. A limit of 0 disables it."""

    def __init__(self, limit_bytes: int, participants: Callable[[], Iterable[Participant]]) -> None:
        self._limit_bytes = limit_bytes
        self._participants = participants
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)
        if limit_bytes:
            self._thread.start()

    def close(self) -> None:
        """Stop the thread."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._closed.wait(POLL_S):
            for participant in self._participants():
                participant.enforce_memory_limit(self._limit_bytes)
