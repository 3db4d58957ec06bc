"""Vector operations of the evaluations (network.py, evaluate.py), written as LLVM instructions.

numba's loops would widen 8- and 16-bit integers to 64 bits, and would write intermediate sums to memory.

Functions marked `@intrinsic` run when numba compiles a call. Their parameters are the numba types of the call's
arguments; the inner function `generate` emits LLVM instructions, and `arguments` are the values. Their docstrings
describe the call.
"""

from __future__ import annotations

import itertools
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bots.gomoku.kernels.network_record import HIDDEN, SHAPE_WEIGHTS, STAR_WIDTH, WIDTH
from bots.gomoku.kernels.rules import CELLS, STEPS
from core.native.intrinsics import add_lanes, row_vector

CHANNEL_MAX = 127  # greatest value of a cell's channel; the total over 22 x 22 cells fits 16 bits
# Factors of a shape's weights for the star layer: for the cell itself, its 8 neighbours, and the cells two steps away.
# The weights (at most 127) of four shapes per cell add at most 4 * 127 * (4 + 8 * 4 + 8 * 3) = 30,480 to an output, and
# the bias at most 2,048 (STAR_BIAS_LIMIT in training/model.py), so that outputs fit 16 bits.
CENTRE_FACTOR, NEAR_FACTOR, FAR_FACTOR = 4, 4, 3


def _clip(builder: Any, sums: Any) -> Any:
    """Clip a vector of channels to 0..CHANNEL_MAX."""
    zero, maximum = (ir.Constant(sums.type, [value] * WIDTH) for value in (0, CHANNEL_MAX))
    positive = builder.select(builder.icmp_signed(">", sums, zero), sums, zero)
    return builder.select(builder.icmp_signed("<", positive, maximum), positive, maximum)


