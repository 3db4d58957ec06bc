"""Counting nodes, and looking at clock, stop cell and node limit every thousand of them."""

from __future__ import annotations

from typing import Any

from core.native.intrinsics import call_clock
from core.native.kernel import KernelSet
from core.native.state_type import StateField
from core.search.clock import CLOCK_FIELDS

NODES_PER_POLL = 1024

POLLING_FIELDS = (
    *CLOCK_FIELDS,
    StateField("nodes", "i64", (), "positions visited since the search began"),
    StateField("node_limit", "i64", (), "nodes after which the search stops; 0 for no limit"),
    StateField("next_poll", "i64", (), "node number of the next look at the clock"),
    StateField("aborted", "i64", (), "1 once the search must unwind; its results are then void"),
)


def make_count_node(kernels: KernelSet, record: str) -> Any:
    """The kernel `count_node(state)`, called once a node; sets `aborted` when time, nodes or patience are used up."""
    read_clock = _make_read_clock(kernels, record)

    @kernels.kernel(f"void({record})")
    def poll(s):
        s.next_poll = s.nodes + NODES_PER_POLL
        if s.node_limit > 0:
            s.next_poll = min(s.next_poll, s.node_limit)
            if s.nodes >= s.node_limit:
                s.aborted = 1
        if s.stop != 0 or (s.deadline > 0 and read_clock(s) >= s.deadline):
            s.aborted = 1

    @kernels.kernel(f"void({record})")
    def count_node(s):
        s.nodes += 1
        if s.nodes >= s.next_poll:
            poll(s)

    return count_node


def make_must_stop(kernels: KernelSet, record: str) -> Any:
    """The kernel `look(state)`, for long work between two nodes; 1 when time or patience are used up, and then it sets
    `aborted`."""
    read_clock = _make_read_clock(kernels, record)

    @kernels.kernel(f"i64({record})")
    def look(s):
        if s.stop != 0 or (s.deadline > 0 and read_clock(s) >= s.deadline):
            s.aborted = 1
            return 1
        return 0

    return look


def _make_read_clock(kernels: KernelSet, record: str) -> Any:
    @kernels.kernel(f"i64({record})")
    def read_clock(s):
        call_clock(s.clock_address, s.clock_argument, s.clock_buffer)
        if s.clock_is_counter != 0:
            return s.clock_buffer[0]
        return s.clock_buffer[0] * 1_000_000_000 + s.clock_buffer[1]

    return read_clock
