"""Machine operations for kernels that numba does not offer: bit counts, square root, prefetch, a call through a
function pointer, atomic compare-and-swap, and copies of rows as vectors.

An intrinsic returns numba's signature for its arguments, and a function `generate` that emits its LLVM code. The result
types are numba's: `types.int64(word)` is an i64 from the type of `word`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def popcount(_context: Any, word: Any) -> Any:
    """Return the number of set bits of an unsigned integer, as i64."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _widen(builder, builder.ctpop(arguments[0]))

    return types.int64(word), generate


@intrinsic
def trailing_zeros(_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit of an unsigned integer other than 0, as i64."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _widen(builder, builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1)))

    return types.int64(word), generate


@intrinsic
def square_root(_context: Any, value: Any) -> Any:
    """Return the square root by one instruction; `math.sqrt` would call the C library for a negative number."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        function = builder.module.declare_intrinsic("llvm.sqrt", [arguments[0].type])
        return builder.call(function, [arguments[0]])

    return value(value), generate


@intrinsic
def prefetch(_context: Any, words: Any, index: Any) -> Any:
    """Prefetch the cache line of `words[index]`, without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.bitcast(word_pointer(context, builder, signature, arguments), ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [pointer.type], ir.FunctionType(ir.VoidType(), [pointer.type, i32, i32, i32])
        )
        read, locality, data_cache = (ir.Constant(i32, value) for value in (0, 3, 1))  # 3: to be kept in the cache
        builder.call(fetch, [pointer, read, locality, data_cache])
        return context.get_dummy_value()

    return types.void(words, index), generate


@intrinsic
def call_clock(_context: Any, address: Any, argument: Any, buffer: Any) -> Any:
    """Call `int address(int64 argument, int64 *buffer)`, the shape of clock_gettime and (second argument only)
    QueryPerformanceCounter; `buffer` is a nested array of two i64. Returns the called function's i32."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        clock = ir.FunctionType(ir.IntType(32), [word, word.as_pointer()])
        data = context.make_array(signature.args[2])(context, builder, arguments[2]).data
        return builder.call(builder.inttoptr(arguments[0], clock.as_pointer()), [arguments[1], data])

    return types.int32(address, argument, buffer), generate


@intrinsic
def compare_swap(_context: Any, words: Any, index: Any, _expected: Any, _value: Any) -> Any:
    """Atomic compare-and-swap of `words[index]`: store `value` if it equals `expected`; return the old value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = word_pointer(context, builder, signature, arguments)
        result = builder.cmpxchg(pointer, arguments[2], arguments[3], "acq_rel", "monotonic")
        return builder.extract_value(result, 0)  # the old value; element 1 is whether it was replaced

    return words.dtype(words, index, words.dtype, words.dtype), generate


@intrinsic
def copy_row(_context: Any, out: Any, _out_row: Any, source: Any, _source_row: Any) -> Any:
    """Copy a row of a nested array, its last dimension, to a row of another; rows are numbered over all dimensions.

    A row is one LLVM vector. A loop would copy element by element, because LLVM cannot know that the rows differ.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        row = builder.load(row_vector(context, builder, kinds[2], arguments[2], arguments[3]), align=1)
        builder.store(row, row_vector(context, builder, kinds[0], arguments[0], arguments[1]), align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, source, types.int64), generate


def word_pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return an LLVM pointer to the element `arguments[1]` of the array `arguments[0]`."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])


def row_vector(context: Any, builder: Any, kind: Any, value: Any, row: Any) -> Any:
    """Return a pointer to a row of a nested array as one LLVM vector; its length is the array's last dimension.

    `kind` is numba's type of the array, `value` the argument, `row` the LLVM integer of the row's index.
    """
    array = context.make_array(kind)(context, builder, value)
    element, width = context.get_value_type(kind.dtype), kind.shape[-1]
    pointer = builder.gep(builder.bitcast(array.data, element.as_pointer()), [builder.mul(row, row.type(width))])
    return builder.bitcast(pointer, ir.VectorType(element, width).as_pointer())


def add_lanes(builder: Any, vector: Any) -> Any:
    """Return the sum of the integers of an LLVM vector, whose length is a power of two."""
    while vector.type.count > 1:  # the upper half onto the lower
        lanes = vector.type.count // 2
        halves = [
            builder.shuffle_vector(
                vector,
                ir.Constant(vector.type, ir.Undefined),
                ir.Constant(ir.VectorType(ir.IntType(32), lanes), list(range(first, first + lanes))),
            )
            for first in (0, lanes)
        ]
        vector = builder.add(*halves)
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


def _widen(builder: Any, value: Any) -> Any:
    word = ir.IntType(64)
    return value if value.type.width == 64 else builder.zext(value, word)
