"""Files of recorded games, a line of JSON for each, that a broken-off recording goes on with."""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class GamePlayer(Protocol):
    """Plays games to learn from."""

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index, always the same one, as JSON has it."""


def drop_partial_line(file: Path) -> int:
    """Cut off a last line that was broken off; return the number of lines left."""
    if not file.exists():
        return 0
    data = file.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        file.write_bytes(whole)
    return whole.count(b"\n")


def record_games(
    file: Path, games: int, make: Callable[..., GamePlayer], *arguments: Any, executor: Executor | None = None
) -> None:
    """Play the games that a file lacks of so many, by a player of our own or, with an executor, by one in each worker.

    The file is the same either way. For workers, the arguments that make the player must be picklable and hashable.
    """
    numbers = range(drop_partial_line(file), games)
    found = executor.map(partial(_play, make, arguments), numbers) if executor else map(make(*arguments).play, numbers)
    with file.open("a", encoding="utf-8") as out:
        for game in found:
            out.write(json.dumps(game, separators=(",", ":")) + "\n")
            out.flush()


def play_in_order(
    make: Callable[..., Any],
    arguments: tuple[Any, ...],
    numbers: Iterable[int],
    *,
    executor: Executor | None = None,
    ahead: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[Any]:
    """Yield the games of some numbers in order, played as in `record_games`; the rest is as in `map_in_order`."""
    return map_in_order(partial(_play, make, arguments), numbers, executor=executor, ahead=ahead, is_over=is_over)


def map_in_order(
    function: Callable[[T], R],
    items: Iterable[T],
    *,
    executor: Executor | None = None,
    ahead: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[R]:
    """Yield the function's results in the order of the items, of which there may be no end.

    With an executor, up to `ahead` items are under way or done before their turn. None is begun once `is_over`, but the
    results of those that are under way are yielded.
    """
    begin = executor.submit if executor else _now
    rest, pending = iter(items), deque[Future[R]]()
    while True:
        while len(pending) < ahead and not is_over():
            try:
                item = next(rest)
            except StopIteration:
                break
            pending.append(begin(function, item))
        if is_over():
            while pending and pending[-1].cancel():
                pending.pop()
        if not pending:
            return
        yield pending.popleft().result()


def _now(function: Callable[[T], R], item: T, /) -> Future[R]:
    """The finished future of a call in this thread."""
    future: Future[R] = Future()
    future.set_result(function(item))
    return future


def _play(make: Callable[..., GamePlayer], arguments: tuple[Any, ...], index: int) -> dict[str, Any]:
    return _player(threading.get_ident(), make, *arguments).play(index)


@cache
def _player(_thread: int, make: Callable[..., GamePlayer], *arguments: Any) -> GamePlayer:
    """The player of a worker's thread, made once."""
    return make(*arguments)


@contextmanager
def open_workers(processes: int = 1, scheduler: str = "") -> Iterator[Executor | None]:
    """So many processes here, or the threads of a dask.distributed cluster; None where this process is to play."""
    if scheduler:
        from distributed import Client  # wants the extra `cluster`

        with Client(scheduler) as client, client.get_executor() as executor:
            yield executor
    elif processes > 1:
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as executor:
            try:
                yield executor
            finally:
                executor.shutdown(cancel_futures=True)
    else:
        yield None
