"""Recorded games: the same file whoever plays them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Barrier, Event, get_ident
from typing import Any

import pytest

from core.training.games import map_in_order, open_workers, record_games

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


def test_items_are_begun_only_as_far_ahead_as_asked_and_come_in_order() -> None:
    """Of numbers without an end all would be begun, and a file must be the same whichever process is faster."""
    begun: list[int] = []
    asked = 0

    def items() -> Iterator[int]:
        nonlocal asked
        while True:
            yield asked
            asked += 1

    release = Event()

    def work(item: int) -> int:
        if item == 0:
            release.wait(10)
        begun.append(item)
        if item == 3:
            release.set()
        return item

    with ThreadPoolExecutor(2) as executor:
        results = map_in_order(work, items(), executor=executor, ahead=4)
        assert next(results) == 0
        assert sorted(begun) == [0, 1, 2, 3]
        assert asked == 3
        assert [next(results) for _ in range(9)] == list(range(1, 10))
        assert asked <= 13


@pytest.mark.parametrize("threads", [0, 1])
def test_nothing_is_begun_once_the_time_is_over(threads: int) -> None:
    """What is under way is finished: a game that has been played for a minute is not thrown away."""
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        return -item

    def is_over() -> bool:
        return len(begun) >= 3

    with ThreadPoolExecutor(1) as pool:
        found = list(map_in_order(work, count(), executor=pool if threads else None, ahead=2, is_over=is_over))
    assert found == [-item for item in begun]
    assert found[:3] == [0, -1, -2]
    assert len(found) <= 3 + 2 * threads
