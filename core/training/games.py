"""Record games for training, one line of JSON per game. Workers can play in parallel.

If a recording is interrupted, the next call continues it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class GamePlayer(Protocol):
    """Plays the games that are recorded."""

    def play(self, index: int) -> dict[str, Any]:
        """Play game number `index` (0-based) and return it as a JSON object; the same index gives the same game."""


def drop_partial_line(file: Path) -> int:
    """Remove an incomplete last line from a file; return the number of lines, 0 if there is no file."""
    if not file.exists():
        return 0
    data = file.read_bytes()
    complete_lines = data[: data.rfind(b"\n") + 1]
    if len(complete_lines) < len(data):
        file.write_bytes(complete_lines)
    return complete_lines.count(b"\n")


def record_games(
    file: Path, games: int, make: Callable[..., GamePlayer], *arguments: Any, executor: Executor | None = None
) -> None:
    """Append games to a file until it has `games` lines; the game of line i (from 0) is `play(i)` of a player.

    `make(*arguments)` creates a player. Without an executor one player plays all games in this process. With an
    executor each thread of its workers creates one; the arguments must be picklable and hashable. The file is the same
    in both cases.
    """
    indices = range(drop_partial_line(file), games)
    played = executor.map(partial(_play, make, arguments), indices) if executor else map(make(*arguments).play, indices)
    with file.open("a", encoding="utf-8") as out:
        for game in played:
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
    """Yield the games with these numbers (the `index` of `GamePlayer.play`) in order.

    `record_games` explains `make` and `arguments`, `map_in_order` explains `executor`, `ahead` and `is_over`.
    """
    return map_in_order(partial(_play, make, arguments), numbers, executor=executor, ahead=ahead, is_over=is_over)


def map_in_order(
    function: Callable[[ItemT], ResultT],
    items: Iterable[ItemT],
    *,
    executor: Executor | None = None,
    ahead: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[ResultT]:
    """Yield `function(item)` for each item, in order; `items` may be infinite.

    With an executor, up to `ahead` calls are submitted in advance. Once `is_over()` returns True, no more calls are
    submitted; the results of calls that have started are still yielded.
    """
    submit = executor.submit if executor else _call_now
    remaining, pending = iter(items), deque[Future[ResultT]]()
    while True:
        while len(pending) < ahead and not is_over():
            try:
                item = next(remaining)
            except StopIteration:
                break
            pending.append(submit(function, item))
        if is_over():
            while pending and pending[-1].cancel():
                pending.pop()
        if not pending:
            return
        yield pending.popleft().result()


def _call_now(function: Callable[[ItemT], ResultT], item: ItemT, /) -> Future[ResultT]:
    """Call the function in this thread and return a finished future."""
    future: Future[ResultT] = Future()
    future.set_result(function(item))
    return future


def _play(make: Callable[..., GamePlayer], arguments: tuple[Any, ...], index: int) -> dict[str, Any]:
    return _player_of_thread(threading.get_ident(), make, *arguments).play(index)


@cache
def _player_of_thread(_thread: int, make: Callable[..., GamePlayer], *arguments: Any) -> GamePlayer:
    """Return the player of a thread; `cache` keeps it, so that it is created once."""
    return make(*arguments)


def _end_with_parent() -> None:
    """Let this worker end when its parent is killed; else it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait_for_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_for_parent, name="wait for parent", daemon=True).start()


@contextmanager
def open_workers(processes: int = 1, scheduler: str = "") -> Iterator[Executor | None]:
    """Open an executor of local processes, or of the dask.distributed cluster of `scheduler` (its address).

    Yield None for one process without a scheduler: the caller then plays in this process.
    """
    if scheduler:
        from distributed import Client  # needs the extra `cluster`

        with Client(scheduler) as client, client.get_executor() as executor:
            yield executor
    elif processes > 1:
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, spawn, initializer=_end_with_parent) as executor:
            try:
                yield executor
            finally:
                executor.shutdown(cancel_futures=True)
    else:
        yield None
