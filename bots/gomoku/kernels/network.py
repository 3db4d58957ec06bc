"""The network: what the shapes around the empty cells add up to, kept up to date from move to move, and judged.

After the "mix" networks of Rapfi (arXiv 2503.13178, section 3): a shape in each of the four directions gives its cell
some channels, from a table; their sum, cut to 0..TOP, is added over the board. Two small dense layers make the log-odds
of winning from that, from the counts that `rules.apply` keeps, and from whose turn it is: the channels of the side to
move come first.

The sums follow when a position is judged, not at every move, and then only to the board without its last stone: most
positions of a search are not judged, and most that are judged are left at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bots.gomoku.kernels.network_record import CHANNELS, HIDDEN, WIDTH
from bots.gomoku.kernels.patterns import CODES, GRADES
from bots.gomoku.kernels.rules import BORDER, CELLS, EVEN_BITS, KERNELS, STEPS, line_of, write_cell
from bots.gomoku.kernels.shapes import REACH, SHAPE_OF
from bots.gomoku.weights import UNITS
from core.native.intrinsics import trailing_zeros
from core.search.scores import MAX_EVALUATION

TOP = 127  # of a cell's channel: over 22 x 22 cells the total stays below 2^16
WEIGHT_SCALE = 64  # of the shapes' weights
TOTAL_SCALE = np.float32(1 / (16 * WEIGHT_SCALE))  # of the total as the first layer sees it
COUNT_SCALE = np.float32(1 / 8)
NEAR = EVEN_BITS & ((1 << (4 * REACH + 2)) - 1)  # a bit for each cell of a window
WINDOW_MASK = (1 << (2 * REACH)) - 1


def _vector(builder: Any, context: Any, kind: Any, value: Any, row: Any) -> Any:
    """Pointer to a row of a nested array, as one vector: as many numbers as the array's last dimension."""
    array = context.make_array(kind)(context, builder, value)
    number, width = context.get_value_type(kind.dtype), kind.shape[-1]
    place = builder.gep(builder.bitcast(array.data, number.as_pointer()), [builder.mul(row, row.type(width))])
    return builder.bitcast(place, ir.VectorType(number, width).as_pointer())


def _cut(builder: Any, sums: Any) -> Any:
    """The channels cut to 0..TOP."""
    zero, top = (ir.Constant(sums.type, [value] * WIDTH) for value in (0, TOP))
    low = builder.select(builder.icmp_signed(">", sums, zero), sums, zero)
    return builder.select(builder.icmp_signed("<", low, top), low, top)


def _exchange(builder: Any, before: Any, gone: Any, come: Any) -> tuple[Any, Any]:
    """A cell's sums with one shape in the place of another, and what that changes in the total."""
    after = builder.add(before, builder.sub(builder.sext(come, before.type), builder.sext(gone, before.type)))
    return after, builder.sub(_cut(builder, after), _cut(builder, before))


@intrinsic
def exchange_shape(_context: Any, sums: Any, cell: Any, total: Any, weights: Any, old: Any, new: Any) -> Any:
    """Put one shape in the place of another in a cell's sums, and in the total; numbers of 16 bits in vectors, which
    numba's loops over them would widen to 64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vector(argument: int, row: Any) -> Any:
            return _vector(builder, context, signature.args[argument], arguments[argument], row)

        zero = ir.Constant(ir.IntType(64), 0)
        sums_at, total_at = vector(0, arguments[1]), vector(2, zero)
        gone, come = (builder.load(vector(3, arguments[index]), align=1) for index in (4, 5))
        after, change = _exchange(builder, builder.load(sums_at, align=2), gone, come)
        builder.store(after, sums_at, align=2)
        builder.store(builder.add(builder.load(total_at, align=2), change), total_at, align=2)
        return context.get_dummy_value()

    return types.void(sums, types.int64, total, weights, types.int64, types.int64), generate


@intrinsic
def count_sums(_context: Any, sums: Any, cell: Any, total: Any, add: Any) -> Any:
    """Add a cell's sums to the total, or with 0 take them out of it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero = ir.Constant(ir.IntType(64), 0)
        sums_at = _vector(builder, context, signature.args[0], arguments[0], arguments[1])
        total_at = _vector(builder, context, signature.args[2], arguments[2], zero)
        total, part = builder.load(total_at, align=2), _cut(builder, builder.load(sums_at, align=2))
        is_added = builder.icmp_signed("!=", arguments[3], zero)
        builder.store(builder.select(is_added, builder.add(total, part), builder.sub(total, part)), total_at, align=2)
        return context.get_dummy_value()

    return types.void(sums, types.int64, total, types.int64), generate


