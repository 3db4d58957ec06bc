"""A small kernel set that uses the features allowed in kernels, to compare numba with the native library."""

from __future__ import annotations

import numpy as np

from core.native.intrinsics import popcount, trailing_zeros
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.polling import POLLING_FIELDS, make_count_node
from core.search.kernels.transposition_table import TABLE_FIELDS, make_table

SAMPLE = StateType(
    "Sample",
    (
        StateField("flag", "u8", (), "a byte before a wider field, so that there is padding between them"),
        StateField("total", "i64", (), "a sum"),
        StateField("grid", "i16", (3, 5), "a nested array"),
        StateField("ratio", "f64", (), "a number"),
        StateField("small", "f32", (), "a number with less precision"),
        StateField("counts", "u32", (7,), "an array"),
        *POLLING_FIELDS,
        *TABLE_FIELDS,
    ),
)
KERNELS = KernelSet("sample", (SAMPLE,))
PRIMES = np.array([2, 3, 5, 7, 11, 13])

count_node = make_count_node(KERNELS, SAMPLE.name)
polled_clock = next(kernel.dispatcher for kernel in KERNELS.kernels if kernel.name == "read_clock")
table = make_table(KERNELS, SAMPLE.name)
probe, store = table.probe, table.store
move_of, score_of, depth_of = table.move_of, table.score_of, table.depth_of
evaluation_of, bound_of = table.evaluation_of, table.bound_of


@KERNELS.kernel("i64(i64)")
def nth_prime(index):
    """Read a constant array of the module."""
    return PRIMES[index % 6]


@KERNELS.export("i64(i64)")
def fibonacci(n):
    """Return a Fibonacci number by recursion."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@KERNELS.export("void(Sample, i64)")
def fill(s, seed):
    """Write every kind of field; some values come from another kernel."""
    s.flag = seed & 255
    s.total = 0
    for row in range(3):
        for column in range(5):
            s.grid[row, column] = seed * row - column
            s.total += s.grid[row, column]
    for index in range(7):
        s.counts[index] = nth_prime(index) * seed
    s.ratio = np.sqrt(s.total * s.total + 1.0)
    s.small = s.ratio / 3


@KERNELS.export("i64(Sample, u64[], u16[])")
def digest(s, words, shorts):
    """Return a number that depends on a state and two arrays of different types."""
    result = s.total + len(words) + 1000 * len(shorts)
    for word in words:
        result += popcount(word) * 3
        if word != np.uint64(0):
            result += trailing_zeros(word)
    for index in range(len(shorts)):
        result += np.int64(shorts[index]) * index
    return result


@KERNELS.export("i64(u64)")
def bits_of(word):
    """Return the number of set bits."""
    return popcount(word)


@KERNELS.export("i64(u64)")
def lowest_bit(word):
    """Return the index of the lowest set bit."""
    return trailing_zeros(word)


@KERNELS.export("f64(f64, f32, i8, u8)")
def mix(a, b, c, d):
    """Combine scalars of several types and widths."""
    return a * 2 + b + c - d


@KERNELS.export("void(u64[], u64)")
def reset(words, value):
    """Fill an array. LLVM makes a call of memset of the loop if all bytes are the same."""
    for index in range(len(words)):
        words[index] = value


@KERNELS.export("void(u8[], u8[])")
def copy(target, source):
    """Copy an array. LLVM makes a call of memcpy of the loop."""
    for index in range(len(source)):
        target[index] = source[index]


@KERNELS.export("void(u8[])")
def clear(target):
    """Clear an array of bytes, whose length may be odd. LLVM makes a call of memset of the loop."""
    for index in range(len(target)):
        target[index] = 0


@KERNELS.export("i64(Sample)")
def clock_ticks(s):
    """Return the time in ticks as kernels read it."""
    return polled_clock(s)


@KERNELS.export("i64(Sample)")
def count_until_aborted(s):
    """Count nodes until the deadline, a stop request or the node limit; end after some seconds in any case."""
    s.nodes, s.next_poll, s.aborted = 0, 0, 0
    while s.aborted == 0 and s.nodes < 2_000_000_000:
        count_node(s)
    return s.nodes


@KERNELS.export("void(Sample, u64[], u64, i64, i64, i64, i64, i64, i64)")
def table_store(s, words, key, move, score, evaluation, depth, bound, ply):
    """Call `store` of the transposition table."""
    store(s, words, key, move, score, evaluation, depth, bound, ply)


@KERNELS.export("i64(Sample, u64[], u64)")
def table_probe(s, words, key):
    """Call `probe` of the transposition table and return its result."""
    return probe(s, words, key)


@KERNELS.export("void(u64, i64, i64[])")
def table_unpack(data, ply, fields):
    """Write move, score, evaluation, depth and bound of an entry's data word into `fields`."""
    fields[0] = move_of(data)
    fields[1] = score_of(data, ply)
    fields[2] = evaluation_of(data)
    fields[3] = depth_of(data)
    fields[4] = bound_of(data)
