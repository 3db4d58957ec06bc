"""Stopping a search from another thread without losing the word and without hitting the next search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STOP_ATTEMPTS, STOP_PAUSE_S = 10, 0.005  # END has 0.3 s for everything


class SearchGate:
    """Knows whether the player searches. `stop` may come from any thread.

    `tell_player` makes the player end its search. `is_told_to_end` says whether the word came before the search began.
    """

    def __init__(self, tell_player: Callable[[], None], is_told_to_end: Callable[[], bool]) -> None:
        self._tell_player = tell_player
        self._is_told_to_end = is_told_to_end
        self._lock = threading.Lock()  # guards the next three
        self._searching = 0  # the running search by number, 0 for none
        self._searches = 0
        self.stopped = False  # whether the present search, or the last one, was told to stop

    @property
    def searching(self) -> bool:
        """Whether a search runs."""
        return self._searching > 0

    @contextmanager
    def open(self) -> Iterator[None]:
        """Search. The end comes before the answer is written, as a fast host reacts at once."""
        with self._lock:
            self._searches += 1
            self._searching, self.stopped = self._searches, False
        # A word that came before the gate was open could not stop the search; this is where it counts.
        if self._is_told_to_end():
            with self._lock:
                self.stopped = True
        try:
            yield
        finally:
            with self._lock:
                self._searching = 0

    def stop(self) -> None:
        """Make a running search answer at once; where none runs, nothing happens.

        It is said again for a short while, as a player that is just beginning may miss it.
        """
        search = self._searching
        for _ in range(STOP_ATTEMPTS):
            with self._lock:
                if not search or search != self._searching:
                    return
                self.stopped = True
                self._tell_player()
            time.sleep(STOP_PAUSE_S)
