"""Kernels that the ahead-of-time compiler must refuse, for tests/core/native/test_kernels.py.

Each is named `culprit`, and the tests check that the error names it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType

STATE = StateType("State", (StateField("value", "i64", (), "a number"),))
BIG_ARRAY = np.arange(200_000)  # 1.6 MB; numba does not copy such an array but uses its address in this process


def make_set(define: Callable[[KernelSet], Any]) -> KernelSet:
    """Return a kernel set with a valid kernel, the culprit that `define` adds, and a kernel that calls both."""
    kernels = KernelSet("refused", (STATE,))

    @kernels.kernel("i64(i64)")
    def add_one(n):
        return n + 1

    culprit = define(kernels)

    @kernels.export("i64(i64)")
    def caller(n):
        return culprit(add_one(n)) + 1

    return kernels


def raising(kernels: KernelSet) -> Any:
    """Add a kernel that raises an exception."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        if n > 3:
            raise ValueError("too large")
        return n

    return culprit


def raising_in_numba(kernels: KernelSet) -> Any:
    """Add a kernel for which numba generates an exception: that of a range whose step may be 0."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        total = 0
        for value in range(0, 100, n):
            total += value
        return total

    return culprit


def allocating(kernels: KernelSet) -> Any:
    """Add a kernel that allocates an array."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        buffer = np.zeros(16, dtype=np.int64)
        for index in range(16):
            buffer[index] = n * index
        return buffer[n & 15]

    return culprit


def listing(kernels: KernelSet) -> Any:
    """Add a kernel that allocates a list."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        squares = [index * index for index in range(n)]
        return squares[-1]

    return culprit


def calling_libm(kernels: KernelSet) -> Any:
    """Add a kernel that needs the C mathematics library."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        return np.int64(1000 * math.log(n))

    return culprit


def printing(kernels: KernelSet) -> Any:
    """Add a kernel that prints."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        print(n)
        return n

    return culprit


@intrinsic
def count_calls(_context: Any) -> Any:
    """Generate code that counts its calls in a global variable and returns their number, this call included."""

    def generate(_inner: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        word = ir.IntType(64)
        variable = ir.GlobalVariable(builder.module, word, "number_of_calls")
        variable.linkage = "internal"
        variable.initializer = ir.Constant(word, 0)
        count = builder.add(builder.load(variable), ir.Constant(word, 1))
        builder.store(count, variable)
        return count

    return types.int64(), generate


def writing_a_global(kernels: KernelSet) -> Any:
    """Add a kernel that changes a global variable."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        return n + count_calls()

    return culprit


def calling_itself_otherwise(kernels: KernelSet) -> Any:
    """Add a kernel that calls itself with another argument type than that of its signature."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        if n < 2:
            return 1
        return culprit(n * 0.5) + 1

    return culprit


def holding_an_address(kernels: KernelSet) -> Any:
    """Add a kernel with the address of an array in this process."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        return BIG_ARRAY[n]

    return culprit
