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

Evaluations are cached (`cached_evaluations`), because iterative deepening and transpositions would repeat a third of
them.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.network_record import CACHED_EVALUATIONS, CHANNELS, HIDDEN, STAR_OUTPUTS, STAR_WIDTH, WIDTH
from bots.gomoku.kernels.network_vectors import (
    CENTRE_FACTOR,
    add_cell_to_stars,
    add_cell_to_total,
    add_rows,
    add_shape_changes,
    max_with_rows,
    replace_shape,
)
from bots.gomoku.kernels.patterns import GRADES, PATTERNS
from bots.gomoku.kernels.rules import BORDER, CELLS, EVEN_BITS, KERNELS, PAD, STEPS, STRIDE, line_index, toggle_cell
from bots.gomoku.kernels.shapes import REACH, SHAPE_OF
from bots.gomoku.weights import UNITS_PER_LOGIT
from core.native.intrinsics import copy_row, trailing_zeros
from core.search.scores import MAX_EVALUATION

WEIGHT_SCALE = 64  # the integer that stands for a shape's weight of 1.0
TOTAL_SCALE = np.float32(1 / (16 * WEIGHT_SCALE))  # factor from `net_total` to inputs of the first layer
STAR_SCALE = np.float32(1 / (CENTRE_FACTOR * WEIGHT_SCALE))  # factor from `net_peaks` to inputs
COUNT_SCALE = np.float32(1 / 8)  # factor from counts to inputs
WINDOW_BITS = EVEN_BITS & ((1 << (4 * REACH + 2)) - 1)  # the low bit of each cell of a window, the centre included
WINDOW_MASK = (1 << (2 * REACH)) - 1  # the cells of one side of a window


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
    """Compute the accumulator of the present board from scratch, and empty the cache of evaluations."""
    for slot in range(CACHED_EVALUATIONS):
        s.cached_evaluations[slot] = 0
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


@KERNELS.kernel("i64(Gomoku)")
def cache_slot(s):
    """Return the index in the cache of evaluations for the present position."""
    return np.int64(s.hash & np.uint64(CACHED_EVALUATIONS - 1))


@KERNELS.export("i64(Gomoku)")
def cached_evaluation(s):
    """Return `network_evaluation`, from the cache if it has the position; otherwise add it to the cache."""
    slot = cache_slot(s)
    entry = s.cached_evaluations[slot]
    if s.net_stones >= 0 and (entry ^ s.hash) >> np.uint64(16) == np.uint64(0):
        return np.int64(entry & np.uint64(0xFFFF)) - 32768
    evaluation = network_evaluation(s)
    s.cached_evaluations[slot] = (s.hash & ~np.uint64(0xFFFF)) | np.uint64(evaluation + 32768)
    return evaluation
