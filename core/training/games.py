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
from typing import Any, Protocol


class GamePlayer(Protocol):
    """Plays games to learn from."""

    def play(self, index: int) -> dict[str, Any]:
        """The game of an index, always the same one, as JSON has it."""


def keep_whole_lines(file: Path) -> int:
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
    numbers = range(keep_whole_lines(file), games)
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
    """Yield the games of some numbers in order; begin none once `is_over`, but yield those that are under way.

    With an executor, up to `ahead` games are under way or finished before their turn. The rest is as in `record_games`.
    """
    begin = executor.submit if executor else _now
    rest, pending = iter(numbers), deque[Future[Any]]()
    while True:
        while len(pending) < ahead and not is_over():
            number = next(rest, None)
            if number is None:
                break
            pending.append(begin(_play, make, arguments, number))
        if is_over():
            while pending and pending[-1].cancel():
                pending.pop()
        if not pending:
            return
        yield pending.popleft().result()


def _now(function: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """The finished future of a call in this thread."""
    future: Future[Any] = Future()
    future.set_result(function(*arguments))
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
