"""Machine operations that kernels need and numba does not offer: bit counts, a call through an address, a word that
will be read soon, and an atomic exchange of a word that threads share."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def popcount(_context: Any, word: Any) -> Any:
    """Number of set bits of an unsigned word, as i64."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _widen(builder, builder.ctpop(arguments[0]))

    return types.int64(word), generate


@intrinsic
def trailing_zeros(_context: Any, word: Any) -> Any:
    """Index of the lowest set bit of an unsigned word that is not 0, as i64."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _widen(builder, builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1)))

    return types.int64(word), generate


@intrinsic
def square_root(_context: Any, value: Any) -> Any:
    """Square root of a float, as one instruction; `math.sqrt` would call the C library for a negative number."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = arguments[0].type
        root = builder.module.declare_intrinsic("llvm.sqrt", [kind])
        return builder.call(root, [arguments[0]])

    return value(value), generate


@intrinsic
def prefetch(_context: Any, words: Any, index: Any) -> Any:
    """Ask for the cache line of one word of an array, to be read soon; nothing waits for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.bitcast(word_pointer(context, builder, signature, arguments), ir.IntType(8).as_pointer())
        kind = ir.IntType(32)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [place.type], ir.FunctionType(ir.VoidType(), [place.type, kind, kind, kind])
        )
        read, near, data = (ir.Constant(kind, value) for value in (0, 3, 1))
        builder.call(fetch, [place, read, near, data])
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
    """Replace one word of an array where it is as expected, undivided by other threads; the word before it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = word_pointer(context, builder, signature, arguments)
        found = builder.cmpxchg(place, arguments[2], arguments[3], "acq_rel", "monotonic")
        return builder.extract_value(found, 0)

    return words.dtype(words, index, words.dtype, words.dtype), generate


def word_pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """LLVM's pointer into the array that is an intrinsic's first argument, to the word that the second one is of."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])


def _widen(builder: Any, value: Any) -> Any:
    word = ir.IntType(64)
    return value if value.type.width == 64 else builder.zext(value, word)
