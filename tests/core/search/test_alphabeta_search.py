"""The strongest player of each game searches with at most one thread per processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.registry import GAMES
from core.play.player import Limits, build_player
from core.search import engine_options
from core.system import threads as threads_module

QUICK = Limits(nodes=400)
WARNING = "64 threads are set, this process may use {0} at a time: {0} search"


def count_started(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return a function that tells the greatest number of threads that were started at once."""
    greatest = [0]
    start = threads_module._start_threads

    def count(*arguments: Any) -> Any:
        started = start(*arguments)
        greatest[0] = max(greatest[0], len(started))
        return started

    monkeypatch.setattr(threads_module, "_start_threads", count)
    return lambda: greatest[0]


@pytest.mark.parametrize("processors", [1, 2])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_more_threads_than_processors(game: str, processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """64 threads on one processor exceeded a limit of 200 ms by up to 30 ms. The option keeps its value."""
    monkeypatch.setattr(engine_options, "count_processors", lambda: processors)
    count = count_started(monkeypatch)
    player = build_player(GAMES[game].players(), "pentad:threads=64,hash=4")
    player.new_game(GAMES[game].default_setup)
    for _ in range(2):
        assert player.choose(QUICK).move
    assert count() == processors - 1
    assert player.options["threads"] == 64
    assert player.take_warnings() == [WARNING.format(processors)]


@pytest.mark.parametrize("threads", [1, 3])
def test_all_threads_run_if_there_are_enough_processors(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_options, "count_processors", lambda: 3)
    count = count_started(monkeypatch)
    player = build_player(GAMES["pentago"].players(), f"pentad:threads={threads},hash=4")
    assert player.choose(QUICK).move
    assert count() == threads - 1
    assert player.take_warnings() == []
