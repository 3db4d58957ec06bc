"""Threads that a search would like to have: the system may give fewer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Thread


def start_threads(work: Callable[[int], None], numbers: Iterable[int]) -> list[Thread]:
    """Start a thread for `work` with each number; the first that cannot be had ends the list of those that run."""
    running: list[Thread] = []
    for number in numbers:
        thread = Thread(target=work, args=(number,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no memory for another stack, or as many threads as the system allows
            break
        running.append(thread)
    return running
