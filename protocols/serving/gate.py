"""Stopping a search from another thread without losing the word and without hitting the next search."""

from __future__ import annotations

import threading
import time

from core.play.player import Player

STOP_ATTEMPTS, STOP_PAUSE_S = 10, 0.005  # END has 0.3 s for everything


class SearchGate:
    """Knows whether the player searches. `stop` may come from any thread; `begin` and `end` frame each search."""

    def __init__(self, player: Player) -> None:
        self.player = player  # who is told to stop; may be replaced between searches
        self._lock = threading.Lock()  # guards the fields below
        self._searching = 0  # the running search by number, 0 for none
        self._searches = 0
        self._stopped = False

    @property
    def searching(self) -> bool:
        """Whether a search runs."""
        return self._searching > 0

    @property
    def stopped(self) -> bool:
        """Whether the present search, or the last one, was told to stop."""
        return self._stopped

    def begin(self) -> None:
        """A search begins."""
        with self._lock:
            self._searches += 1
            self._searching, self._stopped = self._searches, False

    def mark_stopped(self) -> None:
        """The word to stop came before the search began; whoever begins it asks `stopped`."""
        with self._lock:
            self._stopped = True

    def end(self) -> None:
        """The search has ended. It comes before the answer is written, as a fast manager reacts at once."""
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
                self._stopped = True
                self.player.stop()
            time.sleep(STOP_PAUSE_S)
