"""Warnings of a player for its user, such as "no memory for 8 threads: there are 4", each reported once."""

from __future__ import annotations


class PendingWarnings:
    """Collects warnings until `Player.take_warnings` returns them."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._pending: list[str] = []

    def add(self, text: str) -> None:
        """Add a warning; ignore one that was added before, because most causes recur at every move."""
        if text not in self._seen:
            self._seen.add(text)
            self._pending.append(text)

    def take(self) -> list[str]:
        """Return the warnings added since the last call."""
        pending, self._pending = self._pending, []
        return pending
