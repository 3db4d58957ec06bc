"""The strongest player of each game, `pentad`, searches with at most one thread per available processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.registry import GAMES
from core.play.player import Limits, build_player
from core.search import engine_options
from core.system import threads as threads_module

QUICK = Limits(nodes=400)
WARNING = "only {} of 64 threads search: one per processor"


def watch_helper_threads(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return a function that returns the greatest number of helper threads that a search has started so far."""
    maximum = 0
    start_threads = threads_module._start_threads

    def start_and_count(*arguments: Any) -> Any:
        nonlocal maximum
        threads = start_threads(*arguments)
        maximum = max(maximum, len(threads))
        return threads

    monkeypatch.setattr(threads_module, "_start_threads", start_and_count)
    return lambda: maximum


@pytest.mark.parametrize("processors", [1, 2])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_more_threads_than_processors(game: str, processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: with 64 threads on one processor, moves used to exceed a limit of 200 ms by up to 30 ms.

    The option keeps its value.
    """
    monkeypatch.setattr(engine_options, "count_processors", lambda: processors)
    count_helpers = watch_helper_threads(monkeypatch)
    player = build_player(GAMES[game].players(), "pentad:threads=64,hash=4")
    player.new_game(GAMES[game].default_setup)
    for _ in range(2):
        assert player.choose(QUICK).move
    assert count_helpers() == processors - 1
    assert player.options["threads"] == 64
    assert player.take_warnings() == [WARNING.format(processors)]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_processors_are_not_counted_for_one_thread(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: each search read the limits of the container from files, which took a fifth of a short search."""

    def count() -> int:
        raise AssertionError("the processors were counted")

    monkeypatch.setattr(engine_options, "count_processors", count)
    player = build_player(GAMES[game].players(), "pentad:hash=4")
    player.new_game(GAMES[game].default_setup)
    assert player.choose(QUICK).move
    assert player.take_warnings() == []


@pytest.mark.parametrize("threads", [1, 3])
def test_all_threads_run_if_there_are_enough_processors(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_options, "count_processors", lambda: 3)
    count_helpers = watch_helper_threads(monkeypatch)
    player = build_player(GAMES["pentago"].players(), f"pentad:threads={threads},hash=4")
    assert player.choose(QUICK).move
    assert count_helpers() == threads - 1
    assert player.take_warnings() == []
