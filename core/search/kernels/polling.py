"""Counting of nodes, and the regular check of stop request, deadline and node limit.

Every kernel that searches calls `count_node` once per node. Every 256 nodes `count_node` polls the clock.
Once a limit is reached it sets `aborted`, and the search unwinds. `s` is the state.
"""

from __future__ import annotations

from typing import Any

from core.native.intrinsics import call_clock
from core.native.kernel import KernelSet
from core.native.state_type import StateField
from core.search.clock import CLOCK_FIELDS

NODES_PER_POLL = 256  # a poll takes some 20 ns, a node 100 ns or more

POLLING_FIELDS = (
    *CLOCK_FIELDS,
    StateField("nodes", "i64", (), "positions visited since the search began"),
    StateField("node_limit", "i64", (), "nodes after which the search stops; 0 for no limit"),
    StateField("next_poll", "i64", (), "value of `nodes` at the next poll"),
    StateField("aborted", "i64", (), "1 once the search must unwind; its results are then meaningless"),
)


def make_count_node(kernels: KernelSet, state_name: str) -> Any:
    """Return the kernel `count_node(state)`. It sets `aborted` on a stop request or when time or nodes are used up."""
    read_clock = _make_read_clock(kernels, state_name)

    @kernels.kernel(f"void({state_name})")
    def poll(s):
        s.next_poll = s.nodes + NODES_PER_POLL
        if s.node_limit > 0:
            s.next_poll = min(s.next_poll, s.node_limit)
            if s.nodes >= s.node_limit:
                s.aborted = 1
        if s.stop != 0 or (s.deadline > 0 and read_clock(s) >= s.deadline):
            s.aborted = 1

    @kernels.kernel(f"void({state_name})")
    def count_node(s):
        s.nodes += 1
        if s.nodes >= s.next_poll:
            poll(s)

    return count_node


def make_must_stop(kernels: KernelSet, state_name: str) -> Any:
    """Return the kernel `must_stop(state)`, for long work between two nodes.

    It returns 1 and sets `aborted` on a stop request or when time is used up, and returns 0 otherwise.
    """
    read_clock = _make_read_clock(kernels, state_name)

    @kernels.kernel(f"i64({state_name})")
    def must_stop(s):
        if s.stop != 0 or (s.deadline > 0 and read_clock(s) >= s.deadline):
            s.aborted = 1
            return 1
        return 0

    return must_stop


def _make_read_clock(kernels: KernelSet, state_name: str) -> Any:
    """Return the kernel `read_clock(state)`: the time in ticks of `CLOCK` (core/search/clock.py)."""

    @kernels.kernel(f"i64({state_name})")
    def read_clock(s):
        call_clock(s.clock_address, s.clock_argument, s.clock_buffer)
        if s.clock_is_counter != 0:
            return s.clock_buffer[0]
        return s.clock_buffer[0] * 1_000_000_000 + s.clock_buffer[1]

    return read_clock
