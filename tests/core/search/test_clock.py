"""The clock as kernels read it: deadlines, stop requests, node limits, observers."""

from __future__ import annotations

import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from core.native.library import KernelLibrary
from core.search.clock import CLOCK
from core.search.kernels.polling import NODES_PER_POLL
from tests.waiting import wait_until

TRIES = 5  # other programs may delay a single try


def test_no_code_reads_time_monotonic() -> None:
    """On Windows it advances in steps of 15.6 ms; perf_counter is finer there, and on Linux it is the same clock."""
    root = Path(__file__).parents[3]
    sources = [path for place in ("arena", "bots", "core", "protocols") for path in (root / place).rglob("*.py")]
    assert len(sources) > 100
    assert not [path for path in sources if "time.monotonic" in path.read_text(encoding="utf-8")]


def test_ticks_are_those_of_the_monotonic_clock() -> None:
    start, ticks = time.perf_counter(), CLOCK.now()
    time.sleep(0.05)
    elapsed_ms, ticked_ms = (time.perf_counter() - start) * 1000, (CLOCK.now() - ticks) / CLOCK.ticks_per_ms
    assert abs(elapsed_ms - ticked_ms) < 20
    if sys.platform != "win32":
        assert abs(CLOCK.now() / CLOCK.ticks_per_ms - time.perf_counter() * 1000) < 20


def test_kernels_and_python_read_the_same_clock(library: KernelLibrary) -> None:
    state = library.new("Sample")
    CLOCK.install(state)
    before = CLOCK.now()
    read = library.clock_ticks(state)
    assert before <= read <= CLOCK.now()


def run_for(library: KernelLibrary, deadline_ms: float) -> float:
    """Run a search with a deadline and return the milliseconds it took."""
    state = library.new("Sample")
    CLOCK.install(state)
    start = CLOCK.now()
    state.deadline = start + int(deadline_ms * CLOCK.ticks_per_ms)
    library.count_until_aborted(state)
    assert state.aborted == 1
    return (CLOCK.now() - start) / CLOCK.ticks_per_ms


def test_a_search_ends_at_its_deadline(library: KernelLibrary) -> None:
    times = []
    for _ in range(TRIES):
        times.append(run_for(library, 200))
        assert times[-1] >= 200
        if times[-1] < 260:
            return
    pytest.fail(f"a search with 200 ms took {times}")


def test_a_past_deadline_ends_a_search_at_once(library: KernelLibrary) -> None:
    assert min(run_for(library, -1) for _ in range(TRIES)) < 20


def test_a_stop_from_another_thread_ends_a_search(library: KernelLibrary) -> None:
    """The kernel releases the GIL; otherwise this thread could not set the stop flag."""
    delays = []
    for _ in range(TRIES):
        state = library.new("Sample")
        CLOCK.install(state)
        thread = threading.Thread(target=library.count_until_aborted, args=(state,))
        thread.start()
        wait_until(partial(getattr, state, "nodes"))
        stopped = time.perf_counter()
        state.stop = 1
        thread.join()
        assert state.aborted == 1
        delays.append((time.perf_counter() - stopped) * 1000)
        if delays[-1] < 100:
            return
    pytest.fail(f"a search stopped only after {delays} ms")


@pytest.mark.parametrize("limit", [1, 100, NODES_PER_POLL - 1, NODES_PER_POLL, NODES_PER_POLL + 1, 12345])
def test_a_node_limit_is_exact(library: KernelLibrary, limit: int) -> None:
    state = library.new("Sample")
    CLOCK.install(state)
    state.node_limit = limit
    assert library.count_until_aborted(state) == state.nodes == limit


def test_deadlines_and_limits_in_ticks() -> None:
    start = CLOCK.now()
    assert CLOCK.deadline_in(None) == 0
    assert not CLOCK.has_passed(0)
    assert not CLOCK.has_passed(CLOCK.deadline_in(1e6))
    assert CLOCK.has_passed(CLOCK.deadline_in(0))
    assert CLOCK.has_passed(CLOCK.deadline_in(-1e9))  # before the clock's zero, but not 0, which means no deadline
    assert CLOCK.ms_since(start) >= 0


def test_an_observer_is_called_at_every_poll(library: KernelLibrary) -> None:
    """Kernels pass the node count and Python code passes 0; searches without a time limit poll, too."""
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
    observed = len(polls)
    state.nodes = state.next_poll = state.aborted = 0  # the state still works without an observer
    state.deadline = 1
    library.count_until_aborted(state)
    assert (state.aborted, state.nodes, len(polls)) == (1, 1, observed)


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
