"""Record games for training as lines of JSON, in parallel if wanted; an interrupted recording can be continued."""

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
    """Plays the games that are recorded."""

    def play(self, index: int) -> dict[str, Any]:
        """Play game number `index` and return it as a JSON object; the same index gives the same game."""


def drop_partial_line(file: Path) -> int:
    """Truncate an incomplete last line; return the number of lines left."""
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
    """Append games to a file until it has `games` lines.

    `make(*arguments)` creates the player: one in this process, or one per worker of `executor`; the arguments must
    then be picklable and hashable. The file is the same either way.
    """
    numbers = range(drop_partial_line(file), games)
    found = executor.map(partial(_play, make, arguments), numbers) if executor else map(make(*arguments).play, numbers)
    with file.open("a", encoding="utf-8") as out:
        for game in found:
            out.write(json.dumps(game, separators=(",", ":")) + "\n")
            out.flush()


def read_games(files: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """Yield the games of all files in order. An incomplete last line, which is still being written, is ignored."""
    for file in files:
        with file.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.endswith("\n"))


def play_in_order(
    make: Callable[..., Any],
    arguments: tuple[Any, ...],
    numbers: Iterable[int],
    *,
    executor: Executor | None = None,
    ahead: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[Any]:
    """Yield the games with these numbers in order; see `record_games` for `make`, `map_in_order` for the rest."""
    return map_in_order(partial(_play, make, arguments), numbers, executor=executor, ahead=ahead, is_over=is_over)


def map_in_order(
    function: Callable[[T], R],
    items: Iterable[T],
    *,
    executor: Executor | None = None,
    ahead: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[R]:
    """Yield `function(item)` for each item, in order; `items` may be infinite.

    With an executor, up to `ahead` calls are submitted in advance. Once `is_over()` is true no call is submitted; the
    results of calls that have started are still yielded.
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
    """Call the function in this thread and return a finished future."""
    future: Future[R] = Future()
    future.set_result(function(item))
    return future


def _play(make: Callable[..., GamePlayer], arguments: tuple[Any, ...], index: int) -> dict[str, Any]:
    return _player(threading.get_ident(), make, *arguments).play(index)


@cache
def _player(_thread: int, make: Callable[..., GamePlayer], *arguments: Any) -> GamePlayer:
    """Return the player of a worker thread; it is created once."""
    return make(*arguments)


@contextmanager
def open_workers(processes: int = 1, scheduler: str = "") -> Iterator[Executor | None]:
    """Open an executor of local processes, or of a dask.distributed cluster if `scheduler` is given.

    Yield None for one process without a scheduler: the caller then plays in this process.
    """
    if scheduler:
        from distributed import Client  # needs the extra `cluster`

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
