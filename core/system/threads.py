"""Threads that a search would like to have: the system may give fewer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Thread


@contextmanager
def running_threads(
    work: Callable[[int], None], numbers: Iterable[int], stop: Callable[[], None]
) -> Iterator[list[Thread]]:
    """Run `work` with each number in a thread of its own beside the body; yield the threads that could be started.

    When the body ends, also by an exception, `stop` asks the threads to end, and they are waited for.
    """
    threads = _start_threads(work, numbers)
    try:
        yield threads
    finally:
        stop()
        for thread in threads:
            thread.join()


def _start_threads(work: Callable[[int], None], numbers: Iterable[int]) -> list[Thread]:
    """Start a thread for each number, in order, until the system refuses one."""
    running: list[Thread] = []
    for number in numbers:
        thread = Thread(target=work, args=(number,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no memory for another stack, or as many threads as the system allows
            break
        running.append(thread)
    return running
