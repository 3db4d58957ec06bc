"""Recorded games: the file is the same whether one process or several workers play them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from threading import Barrier, Event, get_ident
from typing import Any

import pytest

from core.training.games import map_in_order, open_workers, read_games, record_games

GAMES = 12


class Dice:
    """A player whose games tell who played them, apart from `thrown`."""

    def __init__(self, seed: int, tells: bool = False) -> None:
        self._seed, self._tells, self._thread = seed, tells, get_ident()

    def play(self, index: int) -> dict[str, Any]:
        """A game by its index alone."""
        if self._thread != get_ident():
            raise RuntimeError("a player of another thread")
        return {"index": index, "thrown": self._seed * index % 7, "by": os.getpid() if self._tells else 0}


def test_workers_write_the_file_that_one_process_writes(tmp_path: Path) -> None:
    """Also where a recording by one process, that was broken off within a line, is gone on with by several."""
    record_games(tmp_path / "alone", GAMES, Dice, 5)
    whole = (tmp_path / "alone").read_bytes()
    (tmp_path / "shared").write_bytes(whole[: len(whole) // 2])
    with open_workers(2) as executor:
        record_games(tmp_path / "shared", GAMES, Dice, 5, executor=executor)
        record_games(tmp_path / "told", 1, Dice, 5, True, executor=executor)
    assert (tmp_path / "shared").read_bytes() == whole
    assert str(os.getpid()) not in (tmp_path / "told").read_text(encoding="utf-8")


def test_each_thread_of_a_worker_has_a_player_of_its_own(tmp_path: Path) -> None:
    """As the threads of a cluster's worker do; a search is no business of two."""
    barrier = Barrier(2, timeout=10)
    with ThreadPoolExecutor(2) as executor:
        for future in [executor.submit(barrier.wait) for _ in range(2)]:
            future.result()  # now both threads are there
        record_games(tmp_path / "games", 200, Dice, 3, executor=executor)
    assert (tmp_path / "games").read_bytes().count(b"\n") == 200


def test_a_cluster_s_workers_write_the_same_file(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="wants the extra `cluster`")
    record_games(tmp_path / "alone", GAMES, Dice, 5)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        open_workers(scheduler=cluster.scheduler_address) as executor,
    ):
        record_games(tmp_path / "shared", GAMES, Dice, 5, executor=executor)
    assert (tmp_path / "shared").read_bytes() == (tmp_path / "alone").read_bytes()


class LateFuture(Future[int]):
    """A call that is made when its result is wanted, unless it was cancelled before."""

    def __init__(self, function: Callable[[int], int], item: int, is_under_way: bool) -> None:
        super().__init__()
        self._call = partial(function, item)
        if is_under_way:
            self.set_running_or_notify_cancel()

    def result(self, timeout: float | None = None) -> int:
        if not self.done():
            self.set_result(self._call())
        return super().result(timeout)


class LateExecutor(Executor):
    """One whose first `workers` calls are under way from the beginning, and the others wait."""

    def __init__(self, workers: int) -> None:
        self.submitted, self._workers = 0, workers

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Any:
        self.submitted += 1
        (item,) = arguments
        return LateFuture(function, item, self.submitted <= self._workers)


def test_items_are_begun_only_as_far_ahead_as_asked() -> None:
    """Of numbers without an end all would be begun."""
    executor = LateExecutor(2)
    results = map_in_order(lambda item: 10 * item, count(), executor=executor, ahead=4)
    for item in range(20):
        assert next(results) == 10 * item
        assert executor.submitted == 4 + item


def test_results_come_in_the_order_of_the_items() -> None:
    """A file must be the same whichever process is faster."""
    last_is_done = Event()

    def work(item: int) -> int:
        if item == 3:
            last_is_done.set()
        elif item == 0:
            last_is_done.wait(10)
        return item

    with ThreadPoolExecutor(2) as executor:
        assert list(map_in_order(work, range(9), executor=executor, ahead=4)) == list(range(9))


@pytest.mark.parametrize(("workers", "finished"), [(None, 3), (0, 3), (5, 5)])
def test_nothing_is_begun_once_the_time_is_over(workers: int | None, finished: int) -> None:
    """What is under way is finished, or a game that has been played for a minute would be thrown away."""
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        return item

    executor = None if workers is None else LateExecutor(workers)
    ahead = 1 if executor is None else 6
    found = map_in_order(work, count(), executor=executor, ahead=ahead, is_over=lambda: len(begun) >= 3)
    assert list(found) == begun == list(range(finished))


def test_games_of_several_files_are_read_up_to_an_incomplete_line(tmp_path: Path) -> None:
    for name, seed in (("a", 5), ("b", 6)):
        record_games(tmp_path / name, 2, Dice, seed)
    with (tmp_path / "a").open("a", encoding="utf-8") as file:
        file.write('{"index": 2, "thr')
    games = list(read_games([tmp_path / "a", tmp_path / "b"]))
    assert [(game["index"], game["thrown"]) for game in games] == [(0, 0), (1, 5), (0, 0), (1, 6)]
