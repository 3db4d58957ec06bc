"""The evaluation network and its incrementally updated accumulator.

The architecture follows the "mix" networks of Rapfi (arXiv 2503.13178, section 3), but the star layer is not theirs:

    every empty cell    4 shapes (kernels/shapes.py), one per direction, each with a row of int8 weights
      -> net_sums       sum of their weights for channels: 16 channels for black, 16 for white
      -> net_total      sum over the cells of the channels clipped to 0..CHANNEL_MAX
      -> net_stars      the star layer: 16 outputs of every cell, filled ones too, 8 for black and 8 for white. It is a
                        depthwise convolution of the shapes' other weights with a kernel of 17 cells, a star: the bias,
                        CENTRE_FACTOR times the cell's weights for the centre, NEAR_FACTOR times the weights for cells
                        around of its 8 neighbours, and FAR_FACTOR times those of the 8 cells two steps away
      -> net_peaks      global max pooling: maximum of each output over the cells, at least 0
      -> inputs         WIDTH channels and STAR_WIDTH peaks, the side to move's first, and counts of `rules.apply`
      -> HIDDEN -> HIDDEN -> 1    dense layers with ReLU; the output is the log-odds (logit) of winning

The accumulator consists of `net_sums`, `net_total` and `net_stars`. It is updated when a position is evaluated, not at
every move, because most positions of a search are not evaluated. It is updated to the board without the last stone
only, because most evaluated positions have no evaluated children. The last stone is added to copies (`net_current`,
`net_current_stars`).

Functions marked `@intrinsic` run when numba compiles a call. Their parameters are the numba types of the call's
arguments; the inner function `generate` emits LLVM instructions, and `arguments` are the values. Their docstrings
describe the call.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bots.gomoku.kernels.network_record import CHANNELS, HIDDEN, SHAPE_WEIGHTS, STAR_OUTPUTS, STAR_WIDTH, WIDTH
from bots.gomoku.kernels.patterns import GRADES, PATTERNS
from bots.gomoku.kernels.rules import BORDER, CELLS, EVEN_BITS, KERNELS, PAD, STEPS, STRIDE, line_index, toggle_cell
from bots.gomoku.kernels.shapes import REACH, SHAPE_OF
from bots.gomoku.weights import UNITS_PER_LOGIT
from core.native.intrinsics import copy_row, row_vector, trailing_zeros
from core.search.scores import MAX_EVALUATION

CHANNEL_MAX = 127  # greatest value of a cell's channel; the total over 22 x 22 cells fits 16 bits
WEIGHT_SCALE = 64  # the integer that stands for a shape's weight of 1.0
TOTAL_SCALE = np.float32(1 / (16 * WEIGHT_SCALE))  # factor from `net_total` to inputs of the first layer
# Factors of a shape's weights for the star layer: for the cell itself, its 8 neighbours, and the cells two steps away.
# The weights (at most 127) of four shapes per cell add at most 4 * 127 * (4 + 8 * 4 + 8 * 3) = 30,480 to an output, and
# the bias at most 2,048 (STAR_BIAS_LIMIT in training/model.py), so that outputs fit 16 bits.
CENTRE_FACTOR, NEAR_FACTOR, FAR_FACTOR = 4, 4, 3
STAR_SCALE = np.float32(1 / (CENTRE_FACTOR * WEIGHT_SCALE))  # factor from `net_peaks` to inputs
COUNT_SCALE = np.float32(1 / 8)  # factor from counts to inputs
WINDOW_BITS = EVEN_BITS & ((1 << (4 * REACH + 2)) - 1)  # the low bit of each cell of a window, the centre included
WINDOW_MASK = (1 << (2 * REACH)) - 1  # the cells of one side of a window


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
    """Replace the shape `old` by `new` in a cell's sums, the total and the star layer.

    Written as LLVM vectors of 16-bit integers, because numba's loops would widen them to 64 bits.
    """

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


@KERNELS.kernel("i64(i64, i64)")
def shape_at(line, place):
    """Return the shape around the cell number `place` (from 0) of a line word."""
    word = line >> (2 * (place - REACH))
    return np.int64(SHAPE_OF[(word & WINDOW_MASK) | (((word >> (2 * REACH + 2)) & WINDOW_MASK) << (2 * REACH))])


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def shape_of_cell(s, direction, cell):
    """Return the shape around a cell in a direction."""
    place = cell >> 5 if direction == 1 else cell & 31
    return shape_at(s.lines[direction, line_index(direction, cell)], place)


@KERNELS.kernel("void(Gomoku, i64, i64, i64)")
def set_shape(s, direction, cell, shape):
    """Store the shape around a cell in a direction; update the cell's sums, the total and the star layer.

    The cell must be part of the total and of the star layer.
    """
    old = np.int64(s.net_shapes[direction, cell])
    if shape != old:
        s.net_shapes[direction, cell] = shape
        replace_shape(s.net_sums, cell, s.net_total, s.net_stars, s.shape_weights, old, shape)


@KERNELS.kernel("void(Gomoku, i64)")
def add_empty_cell(s, cell):
    """Add a cell that has become empty to the total and the star layer.

    Its sums and shapes are still those from when it was filled; they are updated after that.
    """
    add_cell_to_total(s.net_sums, cell, s.net_total, 1)
    add_cell_to_stars(s.net_stars, cell, s.net_shapes, s.shape_weights, 1)
    for direction in range(4):
        set_shape(s, direction, cell, shape_of_cell(s, direction, cell))


@KERNELS.kernel("void(Gomoku, i64)")
def refresh_shapes(s, cell):
    """Update the shapes of the empty cells whose windows contain `cell`."""
    for direction in range(4):
        line = s.lines[direction, line_index(direction, cell)]
        place = cell >> 5 if direction == 1 else cell & 31
        step = STEPS[direction]
        for way in range(-1, 2, 2):
            other, other_place = cell, place
            for _ in range(REACH):
                other += way * step
                other_place += way
                content = s.cells[other]
                if content == BORDER:
                    break
                if content == 0 and s.net_cells[other] == 0:
                    set_shape(s, direction, other, shape_at(line, other_place))


@KERNELS.kernel("void(Gomoku, i64)")
def update_cell(s, cell):
    """Update the accumulator if a cell's content differs from `net_cells`."""
    content, known = s.cells[cell], s.net_cells[cell]
    if content == known:
        return
    if known == 0:
        add_cell_to_total(s.net_sums, cell, s.net_total, 0)
        add_cell_to_stars(s.net_stars, cell, s.net_shapes, s.shape_weights, 0)
    s.net_cells[cell] = content
    if content == 0:
        add_empty_cell(s, cell)
    refresh_shapes(s, cell)


