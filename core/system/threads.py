"""Start helper threads of a search; the system may refuse some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Thread


@contextmanager
def running_threads(
    work: Callable[[int], None], numbers: Iterable[int], stop: Callable[[], None]
) -> Iterator[list[Thread]]:
    """Run `work(number)` for each number in its own thread during the block; yield the threads that could be started.

    At the end of the block, also after an exception, call `stop`, which must make the threads end, and join them.
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
