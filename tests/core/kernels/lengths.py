"""A kernel set with two state types, Short and Long, that differ in the length of an array.

The kernels are written for Short and compiled for both (`StateType.like`), for tests/core/native/test_like_records.py.
"""

from __future__ import annotations

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType


def fields(length: int, scalar: str) -> tuple[StateField, ...]:
    """Return the fields of a state with `length` items of a scalar type."""
    return (StateField("items", scalar, (length,), "some numbers"), StateField("total", "i64", (), "sum of `items`"))


SHORT, LONG = StateType("Short", fields(2, "u8")), StateType("Long", fields(300, "u16"), like="Short")
KERNELS = KernelSet("lengths", (SHORT, LONG))


@KERNELS.kernel("i64(Short, i64)")
def sum_from(s, index):
    """Return the sum of the items from `index` on, by recursion with the same state."""
    return s.items[index] + sum_from(s, index + 1) if index < s.items.size else 0


@KERNELS.export("i64(i64, Short)")
def add_up(extra, s):
    """Store the sum of all items and return it plus `extra`. The state is not the first argument."""
    s.total = sum_from(s, 0)
    return s.total + extra


@KERNELS.export("i64(i64)")
def double(number):
    """Return twice the number. There is no state argument."""
    return 2 * number
