"""Warnings of a player for its user, such as "no memory for 8 threads: there are 4", each reported once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

ResultT = TypeVar("ResultT")


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

    def attempt(self, action: Callable[[], ResultT], problem: str) -> ResultT | None:
        """Return what `action` returns; if it raises OSError or ValueError, warn of the problem and return None."""
        try:
            return action()
        except (OSError, ValueError) as error:
            self.add(f"{problem}: {error}")
            return None

    def take(self) -> list[str]:
        """Return the warnings added since the last call."""
        pending, self._pending = self._pending, []
        return pending