@intrinsic
def add_changes(_context: Any, out: Any, total: Any, sums: Any, weights: Any, changes: Any, count: Any) -> Any:
    """Fill `out` with the total as it would be with other shapes for some cells, one change for each: (cell, shape that
    its sums have, shape to come). It stays in registers meanwhile."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vector(argument: int, row: Any) -> Any:
            return _vector(builder, context, signature.args[argument], arguments[argument], row)

        word = ir.IntType(64)
        zero = ir.Constant(word, 0)
        listed = context.make_array(signature.args[4])(context, builder, arguments[4]).data
        kept = cgutils.alloca_once(builder, ir.VectorType(ir.IntType(16), WIDTH))
        builder.store(builder.load(vector(1, zero), align=2), kept)
        with cgutils.for_range(builder, arguments[5]) as loop:
            begin = builder.mul(loop.index, ir.Constant(word, 3))
            cell, old, new = (
                builder.zext(builder.load(builder.gep(listed, [builder.add(begin, ir.Constant(word, part))])), word)
                for part in range(3)
            )
            gone, come = (builder.load(vector(3, shape), align=1) for shape in (old, new))
            _, change = _exchange(builder, builder.load(vector(2, cell), align=2), gone, come)
            builder.store(builder.add(builder.load(kept), change), kept)
        builder.store(builder.load(kept), vector(0, zero), align=2)
        return context.get_dummy_value()

    return types.void(out, total, sums, weights, changes, types.int64), generate


@intrinsic
def add_rows(_context: Any, out: Any, bias: Any, weights: Any, rows: Any, values: Any, count: Any) -> Any:
    """Fill a dense layer: its bias and some rows of its weights, each times a value. The layer stays in registers,
    where numba's loops would write it to memory after every row; a product is rounded before it is added, everywhere.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def pointer(argument: int) -> Any:
            return context.make_array(signature.args[argument])(context, builder, arguments[argument]).data

        def vector(argument: int, row: Any) -> Any:
            return _vector(builder, context, signature.args[argument], arguments[argument], row)

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
    """Number of the shape around a place of a line word."""
    word = line >> (2 * (place - REACH))
    return np.int64(SHAPE_OF[(word & WINDOW_MASK) | (((word >> (2 * REACH + 2)) & WINDOW_MASK) << (2 * REACH))])


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def shape_of_cell(s, direction, cell):
    place = cell >> 5 if direction == 1 else cell & 31
    return shape_at(s.lines[direction, line_of(direction, cell)], place)


@KERNELS.kernel("void(Gomoku, i64, i64, i64)")
def set_shape(s, direction, cell, shape):
    """Store the shape around a cell whose sums are in the total."""
    old = np.int64(s.net_shapes[direction, cell])
    if shape != old:
        s.net_shapes[direction, cell] = shape
        exchange_shape(s.net_sums, cell, s.net_total, s.shape_weights, old, shape)


@KERNELS.kernel("void(Gomoku, i64)")
def count_empty(s, cell):
    """Count a cell that has become empty. Its sums are those of the shapes that it had when it was filled."""
    count_sums(s.net_sums, cell, s.net_total, 1)
    for direction in range(4):
        set_shape(s, direction, cell, shape_of_cell(s, direction, cell))


@KERNELS.kernel("void(Gomoku, i64)")
def refresh_shapes(s, cell):
    """Look up again the shapes around the empty cells that see `cell`."""
    for direction in range(4):
        line = s.lines[direction, line_of(direction, cell)]
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
def follow_cell(s, cell):
    """Bring the sums up to date with the content of a cell that may have changed."""
    content, known = s.cells[cell], s.net_cells[cell]
    if content == known:
        return
    if known == 0:
        count_sums(s.net_sums, cell, s.net_total, 0)
    s.net_cells[cell] = content
    if content == 0:
        count_empty(s, cell)
    refresh_shapes(s, cell)


@KERNELS.kernel("void(Gomoku)")
def start_sums(s):
    """The sums of the board as it stands, from nothing."""
    for channel in range(WIDTH):
        s.net_total[channel] = 0
    for cell in range(CELLS):
        s.net_cells[cell] = s.cells[cell]
        for channel in range(WIDTH):
            s.net_sums[cell, channel] = 0
        for direction in range(4):
            s.net_shapes[direction, cell] = 0
        if s.cells[cell] == 0:
            count_empty(s, cell)


