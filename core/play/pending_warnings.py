"""What people should be told of a player's troubles, each sentence once."""

from __future__ import annotations


class PendingWarnings:
    """Collects sentences until they are taken; see `Player.take_warnings`."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._waiting: list[str] = []

    def add(self, text: str) -> None:
        """Tell this unless it has been told before: what lacks lacks at every move."""
        if text not in self._seen:
            self._seen.add(text)
            self._waiting.append(text)

    def take(self) -> list[str]:
        """What is new since the last time."""
        taken, self._waiting = self._waiting, []
        return taken
