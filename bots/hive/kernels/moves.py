"""Move generation for each kind of bug: kernels that append the moves of one tile to a move list of the state.

The kernels `add_*(s, list_index, count, tile, cell)` append to `move_lists[list_index]`, which holds `count` moves, and
return the new count. `cell` is where the tile stands. A target whose `cell_stamp` equals `current_stamp` is in the list
already, so a target that can be reached in several ways is listed once; the caller starts a new stamp for each tile.

The kernels assume that the tile may be moved at all: the one-hive rule, and the rule that the tile moved by the
previous ply must not move, are checked by the caller (bots/hive/kernels/rules.py). To walk round the hive as if the
tile were not there, a kernel takes it out of `neighbours` first and puts it back at the end.

The gate of a step is the pair of cells that touch both its start and its target. A tile cannot step between two stacks
of the gate that are both higher than its start (without itself) and its target: the freedom-to-move rule.
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels.board import CELL_MASK, COLOUR, KERNELS, KIND, SLIDES, STEPS, neighbour_mask, toggle_neighbour
from bots.hive.tiles import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    LADYBUG,
    MOSQUITO,
    MOVE_SHIFT,
    PILLBUG,
    QUEEN,
    SPIDER,
)
from core.native.intrinsics import trailing_zeros

ONE_STEP_KINDS = 1 << QUEEN | 1 << PILLBUG  # bit set of the kinds that slide exactly one step


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_target(s, list_index, count, tile, cell):
    """Append the move of a tile to a target cell, unless it is listed already."""
    if s.cell_stamp[cell] == s.current_stamp:
        return count
    s.cell_stamp[cell] = s.current_stamp
    s.move_lists[list_index, count] = ((tile + 1) << MOVE_SHIFT) | cell
    return count + 1


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64, i64)")
def add_neighbours(s, list_index, count, tile, cell, directions):
    """Append the moves of a tile to the neighbours of `cell` in a bit set of directions."""
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & CELL_MASK
        directions &= directions - 1
        count = add_target(s, list_index, count, tile, other)
    return count


@KERNELS.kernel("i64(Hive, i64, i64)")
def gate_height(s, cell, direction):
    """Return the height of the lower stack of the gate that a step passes."""
    left = np.int64(s.height[(cell + STEPS[(direction + 1) % 6]) & CELL_MASK])
    right = np.int64(s.height[(cell + STEPS[(direction + 5) % 6]) & CELL_MASK])
    return min(left, right)


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_beetle_moves(s, list_index, count, tile, cell):
    """Append the steps of a beetle: slide, climb up, cross or climb down one cell."""
    level = np.int64(s.tile_level[tile])
    around = neighbour_mask(s, cell)
    directions = 63 if level > 0 else SLIDES[around] | around
    # A gate above ground level needs two stacks of two or more tiles.
    if s.stack_count > 1:
        for direction in range(6):
            landing = np.int64(s.height[(cell + STEPS[direction]) & CELL_MASK])
            if gate_height(s, cell, direction) > max(level, landing):
                directions &= ~(1 << direction)
    return add_neighbours(s, list_index, count, tile, cell, directions)


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_ant_moves(s, list_index, count, tile, cell):
    """Append the moves of an ant: any number of slides.

    A breadth-first search; the new part of the move list serves as its queue.
    """
    toggle_neighbour(s, cell, COLOUR[tile])
    s.cell_stamp[cell] = s.current_stamp
    head = count
    count = add_neighbours(s, list_index, count, tile, cell, SLIDES[neighbour_mask(s, cell)])
    while head < count:
        reached = np.int64(s.move_lists[list_index, head]) & CELL_MASK
        head += 1
        count = add_neighbours(s, list_index, count, tile, reached, SLIDES[neighbour_mask(s, reached)])
    toggle_neighbour(s, cell, COLOUR[tile])
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_spider_moves(s, list_index, count, tile, cell):
    """Append the moves of a spider: exactly three slides that visit no cell twice."""
    toggle_neighbour(s, cell, COLOUR[tile])
    firsts = SLIDES[neighbour_mask(s, cell)]
    while firsts != 0:
        first = (cell + STEPS[trailing_zeros(firsts)]) & CELL_MASK
        firsts &= firsts - 1
        seconds = SLIDES[neighbour_mask(s, first)]
        while seconds != 0:
            second = (first + STEPS[trailing_zeros(seconds)]) & CELL_MASK
            seconds &= seconds - 1
            if second == cell:
                continue
            thirds = SLIDES[neighbour_mask(s, second)]
            while thirds != 0:
                third = (second + STEPS[trailing_zeros(thirds)]) & CELL_MASK
                thirds &= thirds - 1
                if third != first and third != cell:
                    count = add_target(s, list_index, count, tile, third)
    toggle_neighbour(s, cell, COLOUR[tile])
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_grasshopper_moves(s, list_index, count, tile, cell):
    """Append the jumps of a grasshopper: over an unbroken row of tiles to the first empty cell behind it."""
    directions = neighbour_mask(s, cell)
    while directions != 0:
        step = STEPS[trailing_zeros(directions)]
        directions &= directions - 1
        other = (cell + 2 * step) & CELL_MASK
        while s.height[other] != 0:
            other = (other + step) & CELL_MASK
        count = add_target(s, list_index, count, tile, other)
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_ladybug_descents(s, list_index, count, tile, cell):
    """Append the last step of a ladybug, from the top of `cell` down to an empty neighbour other than its start."""
    directions = 63 & ~neighbour_mask(s, cell)
    start = np.int64(s.tile_cell[tile])
    while directions != 0:
        direction = trailing_zeros(directions)
        directions &= directions - 1
        other = (cell + STEPS[direction]) & CELL_MASK
        if other == start or (s.stack_count > 1 and gate_height(s, cell, direction) > np.int64(s.height[cell])):
            continue
        count = add_target(s, list_index, count, tile, other)
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_ladybug_moves(s, list_index, count, tile, cell):
    """Append the moves of a ladybug: one step up, one step across the top of the hive, one step down."""
    toggle_neighbour(s, cell, COLOUR[tile])
    s.height[cell] = 0
    crossed = 0  # bit set of the top tiles of the second cells done, because several first cells lead to each
    firsts = neighbour_mask(s, cell)
    while firsts != 0:
        direction = trailing_zeros(firsts)
        firsts &= firsts - 1
        first = (cell + STEPS[direction]) & CELL_MASK
        first_height = np.int64(s.height[first])
        if s.stack_count > 1 and gate_height(s, cell, direction) > first_height:
            continue
        seconds = neighbour_mask(s, first)
        while seconds != 0:
            direction = trailing_zeros(seconds)
            seconds &= seconds - 1
            second = (first + STEPS[direction]) & CELL_MASK
            bit = 1 << np.int64(s.top[second])
            if crossed & bit != 0:
                continue
            if s.stack_count > 1 and gate_height(s, first, direction) > max(first_height, np.int64(s.height[second])):
                continue
            crossed |= bit
            count = add_ladybug_descents(s, list_index, count, tile, second)
    s.height[cell] = 1
    toggle_neighbour(s, cell, COLOUR[tile])
    return count


@KERNELS.kernel("i64(Hive, i64)")
def movement_kinds(s, tile):
    """Return a bit set of the kinds that a tile on the ground moves like: its own, or what a mosquito touches."""
    if KIND[tile] != MOSQUITO:
        return 1 << KIND[tile]
    cell = np.int64(s.tile_cell[tile])
    kinds = 0
    directions = neighbour_mask(s, cell)
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & CELL_MASK
        directions &= directions - 1
        kinds |= 1 << KIND[np.int64(s.top[other])]
    return kinds & ~(1 << MOSQUITO)


@KERNELS.kernel("i64(Hive, i64, i64, i64)")
def add_tile_moves(s, list_index, count, tile):
    """Append all moves that an uncovered tile that is not pinned can make by itself, that is without throws."""
    cell = np.int64(s.tile_cell[tile])
    if s.tile_level[tile] > 0:
        return add_beetle_moves(s, list_index, count, tile, cell)
    kinds = movement_kinds(s, tile)
    if kinds & (1 << ANT) != 0:  # an ant reaches every cell that one slide or a spider reaches
        count = add_ant_moves(s, list_index, count, tile, cell)
    else:
        if kinds & ONE_STEP_KINDS != 0:
            count = add_neighbours(s, list_index, count, tile, cell, SLIDES[neighbour_mask(s, cell)])
        if kinds & (1 << SPIDER) != 0:
            count = add_spider_moves(s, list_index, count, tile, cell)
    if kinds & (1 << GRASSHOPPER) != 0:
        count = add_grasshopper_moves(s, list_index, count, tile, cell)
    if kinds & (1 << BEETLE) != 0:
        count = add_beetle_moves(s, list_index, count, tile, cell)
    if kinds & (1 << LADYBUG) != 0:
        count = add_ladybug_moves(s, list_index, count, tile, cell)
    return count