@KERNELS.kernel("void(Gomoku)")
def compute_accumulator(s):
    """Compute the accumulator of the present board from scratch."""
    for channel in range(WIDTH):
        s.net_total[channel] = 0
    for cell in range(CELLS):  # before any cell is added, because it also adds to outputs of later cells
        for output in range(STAR_WIDTH):
            s.net_stars[cell, output] = s.star_bias[output]
    for cell in range(CELLS):
        s.net_cells[cell] = s.cells[cell]
        for channel in range(WIDTH):
            s.net_sums[cell, channel] = 0
        for direction in range(4):
            s.net_shapes[direction, cell] = 0
        if s.cells[cell] == 0:
            add_empty_cell(s, cell)


@KERNELS.export("void(Gomoku)")
def update_accumulator(s):
    """Update the accumulator to the present board, through the moves in which `net_path` and `path` differ."""
    if s.net_stones < 0:
        compute_accumulator(s)
        s.net_shared = 0
    else:
        for index in range(s.net_shared, s.net_stones):
            update_cell(s, np.int64(s.net_path[index]))
    for index in range(s.net_shared, s.stones):
        cell = np.int64(s.path[index])
        update_cell(s, cell)
        s.net_path[index] = cell
    s.net_stones = s.stones
    s.net_shared = s.stones


@KERNELS.kernel("i64(Gomoku, i64)")
def list_shape_changes(s, cell):
    """List in `net_changes` the empty cells whose windows contain `cell`; return their number.

    An entry is (cell, shape in the accumulator, shape on the present board). Unchanged shapes are listed too, which
    saves a branch, as in `rules.update_patterns`.
    """
    found = 0
    for direction in range(4):
        line = s.lines[direction, line_index(direction, cell)]
        place = (cell >> 5 if direction == 1 else cell & 31) - REACH
        corner = cell - REACH * STEPS[direction]
        word = line >> (2 * place)
        empties = ~(word | word >> 1) & WINDOW_BITS
        while empties != 0:
            offset = trailing_zeros(empties) >> 1
            empties &= empties - 1
            other = corner + offset * STEPS[direction]
            s.net_changes[found, 0] = other
            s.net_changes[found, 1] = s.net_shapes[direction, other]
            s.net_changes[found, 2] = shape_at(line, place + offset)
            found += 1
    return found


@KERNELS.kernel("void(Gomoku, i64, i64)")
def toggle_last_stone(s, cell, content):
    """Hide the last stone from the board's cells (`content` 0), or put it back (`content` its colour).

    `update_accumulator` then sees the board without it. Patterns and grades are left alone.
    """
    toggle_cell(s, cell, np.int64(s.cells[cell]) ^ content)
    s.cells[cell] = content
    s.stones += 1 if content != 0 else -1
    s.net_shared = min(s.net_shared, s.stones)


