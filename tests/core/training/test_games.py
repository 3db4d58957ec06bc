"""Recorded games: the same file whoever plays them."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, get_ident
from typing import Any

import pytest

from core.training.games import open_workers, record_games

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
