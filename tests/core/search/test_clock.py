"""The clock that kernels and Python share: deadlines, stop requests, node limits, observers."""

from __future__ import annotations

import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.native.library import KernelLibrary
from core.search.clock import CLOCK
from core.search.kernels.polling import NODES_PER_POLL
from tests.manual_clock import ManualClock
from tests.waiting import PATIENCE_S, wait_until

CLOCK_STEP_NS = 1000  # longer than a tick of any system's clock


def test_no_code_reads_time_monotonic() -> None:
    """On Windows it advances in steps of 15.6 ms. `time.perf_counter` is finer there, and on Linux the same clock."""
    root = Path(__file__).parents[3]
    sources = [path for folder in ("arena", "bots", "core", "protocols") for path in (root / folder).rglob("*.py")]
    assert len(sources) > 100
    assert not [path for path in sources if "time.monotonic" in path.read_text(encoding="utf-8")]


def test_ticks_advance_as_perf_counter_does() -> None:
    """Compare two readings of the clock, 1 ms apart, with readings of `perf_counter` before and after each."""

    def read_between() -> tuple[int, float, int]:
        return time.perf_counter_ns(), CLOCK.now() * 1e6 / CLOCK.ticks_per_ms, time.perf_counter_ns()

    before_1, clock_1, after_1 = before_2, clock_2, after_2 = read_between()  # nanoseconds
    while before_2 < after_1 + 1_000_000:
        before_2, clock_2, after_2 = read_between()
    assert before_2 - after_1 - CLOCK_STEP_NS <= clock_2 - clock_1 <= after_2 - before_1 + CLOCK_STEP_NS
    if sys.platform.startswith("linux"):
        assert before_1 <= clock_1 <= after_1


def test_kernels_and_python_read_the_same_clock(library: KernelLibrary) -> None:
    state = library.new("Sample")
    CLOCK.install(state)
    before = CLOCK.now()
    kernel_ticks = library.clock_ticks(state)
    assert before <= kernel_ticks <= CLOCK.now()


def search_until(library: KernelLibrary, deadline_ms: float) -> Any:
    """Run an endless search with a deadline and return its state."""
    state = library.new("Sample")
    CLOCK.install(state)
    state.deadline = CLOCK.now() + int(deadline_ms * CLOCK.ticks_per_ms)
    library.count_until_aborted(state)
    assert state.aborted == 1
    return state


def test_a_search_does_not_end_before_its_deadline(library: KernelLibrary) -> None:
    start = CLOCK.now()
    search_until(library, 20)
    assert CLOCK.now() >= start + 20 * CLOCK.ticks_per_ms


def test_a_search_ends_at_the_first_poll_after_its_deadline(library: KernelLibrary, clock: ManualClock) -> None:
    clock.step_ms = 1
    state = search_until(library, 200)
    assert state.nodes == 1 + 199 * NODES_PER_POLL  # the first poll is at node 1, the 200th after 200 ms


def test_a_past_deadline_ends_a_search_at_once(library: KernelLibrary) -> None:
    assert search_until(library, -1).nodes == 1


def test_a_stop_from_another_thread_ends_a_search(library: KernelLibrary) -> None:
    """The kernel releases the GIL; otherwise this thread could not set the stop flag."""
    state = library.new("Sample")
    CLOCK.install(state)
    thread = threading.Thread(target=library.count_until_aborted, args=(state,), daemon=True)
    thread.start()
    wait_until(partial(getattr, state, "nodes"))
    state.stop = 1
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert state.aborted == 1


@pytest.mark.parametrize("limit", [1, 100, NODES_PER_POLL - 1, NODES_PER_POLL, NODES_PER_POLL + 1, 12345])
def test_a_node_limit_is_exact(library: KernelLibrary, limit: int) -> None:
    state = library.new("Sample")
    CLOCK.install(state)
    state.node_limit = limit
    assert library.count_until_aborted(state) == state.nodes == limit


def test_deadlines_and_elapsed_times() -> None:
    start = CLOCK.now()
    assert CLOCK.deadline_in(None) == 0
    assert not CLOCK.has_passed(0)
    assert not CLOCK.has_passed(CLOCK.deadline_in(1e6))
    assert CLOCK.has_passed(CLOCK.deadline_in(0))
    assert CLOCK.has_passed(CLOCK.deadline_in(-1e9))  # before the clock's zero, but not 0, which means no deadline
    assert CLOCK.ms_since(start) >= 0


def test_an_observer_is_called_at_every_poll(library: KernelLibrary) -> None:
    """Kernels pass the node count and Python passes 0. Searches without a time limit are observed too."""
    polls: list[tuple[int, int]] = []
    with CLOCK.observe_polls(lambda address, nodes: polls.append((address, nodes))):
        state = library.new("Sample")
        CLOCK.install(state)
        state.deadline, state.node_limit = CLOCK.deadline_in(None), 2 * NODES_PER_POLL
        library.count_until_aborted(state)
        assert [nodes for _, nodes in polls] == [1, 1 + NODES_PER_POLL, 2 * NODES_PER_POLL]
        assert len({address for address, _ in polls}) == 1
        assert polls[0][0] != 0
        for _ in (CLOCK.poll(), CLOCK.has_passed(1), CLOCK.ms_since(0)):
            assert polls.pop() == (0, 0)
    poll_count = len(polls)
    state.nodes = state.next_poll = state.aborted = 0  # the state still works after the observer is gone
    state.deadline = 1
    library.count_until_aborted(state)
    assert (state.aborted, state.nodes, len(polls)) == (1, 1, poll_count)


def test_a_state_made_without_an_observer_is_not_observed(library: KernelLibrary) -> None:
    """It calls the system's clock directly, so observers cost nothing in normal play."""
    state = library.new("Sample")
    CLOCK.install(state)
    polls: list[int] = []
    with CLOCK.observe_polls(lambda _, nodes: polls.append(nodes)):
        state.deadline = 1
        library.count_until_aborted(state)
    assert state.aborted == 1
    assert polls == []