def _first_element(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return a pointer to the first element of a nested array."""
    data = context.make_array(kind)(context, builder, value).data
    return builder.bitcast(data, context.get_value_type(kind.dtype).as_pointer())


def _weights_of(builder: Any, table: Any, shape: Any) -> list[Any]:
    """Return three vectors of 16-bit integers: a shape's weights for the channels, the centre and the cells around.

    `table` points to the first element of `shape_weights`.
    """
    parts, begin = [], 0
    for width in (WIDTH, STAR_WIDTH, STAR_WIDTH):
        first = builder.add(builder.mul(shape, shape.type(SHAPE_WEIGHTS)), shape.type(begin))
        row = builder.bitcast(builder.gep(table, [first]), ir.VectorType(ir.IntType(8), width).as_pointer())
        parts.append(builder.sext(builder.load(row, align=1), ir.VectorType(ir.IntType(16), width)))
        begin += width
    return parts


def _change_of_weights(builder: Any, table: Any, old: Any, new: Any) -> list[Any]:
    """Return the three vectors of `_weights_of` for the shape `new` minus those for `old`."""
    weights = zip(_weights_of(builder, table, new), _weights_of(builder, table, old), strict=True)
    return [builder.sub(after, before) for after, before in weights]


def _add_to_stars(builder: Any, stars: Any, cell: Any, centre: Any, around: Any) -> None:
    """Add a cell's weights to the star layer: `centre` to its own outputs, `around` to those of the 16 cells around.

    `stars` points to the first element of the layer. There is no check of the board's edge: outside it, the outputs of
    two rings of cells are written but never read.
    """

    def times(vector: Any, factor: int) -> Any:
        return builder.mul(vector, ir.Constant(vector.type, [factor] * STAR_WIDTH))

    offsets = [way * step for step in STEPS.tolist() for way in (-1, 1)]
    added = [([0], times(centre, CENTRE_FACTOR)), (offsets, times(around, NEAR_FACTOR))]
    added.append(([2 * offset for offset in offsets], times(around, FAR_FACTOR)))
    for cells, vector in added:
        for offset in cells:
            index = builder.mul(builder.add(cell, cell.type(offset)), cell.type(STAR_WIDTH))
            star = builder.bitcast(builder.gep(stars, [index]), vector.type.as_pointer())
            builder.store(builder.add(builder.load(star, align=2), vector), star, align=2)


@intrinsic
def replace_shape(_context: Any, sums: Any, cell: Any, total: Any, stars: Any, weights: Any, old: Any, new: Any) -> Any:
    """Replace the shape `old` by `new` in a cell's sums, the total and the star layer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sums_at = row_vector(context, builder, signature.args[0], arguments[0], arguments[1])
        total_at = row_vector(context, builder, signature.args[2], arguments[2], ir.Constant(ir.IntType(64), 0))
        first_star, table = (_first_element(context, builder, signature.args[i], arguments[i]) for i in (3, 4))
        channels, centre, around = _change_of_weights(builder, table, arguments[5], arguments[6])
        before = builder.load(sums_at, align=2)
        after = builder.add(before, channels)
        change = builder.sub(_clip(builder, after), _clip(builder, before))
        builder.store(after, sums_at, align=2)
        builder.store(builder.add(builder.load(total_at, align=2), change), total_at, align=2)
        _add_to_stars(builder, first_star, arguments[1], centre, around)
        return context.get_dummy_value()

    return types.void(sums, types.int64, total, stars, weights, types.int64, types.int64), generate


@intrinsic
def add_cell_to_total(_context: Any, sums: Any, cell: Any, total: Any, add: Any) -> Any:
    """Add a cell's clipped sums to the total, or subtract them if `add` is 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero = ir.Constant(ir.IntType(64), 0)
        sums_at = row_vector(context, builder, signature.args[0], arguments[0], arguments[1])
        total_at = row_vector(context, builder, signature.args[2], arguments[2], zero)
        total, part = builder.load(total_at, align=2), _clip(builder, builder.load(sums_at, align=2))
        is_added = builder.icmp_signed("!=", arguments[3], zero)
        builder.store(builder.select(is_added, builder.add(total, part), builder.sub(total, part)), total_at, align=2)
        return context.get_dummy_value()

    return types.void(sums, types.int64, total, types.int64), generate


@intrinsic
def add_cell_to_stars(_context: Any, stars: Any, cell: Any, shapes: Any, weights: Any, add: Any) -> Any:
    """Add a cell to the star layer, or subtract it if `add` is 0; its shapes are `shapes[direction, cell]`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first_star, first_shape, table = (
            _first_element(context, builder, signature.args[i], arguments[i]) for i in (0, 2, 3)
        )
        parts = []
        for direction in range(4):
            index = builder.add(arguments[1], arguments[1].type(direction * CELLS))
            shape = builder.zext(builder.load(builder.gep(first_shape, [index])), arguments[1].type)
            parts.append(_weights_of(builder, table, shape)[1:])
        is_added = builder.icmp_signed("!=", arguments[4], ir.Constant(ir.IntType(64), 0))
        centre, around = (
            builder.add(builder.add(*vectors[:2]), builder.add(*vectors[2:])) for vectors in zip(*parts, strict=True)
        )
        centre, around = (builder.select(is_added, vector, builder.neg(vector)) for vector in (centre, around))
        _add_to_stars(builder, first_star, arguments[1], centre, around)
        return context.get_dummy_value()

    return types.void(stars, types.int64, shapes, weights, types.int64), generate


@intrinsic
def add_shape_changes(
    _context: Any, out: Any, total: Any, sums: Any, stars: Any, weights: Any, changes: Any, count: Any
) -> Any:
    """Change shapes in `stars`, and fill `out` with the total after the changes; `sums` and `total` are not modified.

    A change is (cell, old shape, new shape); no cell occurs twice. The intermediate total stays in registers.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vector(argument: int, row: Any) -> Any:
            return row_vector(context, builder, signature.args[argument], arguments[argument], row)

        word = ir.IntType(64)
        zero = ir.Constant(word, 0)
        first_star, table = (_first_element(context, builder, signature.args[i], arguments[i]) for i in (3, 4))
        listed = context.make_array(signature.args[5])(context, builder, arguments[5]).data
        accumulator = cgutils.alloca_once(builder, ir.VectorType(ir.IntType(16), WIDTH))
        builder.store(builder.load(vector(1, zero), align=2), accumulator)
        with cgutils.for_range(builder, arguments[6]) as loop:
            begin = builder.mul(loop.index, ir.Constant(word, 3))
            cell, old, new = (
                builder.zext(builder.load(builder.gep(listed, [builder.add(begin, ir.Constant(word, part))])), word)
                for part in range(3)
            )
            channels, centre, around = _change_of_weights(builder, table, old, new)
            before = builder.load(vector(2, cell), align=2)
            change = builder.sub(_clip(builder, builder.add(before, channels)), _clip(builder, before))
            builder.store(builder.add(builder.load(accumulator), change), accumulator)
            _add_to_stars(builder, first_star, cell, centre, around)
        builder.store(builder.load(accumulator), vector(0, zero), align=2)
        return context.get_dummy_value()

    return types.void(out, total, sums, stars, weights, changes, types.int64), generate


@intrinsic
def weigh_counts(_context: Any, weights: Any, row: Any, patterns: Any, grades: Any, side: Any) -> Any:
    """Return the sum of counts times a row of weights: patterns of `side` and of the other side, then grades likewise.

    The sum must fit 32 bits.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, number = ir.IntType(64), ir.IntType(32)
        row_length = signature.args[0].shape[1]
        begin = builder.mul(arguments[1], ir.Constant(word, row_length))
        first_weight = _first_element(context, builder, signature.args[0], arguments[0])
        sides = (arguments[4], builder.sub(ir.Constant(word, 1), arguments[4]))
        total = None
        for index, (argument, whose) in enumerate(itertools.product((2, 3), sides)):
            counts = row_vector(context, builder, signature.args[argument], arguments[argument], whose)
            wide = ir.VectorType(number, counts.type.pointee.count)
            place = builder.add(begin, ir.Constant(word, index * wide.count))
            factors = builder.load(builder.bitcast(builder.gep(first_weight, [place]), wide.as_pointer()), align=4)
            products = builder.mul(builder.sext(builder.load(counts, align=2), wide), factors)
            total = builder.add(total, products) if total else products
        return builder.sext(add_lanes(builder, total), word)

    return types.int64(weights, types.int64, patterns, grades, types.int64), generate


@intrinsic
def max_with_rows(_context: Any, out: Any, rows: Any, first: Any, count: Any) -> Any:
    """Set each element of `out` to the maximum of itself and of its column in `count` rows, from the row `first` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vector(argument: int, row: Any) -> Any:
            return row_vector(context, builder, signature.args[argument], arguments[argument], row)

        peak_at = vector(0, ir.Constant(ir.IntType(64), 0))
        peak = cgutils.alloca_once(builder, peak_at.type.pointee)
        builder.store(builder.load(peak_at, align=2), peak)
        with cgutils.for_range(builder, arguments[3]) as loop:
            row = builder.load(vector(1, builder.add(arguments[2], loop.index)), align=2)
            before = builder.load(peak)
            builder.store(builder.select(builder.icmp_signed(">", row, before), row, before), peak)
        builder.store(builder.load(peak), peak_at, align=2)
        return context.get_dummy_value()

    return types.void(out, rows, types.int64, types.int64), generate


@intrinsic
def add_rows(_context: Any, out: Any, bias: Any, weights: Any, rows: Any, values: Any, count: Any) -> Any:
    """Fill `out` with a dense layer: the bias plus `values[i]` times row `rows[i]` of the weights, for `count` inputs.

    The layer stays in registers; numba's loops would write it to memory after every row. Each product is rounded before
    it is added (no fused multiply-add), so that all machines compute the same.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def pointer(argument: int) -> Any:
            return context.make_array(signature.args[argument])(context, builder, arguments[argument]).data

        def vector(argument: int, row: Any) -> Any:
            return row_vector(context, builder, signature.args[argument], arguments[argument], row)

        zero = ir.Constant(ir.IntType(64), 0)
        layer = ir.VectorType(ir.FloatType(), HIDDEN)
        total = cgutils.alloca_once(builder, layer)
        builder.store(builder.load(vector(1, zero), align=4), total)
        with cgutils.for_range(builder, arguments[5]) as loop:
            row = builder.sext(builder.load(builder.gep(pointer(3), [loop.index])), ir.IntType(64))
            value = builder.load(builder.gep(pointer(4), [loop.index]))
            single = builder.insert_element(ir.Constant(layer, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), HIDDEN), [0] * HIDDEN)
            values = builder.shuffle_vector(single, ir.Constant(layer, ir.Undefined), lanes)
            product = builder.fmul(values, builder.load(vector(2, row), align=4))
            builder.store(builder.fadd(builder.load(total), product), total)
        builder.store(builder.load(total), vector(0, zero), align=4)
        return context.get_dummy_value()

    return types.void(out, bias, weights, rows, values, types.int64), generate
