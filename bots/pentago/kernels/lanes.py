"""A numba type of four 64-bit words that are processed together (SIMD): one register with AVX2, two with SSE.

`+`, `|`, `&`, `~`, `<<` and `>>` work on each word; the right operand may also be one number for all words. LLVM
vectorises a plain loop over words by itself, but not one that gathers four words at a time in an inner loop.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from core.native.intrinsics import word_pointer

LANES = 4
inline = njit(inline="always")  # decorator of functions over lanes: a kernel's signature cannot contain the type
_WORD, _INDEX = ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_WORD, LANES)


class _Lanes(types.Type):
    """Numba's type of the four words."""


_LANES = _Lanes("lanes")
register_model(_Lanes)(lambda manager, kind: models.PrimitiveModel(manager, kind, _VECTOR))


@intrinsic
def make_lanes(_context: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:
    """Combine four numbers."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _join(builder, arguments)

    return _LANES(first, second, third, fourth), generate


@intrinsic
def read_lanes(_context: Any, words: Any, index: Any) -> Any:
    """Read the four words of an array that start at an index."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _load(builder, word_pointer(context, builder, signature, arguments), LANES)

    return _LANES(words, index), generate


@intrinsic
def read_pair(_context: Any, words: Any, index: Any) -> Any:
    """Read two words of an array that start at an index, as (first, second, first, second)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = _load(builder, word_pointer(context, builder, signature, arguments), 2)
        return _reorder(builder, pair, (0, 1, 0, 1))

    return _LANES(words, index), generate


@intrinsic
def write_lanes(_context: Any, words: Any, index: Any, lanes: Any) -> Any:
    """Write the four words into an array, starting at an index."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = word_pointer(context, builder, signature, arguments)
        builder.store(arguments[2], builder.bitcast(place, _VECTOR.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(words, index, lanes), generate


@intrinsic
def has_any(_context: Any, lanes: Any) -> Any:
    """Return True if any bit is set."""

    def generate(_inner: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_WORD, [_VECTOR])
        reduce = builder.module.declare_intrinsic("llvm.vector.reduce.or.v4i64", (), kind)
        return builder.icmp_unsigned("!=", builder.call(reduce, arguments), ir.Constant(_WORD, 0))

    return types.boolean(lanes), generate


@intrinsic
def first_of(_context: Any, lanes: Any) -> Any:
    """Return word 0."""
    return types.int64(lanes), lambda _inner, builder, _signature, arguments: _word(builder, arguments[0], 0)


@intrinsic
def third_of(_context: Any, lanes: Any) -> Any:
    """Return word 2."""
    return types.int64(lanes), lambda _inner, builder, _signature, arguments: _word(builder, arguments[0], 2)


def _join(builder: Any, numbers: Any) -> Any:
    lanes = ir.Constant(_VECTOR, ir.Undefined)
    for place, number in enumerate(numbers):
        lanes = builder.insert_element(lanes, number, ir.Constant(_INDEX, place))
    return lanes


def _word(builder: Any, lanes: Any, place: int) -> Any:
    return builder.extract_element(lanes, ir.Constant(_INDEX, place))


def _load(builder: Any, place: Any, count: int) -> Any:
    kind = ir.VectorType(_WORD, count)
    return builder.load(builder.bitcast(place, kind.as_pointer()), align=8)


def _reorder(builder: Any, vector: Any, order: tuple[int, ...]) -> Any:
    return builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(_INDEX, LANES), order))


def _make_reorder(*order: int) -> Any:
    @intrinsic
    def reorder(_context: Any, lanes: Any) -> Any:
        return _LANES(lanes), lambda _inner, builder, _signature, arguments: _reorder(builder, arguments[0], order)

    return reorder


# Functions that reorder the words: the indices are those of the words taken.
first_half = _make_reorder(0, 1, 0, 1)
second_half = _make_reorder(2, 3, 2, 3)
swap_neighbours = _make_reorder(1, 0, 3, 2)
swap_halves = _make_reorder(2, 3, 0, 1)


def _add_operation(operation: Callable[..., Any], instruction: str) -> None:
    """Register an operator for lanes, or for lanes and a number."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        lanes, *others = arguments
        vectors = [other if other.type == _VECTOR else _join(builder, LANES * [other]) for other in others]
        return getattr(builder, instruction)(lanes, *vectors)

    def find_type(kind: Any, *others: Any) -> Any:
        is_known = isinstance(kind, _Lanes) and all(isinstance(other, (_Lanes, types.Integer)) for other in others)
        return _LANES if is_known else None

    type_callable(operation)(lambda _context: find_type)
    for others in ((), (_Lanes,), (types.Integer,)):
        lower_builtin(operation, _Lanes, *others)(generate)


_add_operation(operator.invert, "not_")
for _operations, _instruction in (
    ((operator.add, operator.iadd), "add"),
    ((operator.or_, operator.ior), "or_"),
    ((operator.and_, operator.iand), "and_"),
    ((operator.lshift, operator.ilshift), "shl"),
    ((operator.rshift, operator.irshift), "lshr"),
):
    for _operation in _operations:
        _add_operation(_operation, _instruction)
