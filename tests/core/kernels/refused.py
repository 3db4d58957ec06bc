"""Kernels that the ahead-of-time compiler must refuse. Each is named `culprit`, so that the error can be checked."""

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
BIG_ARRAY = np.arange(200_000)  # 1.6 MB: numba refers to such an array by its address


def make_set(define: Callable[[KernelSet], Any]) -> KernelSet:
    """A kernel set with an innocent kernel, the culprit that `define` defines, and a kernel that calls both."""
    kernels = KernelSet("refused", (STATE,))

    @kernels.kernel("i64(i64)")
    def innocent(n):
        return n + 1

    suspect = define(kernels)

    @kernels.export("i64(i64)")
    def caller(n):
        return suspect(innocent(n)) + 1

    return kernels


def raising(kernels: KernelSet) -> Any:
    """A kernel with an exception of its own."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        if n > 3:
            raise ValueError("too large")
        return n

    return culprit


def raising_in_numba(kernels: KernelSet) -> Any:
    """A kernel with an exception that numba brings: a step of 0."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        total = 0
        for value in range(0, 100, n):
            total += value
        return total

    return culprit


def allocating(kernels: KernelSet) -> Any:
    """A kernel that makes an array."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        buffer = np.zeros(16, dtype=np.int64)
        for index in range(16):
            buffer[index] = n * index
        return buffer[n & 15]

    return culprit


def listing(kernels: KernelSet) -> Any:
    """A kernel that makes a list."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        squares = [index * index for index in range(n)]
        return squares[-1]

    return culprit


def calling_libm(kernels: KernelSet) -> Any:
    """A kernel that needs the C mathematics library."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        return np.int64(1000 * math.log(n))

    return culprit


def printing(kernels: KernelSet) -> Any:
    """A kernel that prints."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        print(n)
        return n

    return culprit


@intrinsic
def count_calls(_context: Any) -> Any:
    """Number of calls so far, kept in a global variable."""

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
    """A kernel that keeps state outside the record."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        return n + count_calls()

    return culprit


def calling_itself_otherwise(kernels: KernelSet) -> Any:
    """A kernel whose call of itself has another argument type than its signature."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        if n < 2:
            return 1
        return culprit(n * 0.5) + 1

    return culprit


def holding_an_address(kernels: KernelSet) -> Any:
    """A kernel over an array so large that numba does not copy it but keeps its address in this process."""

    @kernels.kernel("i64(i64)")
    def culprit(n):
        return BIG_ARRAY[n]

    return culprit