@KERNELS.kernel("void(Gomoku)")
def copy_stars(s):
    """Copy the star layer of the board from `net_stars` to `net_current_stars`."""
    for row in range(PAD, PAD + s.height):
        for cell in range(row * STRIDE + PAD, row * STRIDE + PAD + s.width):
            copy_row(s.net_current_stars, cell, s.net_stars, cell)


@KERNELS.kernel("void(Gomoku)")
def compute_peaks(s):
    """Compute `net_peaks` from `net_current_stars`."""
    for output in range(STAR_WIDTH):
        s.net_peaks[output] = 0
    for row in range(PAD, PAD + s.height):
        max_with_rows(s.net_peaks, s.net_current_stars, row * STRIDE + PAD, s.width)


@KERNELS.kernel("void(Gomoku)")
def compute_current(s):
    """Compute `net_current`, `net_current_stars` and `net_peaks` from the accumulator without the last stone.

    The siblings of a position differ from it in the last stone only, so they share that accumulator.
    """
    changed, last = np.int64(0), np.int64(0)
    if s.stones == 0:
        update_accumulator(s)
    else:
        last = np.int64(s.path[s.stones - 1])
        if s.net_stones != s.stones - 1 or s.net_shared != s.net_stones:
            content = np.int64(s.cells[last])
            toggle_last_stone(s, last, 0)
            update_accumulator(s)
            toggle_last_stone(s, last, content)
        changed = list_shape_changes(s, last)
    copy_stars(s)
    add_shape_changes(
        s.net_current, s.net_total, s.net_sums, s.net_current_stars, s.shape_weights, s.net_changes, changed
    )
    if s.stones != 0:
        add_cell_to_total(s.net_sums, last, s.net_current, 0)
        add_cell_to_stars(s.net_current_stars, last, s.net_shapes, s.shape_weights, 0)
    compute_peaks(s)


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def append_count(s, length, index, count):
    """Append input number `index` to the list of `length` inputs if its count is not 0; return the new length."""
    if count == 0:
        return length
    s.net_inputs[length] = index
    s.net_values[length] = np.float32(count) * COUNT_SCALE
    return length + 1


@KERNELS.kernel("i64(Gomoku)")
def list_inputs(s):
    """List the inputs that are not 0 in `net_inputs` and `net_values`; return their number."""
    us, them = s.side, 1 - s.side
    channel_flip = us * CHANNELS
    for channel in range(WIDTH):
        s.net_inputs[channel] = channel
        s.net_values[channel] = np.float32(s.net_current[channel ^ channel_flip]) * TOTAL_SCALE
    peak_flip = us * STAR_OUTPUTS
    found = WIDTH
    for output in range(STAR_WIDTH):
        peak = np.int64(s.net_peaks[output ^ peak_flip])
        if peak != 0:
            s.net_inputs[found] = WIDTH + output
            s.net_values[found] = np.float32(peak) * STAR_SCALE
            found += 1
    counts = WIDTH + STAR_WIDTH
    for pattern in range(1, PATTERNS):  # not NO_PATTERN: most cells have it
        found = append_count(s, found, counts + 2 * pattern, s.pattern_count[us, pattern])
        found = append_count(s, found, counts + 2 * pattern + 1, s.pattern_count[them, pattern])
    for grade in range(1, GRADES):
        found = append_count(s, found, counts + 2 * (PATTERNS + grade), s.grade_count[us, grade])
        found = append_count(s, found, counts + 2 * (PATTERNS + grade) + 1, s.grade_count[them, grade])
    return found


@KERNELS.export("i64(Gomoku)")
def network_evaluation(s):
    """Return the network's evaluation for the side to move, in UNITS_PER_LOGIT units per logit."""
    compute_current(s)
    found = list_inputs(s)
    add_rows(s.net_hidden, s.input_bias, s.input_weights, s.net_inputs, s.net_values, found)
    found = 0
    for unit in range(HIDDEN):
        if s.net_hidden[unit] > 0:
            s.net_inputs[found] = unit
            s.net_values[found] = s.net_hidden[unit]
            found += 1
    add_rows(s.net_hidden, s.hidden_bias, s.hidden_weights, s.net_inputs, s.net_values, found)
    logit = s.output_bias
    for unit in range(0, HIDDEN, 2):  # two independent chains of additions run in parallel
        first = max(s.net_hidden[unit], np.float32(0)) * s.output_weights[unit]
        logit += first + max(s.net_hidden[unit + 1], np.float32(0)) * s.output_weights[unit + 1]
    evaluation = np.int64(logit * np.float32(UNITS_PER_LOGIT))
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, evaluation))
