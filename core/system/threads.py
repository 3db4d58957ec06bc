"""Run the helper threads of a search; if the system refuses to start some of them, the search has fewer helpers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Thread


@contextmanager
def running_threads(
    work: Callable[[int], None], numbers: Iterable[int], stop: Callable[[], None]
) -> Iterator[list[Thread]]:
    """Run `work(number)` for each number in a new thread during the `with` block; yield the threads that started.

    At the end of the block, even after an exception, call `stop`, which must make the threads end, and wait for them.
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
    threads: list[Thread] = []
    for number in numbers:
        thread = Thread(target=work, args=(number,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no memory for another stack, or the system's limit of threads is reached
            break
        threads.append(thread)
    return threads
