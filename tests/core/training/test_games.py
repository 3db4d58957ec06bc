"""Recorded games: the file is the same whether one process or several workers play them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from threading import Barrier, Event, get_ident
from typing import Any

import psutil
import pytest

from core.training.games import map_in_order, open_workers, read_games, record_games

GAME_COUNT = 12


class Dice:
    """A toy `GamePlayer`: a game is a number that depends on seed and index, and the process id if asked for."""

    def __init__(self, seed: int, with_process: bool = False) -> None:
        self._seed, self._with_process, self._thread = seed, with_process, get_ident()

    def play(self, index: int) -> dict[str, Any]:
        """Return the game with a number; raise RuntimeError in another thread than that of the constructor."""
        if self._thread != get_ident():
            raise RuntimeError("a player of another thread")
        return {"index": index, "thrown": self._seed * index % 7, "process": os.getpid() if self._with_process else 0}


def test_workers_write_the_same_file_as_one_process(tmp_path: Path) -> None:
    """They continue a recording that one process began and that was interrupted within a line."""
    record_games(tmp_path / "one_process", GAME_COUNT, Dice, 5)
    content = (tmp_path / "one_process").read_bytes()
    (tmp_path / "workers").write_bytes(content[: len(content) // 2])
    with open_workers(2) as executor:
        record_games(tmp_path / "workers", GAME_COUNT, Dice, 5, executor=executor)
        record_games(tmp_path / "process_ids", 1, Dice, 5, True, executor=executor)
    assert (tmp_path / "workers").read_bytes() == content
    assert str(os.getpid()) not in (tmp_path / "process_ids").read_text(encoding="utf-8")


RECORDING = """
import os, sys
from core.training.games import open_workers
if __name__ == "__main__":
    with open_workers(2) as executor:
        print(executor.submit(os.getpid).result(), flush=True)
        sys.stdin.read()
"""


def test_workers_end_when_their_recording_is_killed(tmp_path: Path) -> None:
    """Regression: they waited for work for ever."""
    (tmp_path / "recording.py").write_text(RECORDING, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, str(tmp_path / "recording.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=environment
    ) as recording:
        assert recording.stdout is not None
        worker = psutil.Process(int(recording.stdout.readline()))
        recording.kill()
    assert psutil.wait_procs([worker], timeout=30)[1] == []


def test_each_thread_of_a_worker_has_its_player(tmp_path: Path) -> None:
    """A worker of a cluster may have several threads, but a player must be used by one thread only."""
    barrier = Barrier(2, timeout=10)
    with ThreadPoolExecutor(2) as executor:
        for future in [executor.submit(barrier.wait) for _ in range(2)]:
            future.result()  # both threads have been started
        record_games(tmp_path / "games", 200, Dice, 3, executor=executor)
    assert (tmp_path / "games").read_bytes().count(b"\n") == 200


def test_workers_of_a_cluster_write_the_same_file(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")
    record_games(tmp_path / "one_process", GAME_COUNT, Dice, 5)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        open_workers(scheduler=cluster.scheduler_address) as executor,
    ):
        record_games(tmp_path / "cluster", GAME_COUNT, Dice, 5, executor=executor)
    assert (tmp_path / "cluster").read_bytes() == (tmp_path / "one_process").read_bytes()


class LazyFuture(Future[int]):
    """A call that is made when `result` is called. A call that counts as running cannot be cancelled."""

    def __init__(self, function: Callable[[int], int], item: int, is_running: bool) -> None:
        super().__init__()
        self._call = partial(function, item)
        if is_running:
            self.set_running_or_notify_cancel()

    def result(self, timeout: float | None = None) -> int:
        if not self.done():
            self.set_result(self._call())
        return super().result(timeout)


class LazyExecutor(Executor):
    """An executor of `LazyFuture`s. The first `workers` calls count as running, the others as waiting."""

    def __init__(self, workers: int) -> None:
        self.submitted, self._workers = 0, workers

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Any:
        self.submitted += 1
        (item,) = arguments
        return LazyFuture(function, item, self.submitted <= self._workers)


def test_only_the_given_number_of_calls_is_submitted_in_advance() -> None:
    """The items may be infinite."""
    executor = LazyExecutor(2)
    results = map_in_order(lambda item: 10 * item, count(), executor=executor, ahead=4)
    for item in range(20):
        assert next(results) == 10 * item
        assert executor.submitted == 4 + item


def test_results_come_in_the_order_of_the_items() -> None:
    """Item 0 ends after item 3. A recording must not depend on the speed of the workers."""
    item_3_is_done = Event()

    def work(item: int) -> int:
        if item == 3:
            item_3_is_done.set()
        elif item == 0:
            item_3_is_done.wait(10)
        return item

    with ThreadPoolExecutor(2) as executor:
        assert list(map_in_order(work, range(9), executor=executor, ahead=4)) == list(range(9))


@pytest.mark.parametrize(
    ("workers", "finished_count"),
    [(None, 3), (0, 3), (5, 5)],
    ids=["no executor", "no call counts as running", "five calls count as running"],
)
def test_no_call_starts_once_the_time_is_over(workers: int | None, finished_count: int) -> None:
    """Calls that are running are finished: a game may have been played for a minute."""
    started: list[int] = []

    def work(item: int) -> int:
        started.append(item)
        return item

    executor = None if workers is None else LazyExecutor(workers)
    ahead = 1 if executor is None else 6
    results = map_in_order(work, count(), executor=executor, ahead=ahead, is_over=lambda: len(started) >= 3)
    assert list(results) == started == list(range(finished_count))


def test_games_of_several_files_are_read_up_to_an_incomplete_line(tmp_path: Path) -> None:
    for name, seed in (("a", 5), ("b", 6)):
        record_games(tmp_path / name, 2, Dice, seed)
    with (tmp_path / "a").open("a", encoding="utf-8") as file:
        file.write('{"index": 2, "thr')
    games = list(read_games([tmp_path / "a", tmp_path / "b"]))
    assert [(game["index"], game["thrown"]) for game in games] == [(0, 0), (1, 5), (0, 0), (1, 6)]