@KERNELS.export("void(Gomoku)")
def follow(s):
    """Bring the sums to the board as it stands, through the cells in which it differs from theirs."""
    if s.net_stones < 0:
        start_sums(s)
        s.net_common = 0
    else:
        for index in range(s.net_common, s.net_stones):
            follow_cell(s, np.int64(s.net_path[index]))
    for index in range(s.net_common, s.stones):
        cell = np.int64(s.path[index])
        follow_cell(s, cell)
        s.net_path[index] = cell
    s.net_stones = s.stones
    s.net_common = s.stones


@KERNELS.kernel("i64(Gomoku, i64)")
def list_changes(s, cell):
    """List the empty cells that see `cell`, with the shapes that their sums have and those with the stone on it; return
    their number.

    Without a branch on what is found, as in `rules.change_codes`.
    """
    found = 0
    for direction in range(4):
        line = s.lines[direction, line_of(direction, cell)]
        place = (cell >> 5 if direction == 1 else cell & 31) - REACH
        corner = cell - REACH * STEPS[direction]
        word = line >> (2 * place)
        empties = ~(word | word >> 1) & NEAR
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
def lift(s, cell, content):
    """Take the last stone off the cells alone, for `follow` not to see it, or with a content put it back."""
    write_cell(s, cell, np.int64(s.cells[cell]) ^ content)
    s.cells[cell] = content
    s.stones += 1 if content != 0 else -1
    s.net_common = min(s.net_common, s.stones)


@KERNELS.kernel("void(Gomoku)")
def look_ahead(s):
    """The total of the board as it stands, from sums that lack its last stone: most positions are judged and left."""
    if s.stones == 0:
        follow(s)
        add_changes(s.net_ahead, s.net_total, s.net_sums, s.shape_weights, s.net_changes, 0)
        return
    last = np.int64(s.path[s.stones - 1])
    if s.net_stones != s.stones - 1 or s.net_common != s.net_stones:
        content = np.int64(s.cells[last])
        lift(s, last, 0)
        follow(s)
        lift(s, last, content)
    add_changes(s.net_ahead, s.net_total, s.net_sums, s.shape_weights, s.net_changes, list_changes(s, last))
    count_sums(s.net_sums, last, s.net_ahead, 0)


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def list_count(s, found, number, count):
    """List one count as an input where it is not 0, and return how many inputs are listed then."""
    if count == 0:
        return found
    s.net_inputs[found] = number
    s.net_values[found] = np.float32(count) * COUNT_SCALE
    return found + 1


@KERNELS.kernel("i64(Gomoku)")
def list_inputs(s):
    """List the inputs that are not 0, and return their number."""
    us, them = s.side, 1 - s.side
    turn = us * CHANNELS
    for channel in range(WIDTH):
        s.net_inputs[channel] = channel
        s.net_values[channel] = np.float32(s.net_ahead[channel ^ turn]) * TOTAL_SCALE
    found = WIDTH
    for code in range(1, CODES):  # not the cells that make nothing, which a board has many of
        found = list_count(s, found, WIDTH + 2 * code, s.code_count[us, code])
        found = list_count(s, found, WIDTH + 2 * code + 1, s.code_count[them, code])
    for grade in range(1, GRADES):
        found = list_count(s, found, WIDTH + 2 * (CODES + grade), s.grade_count[us, grade])
        found = list_count(s, found, WIDTH + 2 * (CODES + grade) + 1, s.grade_count[them, grade])
    return found


@KERNELS.export("i64(Gomoku)")
def judge(s):
    """The network's estimate for the side to move, in the evaluation's units."""
    look_ahead(s)
    found = list_inputs(s)
    add_rows(s.net_hidden, s.input_bias, s.input_weights, s.net_inputs, s.net_values, found)
    found = 0
    for unit in range(HIDDEN):
        if s.net_hidden[unit] > 0:
            s.net_inputs[found] = unit
            s.net_values[found] = s.net_hidden[unit]
            found += 1
    add_rows(s.net_hidden, s.hidden_bias, s.hidden_weights, s.net_inputs, s.net_values, found)
    odds = s.output_bias
    for unit in range(0, HIDDEN, 2):  # two chains of additions, side by side
        first = max(s.net_hidden[unit], np.float32(0)) * s.output_weights[unit]
        odds += first + max(s.net_hidden[unit + 1], np.float32(0)) * s.output_weights[unit + 1]
    estimate = np.int64(odds * np.float32(UNITS))
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, estimate))
