"""A kernel set with two state types that differ in array lengths; its kernels are written once for both."""

from __future__ import annotations

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType


def fields(length: int, item: str) -> tuple[StateField, ...]:
    return (StateField("items", item, (length,), "some numbers"), StateField("total", "i64", (), "their sum"))


SHORT, LONG = StateType("Short", fields(2, "u8")), StateType("Long", fields(300, "u16"), like="Short")
KERNELS = KernelSet("lengths", (SHORT, LONG))


@KERNELS.kernel("i64(Short, i64)")
def sum_from(s, place):
    """Calls itself with the record that it was given."""
    return s.items[place] + sum_from(s, place + 1) if place < s.items.size else 0


@KERNELS.export("i64(i64, Short)")
def add_up(extra, s):
    """The record is not the first argument."""
    s.total = sum_from(s, 0)
    return s.total + extra


@KERNELS.export("i64(i64)")
def double(number):
    """Takes no record."""
    return 2 * number
