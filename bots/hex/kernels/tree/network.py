"""Forward pass of the network: policy logits and the value of a position, on a board of any size.

The network sees the board from the side to move, which owns top and bottom. For white, columns and rows are exchanged,
and so are the colours. Edges count as stones. A convolution of radius r reads the cells within r steps.

    stem       convolution of radius 2 over the cell contents                       -> CHANNELS
    BLOCKS x   convolution of radius 1, whose bias has a global-pooling term (Wu 2019),
               convolution of radius 1, plus the block's input (He et al. 2016)     -> CHANNELS
    policy     a linear function of a cell's channels                               -> logit of each cell
    value      global pooling, a hidden layer of VALUE_HIDDEN units                 -> log-odds of winning

All layers but the value head, which uses float32, use integers, so that results are the same on every machine.
Activations are int16 in units of 1/ONE, clipped to 0..TOP. The weights of stem, global pooling and policy are int16 in
units of 1/WEIGHT_ONE. Sums are int32.

The convolutions of the blocks take most of the time, so their inputs and weights are bytes, whose products CPUs add
fast (core/native/byte_dots.py). Inputs are rounded to 0..POSITIVE_TOP, in units of a power of two that each convolution
has, weights to -SIGNED_TOP..SIGNED_TOP, in units that each output channel has. A sum is shifted right to the unit of
the outputs: to bytes after the first convolution of a block, to activations after the second.

These functions are written with llvmlite. Those marked `@intrinsic` get the types of their arguments, and return their
signature and a function that emits the code.

Activations of a board of width w are stored with step = w + 1 cells per row and one empty row above and below:

    - - - -        the board cell (x, y) has the index (y + 1) * step + x + 1.
    - a b c        The empty cells are zero: they are what a convolution reads beyond the board.
    - d e f
    - - - - -
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bots.hex.kernels.network_fields import (
    BLOCKS,
    CHANNELS,
    LANES,
    NEAR_OFFSETS,
    STEM_RADIUS,
    VALUE_HIDDEN,
    WIDE_OFFSETS,
)
from bots.hex.kernels.records import KERNELS, STRIDE
from bots.hex.notation import MAX_SIZE
from core.native.byte_dots import POSITIVE_TOP, emit_byte_dots, emit_has_many_registers
from core.native.intrinsics import add_lanes

ONE_BITS, WEIGHT_BITS = 8, 10  # binary digits after the point of activations and of weights
ONE, TOP = 1 << ONE_BITS, 4095  # integer for an activation of 1.0, and the largest activation
WEIGHT_ONE = 1 << WEIGHT_BITS  # integer for a weight of 1.0
FIRST_SHIFT = 2  # right shift from the stem's sums to activations
GRID = MAX_SIZE + 2 * STEM_RADIUS  # length of a row of `net_cells`
SURROUNDINGS = len(WIDE_OFFSETS)  # number of cells that the stem reads
AROUND = np.array([x + y * GRID for x, y in WIDE_OFFSETS])  # steps to these cells in `net_cells`
POOL_BITS = ONE_BITS + WEIGHT_BITS  # binary digits after the point of the global-pooling term
CELLS_AT_ONCE = 4  # cells per step of a convolution: they share each weight read
EXP_STEPS, EXP_RANGE = 32, 20  # table of exp(-x): entries per unit, and the largest x
EXP = np.exp(-np.arange(EXP_RANGE * EXP_STEPS + 2) / EXP_STEPS).astype(np.float32)
I8, I16, I32, I64 = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64)


class VectorView:
    """A nested array in LLVM code, read and written as vectors. `number` is the type of its numbers."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        self._builder = builder
        self.number = context.get_value_type(kind.dtype)
        self._data = builder.bitcast(context.make_array(kind)(context, builder, value).data, self.number.as_pointer())

    def at(self, index: Any, lanes: int) -> Any:
        """Return a pointer to `lanes` numbers from `index` on."""
        place = self._builder.gep(self._data, [index])
        return self._builder.bitcast(place, ir.VectorType(self.number, lanes).as_pointer())

    def read(self, index: Any, lanes: int) -> Any:
        """Load `lanes` numbers from `index` on."""
        return self._builder.load(self.at(index, lanes), align=self.number.width // 8)

    def write(self, index: Any, values: Any) -> None:
        """Store numbers from `index` on."""
        self._builder.store(values, self.at(index, values.type.count), align=self.number.width // 8)


def _broadcast(builder: Any, value: Any, lanes: int) -> Any:
    """Return a vector whose lanes all have one value."""
    kind = ir.VectorType(value.type, lanes)
    single = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(I32, 0))
    places = ir.Constant(ir.VectorType(I32, lanes), [0] * lanes)
    return builder.shuffle_vector(single, ir.Constant(kind, ir.Undefined), places)


def _multiply_pairs(builder: Any, one: Any, other: Any) -> Any:
    """Multiply int16 lanes and add the products of lanes 2i and 2i + 1; LLVM turns this into one instruction (PMADDWD).

    The result has half as many lanes, of int32.
    """
    lanes = one.type.count
    wide = ir.VectorType(I32, lanes)
    product = builder.mul(builder.sext(one, wide), builder.sext(other, wide))
    nothing = ir.Constant(wide, ir.Undefined)
    even, odd = (ir.Constant(ir.VectorType(I32, lanes // 2), list(range(first, lanes, 2))) for first in (0, 1))
    return builder.add(builder.shuffle_vector(product, nothing, even), builder.shuffle_vector(product, nothing, odd))


def _clip(builder: Any, sums: Any, top: int, number: Any) -> Any:
    """Clip integers to 0..top and narrow them to the type `number`."""
    zero, most = (ir.Constant(sums.type, [value] * sums.type.count) for value in (0, top))
    low = builder.select(builder.icmp_signed(">", sums, zero), sums, zero)
    cut = builder.select(builder.icmp_signed("<", low, most), low, most)
    return builder.trunc(cut, ir.VectorType(number, sums.type.count))


@intrinsic
def compute_stem_cell(_context: Any, planes: Any, cell: Any, weights: Any, bias: Any, rows: Any) -> Any:
    """Compute the stem's channels of a cell into `planes`: the clipped sum of the bias and of some rows of weights.

    `rows` has the indices of these rows, one for each cell around.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def view(argument: int) -> VectorView:
            return VectorView(context, builder, signature.args[argument], arguments[argument])

        width = ir.Constant(I64, CHANNELS)
        sums = view(3).read(ir.Constant(I64, 0), CHANNELS)
        for place in range(len(WIDE_OFFSETS)):
            row = builder.extract_element(view(4).read(ir.Constant(I64, place), 1), ir.Constant(I32, 0))
            part = view(2).read(builder.mul(row, width), CHANNELS)
            sums = builder.add(sums, builder.sext(part, sums.type))
        half, shift = (ir.Constant(sums.type, [value] * CHANNELS) for value in (1 << (FIRST_SHIFT - 1), FIRST_SHIFT))
        sums = builder.ashr(builder.add(sums, half), shift)
        view(0).write(builder.mul(arguments[1], width), _clip(builder, sums, TOP, I16))
        return context.get_dummy_value()

    return types.void(planes, types.int64, weights, bias, rows), generate


@intrinsic
def narrow_cells(_context: Any, out: Any, planes: Any, first: Any, count: Any, shift: Any) -> Any:
    """Round the activations of `count` cells from `first` on to inputs of a convolution, `shift` digits shorter."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, planes = (VectorView(context, builder, signature.args[index], arguments[index]) for index in (0, 1))
        shift = builder.trunc(arguments[4], I16)
        half = builder.lshr(builder.shl(ir.Constant(I16, 1), shift), ir.Constant(I16, 1))
        shift, half = (_broadcast(builder, value, CHANNELS) for value in (shift, half))
        with cgutils.for_range(builder, arguments[3]) as loop:
            place = builder.mul(builder.add(arguments[2], loop.index), ir.Constant(I64, CHANNELS))
            rounded = builder.ashr(builder.add(planes.read(place, CHANNELS), half), shift)
            out.write(place, _clip(builder, rounded, POSITIVE_TOP, I8))
        return context.get_dummy_value()

    return types.void(out, planes, *[types.int64] * 3), generate


@intrinsic
def convolve(
    _context: Any,
    out: Any,
    inputs: Any,
    weights: Any,
    layer: Any,
    bias: Any,
    shifts: Any,
    step: Any,
    count: Any,
) -> Any:
    """Compute a convolution for `count` cells from the first board cell on, from `inputs` into `out`.

    `layer` is its index in `weights` and `shifts`. Rows are `step` cells apart. An array `out` of bytes is filled; to
    one of int16, the activations, the results are added (the residual connection). Up to CELLS_AT_ONCE - 1 further
    cells are overwritten.

    The sums of CELLS_AT_ONCE cells stay in registers: those of LANES output channels or, on CPUs with many registers,
    of all channels. With all channels each input is read once, and the additions do not wait for each other.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        views = [VectorView(context, builder, signature.args[index], arguments[index]) for index in (0, 1, 2, 4, 5)]
        layer, step, count = arguments[3], arguments[6], arguments[7]
        groups = builder.sdiv(builder.add(count, ir.Constant(I64, CELLS_AT_ONCE - 1)), ir.Constant(I64, CELLS_AT_ONCE))
        first = builder.add(step, ir.Constant(I64, 1))
        parts = list(range(CHANNELS // LANES))
        with builder.if_else(emit_has_many_registers(builder)) as (many, few):
            for branch, passes in ((many, [parts]), (few, [[part] for part in parts])):
                with branch:
                    for computed_parts in passes:
                        with cgutils.for_range(builder, groups) as loop:
                            cell = builder.add(first, builder.mul(loop.index, ir.Constant(I64, CELLS_AT_ONCE)))
                            _convolve_cells(builder, views, layer, step, cell, computed_parts)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(out, inputs, weights, whole, bias, shifts, whole, whole), generate


def _convolve_cells(builder: Any, views: list[VectorView], layer: Any, step: Any, cell: Any, parts: list[int]) -> None:
    """Emit the code for CELLS_AT_ONCE cells, from `cell` on, and some groups of LANES output channels.

    `parts` has the numbers of these groups; `views` are the arrays of `convolve`.
    """
    out, inputs, weights, bias, shifts = views
    wide = ir.VectorType(I32, LANES)
    part_size = len(NEAR_OFFSETS) * CHANNELS * LANES  # weights of a group

    def index(value: int) -> Any:
        return ir.Constant(I64, value)

    totals = {(part, number): cgutils.alloca_once(builder, wide) for part in parts for number in range(CELLS_AT_ONCE)}
    for (part, _), total in totals.items():
        builder.store(bias.read(index(part * LANES), LANES), total)
    layer_weights = builder.mul(layer, index(CHANNELS // LANES * part_size))
    for tap, (x, y) in enumerate(NEAR_OFFSETS):
        near = builder.add(cell, builder.add(builder.mul(step, index(y)), index(x)))
        near = builder.mul(near, index(CHANNELS))
        with cgutils.for_range(builder, index(CHANNELS // 8)) as loop:
            eight_inputs = builder.add(near, builder.mul(loop.index, index(8)))
            first_weight = builder.add(layer_weights, builder.mul(loop.index, index(8 * LANES)))
            rows = {
                (part, half): weights.read(
                    builder.add(first_weight, index(part * part_size + (tap * CHANNELS + 4 * half) * LANES)), 4 * LANES
                )
                for part in parts
                for half in (0, 1)
            }
            for number in range(CELLS_AT_ONCE):
                same = []
                for half in (0, 1):
                    four = inputs.read(builder.add(eight_inputs, index(number * CHANNELS + 4 * half)), 4)
                    spread = _broadcast(builder, builder.bitcast(four, I32), LANES)
                    same.append(builder.bitcast(spread, ir.VectorType(I8, 4 * LANES)))
                for part in parts:
                    total = totals[part, number]
                    factors = [same[0], rows[part, 0], same[1], rows[part, 1]]
                    builder.store(emit_byte_dots(builder, builder.load(total), factors), total)
    for (part, number), total in totals.items():
        channel = builder.add(builder.mul(layer, index(CHANNELS)), index(part * LANES))
        place = builder.add(builder.mul(builder.add(cell, index(number)), index(CHANNELS)), index(part * LANES))
        results = builder.ashr(builder.load(total), shifts.read(channel, LANES))
        if out.number == I8:
            out.write(place, _clip(builder, results, POSITIVE_TOP, I8))
        else:
            results = builder.add(results, builder.sext(out.read(place, LANES), wide))
            out.write(place, _clip(builder, results, TOP, I16))


@intrinsic
def clear_cell(_context: Any, planes: Any, cell: Any) -> Any:
    """Set a cell's channels to 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        planes = VectorView(context, builder, signature.args[0], arguments[0])
        zero = ir.Constant(ir.VectorType(planes.number, CHANNELS), [0] * CHANNELS)
        planes.write(builder.mul(arguments[1], ir.Constant(I64, CHANNELS)), zero)
        return context.get_dummy_value()

    return types.void(planes, types.int64), generate


@intrinsic
def pool_cells(_context: Any, pool: Any, planes: Any, first: Any, count: Any) -> Any:
    """Fill `pool` with the sum and the maximum of each channel over `count` cells from `first` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, planes = (VectorView(context, builder, signature.args[index], arguments[index]) for index in (0, 1))
        wide = ir.VectorType(I32, CHANNELS)
        total, most = (cgutils.alloca_once(builder, wide) for _ in range(2))
        for place in (total, most):
            builder.store(ir.Constant(wide, [0] * CHANNELS), place)
        with cgutils.for_range(builder, arguments[3]) as loop:
            place = builder.mul(builder.add(arguments[2], loop.index), ir.Constant(I64, CHANNELS))
            part = builder.sext(planes.read(place, CHANNELS), wide)
            builder.store(builder.add(builder.load(total), part), total)
            old = builder.load(most)
            builder.store(builder.select(builder.icmp_signed(">", part, old), part, old), most)
        for number, place in enumerate((total, most)):
            out.write(ir.Constant(I64, number * CHANNELS), builder.load(place))
        return context.get_dummy_value()

    return types.void(pool, planes, types.int64, types.int64), generate


@intrinsic
def dot_channels(_context: Any, planes: Any, cell: Any, weights: Any) -> Any:
    """Return the dot product of a cell's channels and the weights."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        planes, weights = (VectorView(context, builder, signature.args[index], arguments[index]) for index in (0, 2))
        channels = planes.read(builder.mul(arguments[1], ir.Constant(I64, CHANNELS)), CHANNELS)
        products = _multiply_pairs(builder, channels, weights.read(ir.Constant(I64, 0), CHANNELS))
        return builder.sext(add_lanes(builder, products), I64)

    return types.int64(planes, types.int64, weights), generate


@KERNELS.kernel("f32(f32)")
def exp_nonpositive(value):
    """Return exp(value) for a value <= 0 by linear interpolation, with an absolute error below 1.3e-4.

    Kernels cannot call the C library.
    """
    steps = max(-value, np.float32(0)) * np.float32(EXP_STEPS)
    index = min(np.int64(steps), EXP_RANGE * EXP_STEPS)
    part = min(steps - np.float32(index), np.float32(1))
    return EXP[index] + (EXP[index + 1] - EXP[index]) * part


@KERNELS.kernel("f32(f32)")
def sigmoid(logit):
    """Convert log-odds to a probability."""
    if logit > 0:
        return np.float32(1) / (np.float32(1) + exp_nonpositive(-logit))
    return np.float32(1) - np.float32(1) / (np.float32(1) + exp_nonpositive(logit))


@KERNELS.kernel("i64(HexPlayout, i64, i64)")
def board_cell(s, x, y):
    """Return the cell of the padded board (records.py) for a column and row of the network's view."""
    if s.net_rotated != 0:
        x, y = s.net_width - 1 - x, s.net_height - 1 - y
    return (y + 1) * STRIDE + x + 1 if s.side == 0 else (x + 1) * STRIDE + y + 1


@KERNELS.kernel("void(HexPlayout)")
def encode_board(s):
    """Fill `net_cells` with the working position as the side to move sees it, rotated if `net_rotated` is 1."""
    s.net_width = s.width if s.side == 0 else s.height
    s.net_height = s.height if s.side == 0 else s.width
    for y in range(-STEM_RADIUS, s.net_height + STEM_RADIUS):
        row = (y + STEM_RADIUS) * GRID + STEM_RADIUS
        beyond = y < 0 or y >= s.net_height
        for x in range(-STEM_RADIUS, s.net_width + STEM_RADIUS):
            if beyond:
                s.net_cells[row + x] = 1 if 0 <= x < s.net_width else 3
            elif x < 0 or x >= s.net_width:
                s.net_cells[row + x] = 2
            else:
                content = np.int64(s.played_by[board_cell(s, x, y)])
                s.net_cells[row + x] = 3 - content if s.side != 0 and content != 0 else content


@KERNELS.kernel("void(HexPlayout)")
def compute_stem(s):
    """Compute the stem's channels of all cells of the board."""
    step = s.net_width + 1
    for y in range(s.net_height):
        for x in range(s.net_width):
            place = (y + STEM_RADIUS) * GRID + x + STEM_RADIUS
            for number in range(SURROUNDINGS):
                s.input_rows[number] = np.int64(s.net_cells[place + AROUND[number]]) * SURROUNDINGS + number
            compute_stem_cell(s.activations, (y + 1) * step + x + 1, s.stem_weights, s.stem_bias, s.input_rows)


@KERNELS.kernel("void(HexPlayout)")
def clear_padding(s):
    """Set the cells between the rows and below the board to 0, in all arrays of activations."""
    step = s.net_width + 1
    for y in range(s.net_height):
        clear_cell(s.activations, (y + 2) * step)
        clear_cell(s.second_inputs, (y + 2) * step)
    last = (s.net_height + 1) * step
    for cell in range(last, last + step + 2):
        clear_cell(s.first_inputs, cell)
        clear_cell(s.second_inputs, cell)


@KERNELS.kernel("void(HexPlayout)")
def pool_board(s):
    """Global pooling: mean and maximum of each channel over the board."""
    step = s.net_width + 1
    pool_cells(s.pooled, s.activations, step + 1, s.net_height * step)
    cells = s.net_width * s.net_height
    for channel in range(CHANNELS):
        s.pooled[channel] = (2 * np.int64(s.pooled[channel]) + cells) // (2 * cells)


@KERNELS.kernel("i64(i64)")
def rounding_term(shift):
    """Return what is added before a right shift, so that it rounds."""
    return (1 << shift) >> 1


@KERNELS.kernel("void(HexPlayout, i64)")
def set_first_bias(s, block):
    """Fill `channel_bias` for a block's first convolution: with the global-pooling term, which has POOL_BITS digits."""
    pool_board(s)
    for channel in range(CHANNELS):
        s.channel_bias[channel] = 0
    for index in range(2 * CHANNELS):
        value = np.int32(s.pooled[index])
        for channel in range(CHANNELS):
            s.channel_bias[channel] += value * np.int32(s.global_pool_weights[block, index, channel])
    layer = 2 * block
    for channel in range(CHANNELS):
        shift = np.int64(s.block_shifts[layer, channel])
        sum_bits = shift + s.input_bits[layer + 1]  # digits of the sums; the outputs are the inputs of the next layer
        pooled = (np.int64(s.channel_bias[channel]) + rounding_term(POOL_BITS - sum_bits)) >> (POOL_BITS - sum_bits)
        s.channel_bias[channel] = np.int64(s.block_bias[layer, channel]) + pooled + rounding_term(shift)


@KERNELS.kernel("void(HexPlayout, i64)")
def set_second_bias(s, block):
    """Fill `channel_bias` for a block's second convolution."""
    layer = 2 * block + 1
    for channel in range(CHANNELS):
        s.channel_bias[channel] = s.block_bias[layer, channel] + rounding_term(np.int64(s.block_shifts[layer, channel]))


@KERNELS.kernel("void(HexPlayout)")
def compute_value(s):
    """Value head: compute the log-odds of winning from the pooled features."""
    pool_board(s)
    for unit in range(VALUE_HIDDEN):
        s.value_hidden[unit] = s.value_hidden_bias[unit]
    for index in range(2 * CHANNELS):
        value = np.float32(s.pooled[index]) * np.float32(1 / ONE)
        for unit in range(VALUE_HIDDEN):
            s.value_hidden[unit] += value * s.value_hidden_weights[index, unit]
    logit = s.value_bias
    for unit in range(VALUE_HIDDEN):
        logit += max(s.value_hidden[unit], np.float32(0)) * s.value_weights[unit]
    s.value_logit = logit


@KERNELS.export("void(HexPlayout)")
def network_forward(s):
    """Fill `value_logit` and `policy_logits` for the side to move in the working position; `net_rotated` selects the
    view.
    """
    encode_board(s)
    compute_stem(s)
    step = s.net_width + 1
    count = s.net_height * step
    clear_padding(s)
    for cell in range(step + 1):
        clear_cell(s.first_inputs, cell)
        clear_cell(s.second_inputs, cell)
    for block in range(BLOCKS):
        narrow_cells(s.first_inputs, s.activations, step + 1, count, ONE_BITS - s.input_bits[2 * block])
        set_first_bias(s, block)
        weights, bias, shifts = s.block_weights, s.channel_bias, s.block_shifts
        convolve(s.second_inputs, s.first_inputs, weights, 2 * block, bias, shifts, step, count)
        clear_padding(s)
        set_second_bias(s, block)
        convolve(s.activations, s.second_inputs, weights, 2 * block + 1, bias, shifts, step, count)
        clear_padding(s)
    for y in range(s.net_height):
        for x in range(s.net_width):
            logit = dot_channels(s.activations, (y + 1) * step + x + 1, s.policy_weights)
            s.policy_logits[board_cell(s, x, y)] = np.float32(logit) * np.float32(1 / (ONE * WEIGHT_ONE))
    compute_value(s)
