"""`TimedSearch` sets the limits of a search in a state, and makes search info from its counters."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from core.search.clock import CLOCK
from core.search.scores import WIN
from core.search.timed_search import TimedSearch


@dataclass
class State:
    """The counters and limits of a kernel state, with values of an earlier search."""

    nodes: int = 7
    next_poll: int = 8
    aborted: int = 1
    node_limit: int = 9
    deadline: int = 10


@pytest.fixture
def now_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as a list of one number that the test changes."""
    clock_s = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock_s[0])
    monkeypatch.setattr(CLOCK, "now", lambda: int(clock_s[0] * 1000 * CLOCK.ticks_per_ms))
    return clock_s


def test_a_search_without_limits_resets_all_counters_and_limits() -> None:
    state = State()
    TimedSearch(state).set_limits(None, None)
    assert state == State(0, 0, 0, 0, 0)


def test_the_time_limit_counts_from_the_creation_of_the_search(now_s: list[float]) -> None:
    state = State()
    search = TimedSearch(state)
    now_s[0] = 100.25
    search.set_limits(500, 1000)
    assert (state.node_limit, state.deadline) == (500, int(101_000 * CLOCK.ticks_per_ms))
    assert search.elapsed_ms == 250


def test_time_that_is_used_up_leaves_a_deadline_in_the_past(now_s: list[float]) -> None:
    state = State()
    search = TimedSearch(state)
    now_s[0] = 101
    search.set_limits(None, 10)
    assert 0 < state.deadline < CLOCK.now()


def test_progress_has_the_depth_the_score_and_the_counters_of_the_state(now_s: list[float]) -> None:
    state = State(nodes=42)
    search = TimedSearch(state)
    now_s[0] = 100.5
    progress = search.progress(3, WIN - 3, ["a1", "b2"])
    assert (progress.depth, progress.selective_depth, progress.nodes, progress.time_ms) == (3, 3, 42, 500)
    assert (progress.score, progress.win_in, progress.pv) == (WIN - 3, 3, ("a1", "b2"))
