"""How each bug moves: kernels that append the moves of one tile to a list of the record.

All take the state, the number of the list, its length so far, the tile and its cell, and return the new length. A
target that carries the present `stamp` is in the list already, so that a move counts once however it comes about.
The one-hive rule and the rest rule are the caller's business (bots/hive/kernels/rules.py).
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels.stacks import COLOUR, KERNELS, KIND, LAST_CELL, SLIDES, STEPS, occupied, toggle_near
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

ONE_STEP = 1 << QUEEN | 1 << PILLBUG  # kinds that slide one step


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_target(s, slot, count, tile, cell):
    """Append a move unless it is there."""
    if s.mark[cell] == s.stamp:
        return count
    s.mark[cell] = s.stamp
    s.lists[slot, count] = ((tile + 1) << MOVE_SHIFT) | cell
    return count + 1


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64, i64)")
def add_directions(s, slot, count, tile, cell, directions):
    """Append the moves to those neighbours of a cell that `directions` has a bit for."""
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & LAST_CELL
        directions &= directions - 1
        count = add_target(s, slot, count, tile, other)
    return count


@KERNELS.kernel("i64(Hive, i64, i64)")
def gate_height(s, cell, direction):
    """Height of the lower of the two stacks that flank a step."""
    left = np.int64(s.height[(cell + STEPS[(direction + 1) % 6]) & LAST_CELL])
    right = np.int64(s.height[(cell + STEPS[(direction + 5) % 6]) & LAST_CELL])
    return min(left, right)


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_climbs(s, slot, count, tile, cell):
    """A beetle's step. Only two stacks on the flanks can bar a step above the ground."""
    level = np.int64(s.tile_level[tile])
    around = occupied(s, cell)
    directions = 63 if level > 0 else SLIDES[around] | around
    if s.stacks > 1:
        for direction in range(6):
            landing = np.int64(s.height[(cell + STEPS[direction]) & LAST_CELL])
            if gate_height(s, cell, direction) > max(level, landing):
                directions &= ~(1 << direction)
    return add_directions(s, slot, count, tile, cell, directions)


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_walk(s, slot, count, tile, cell):
    """An ant's walk; the list is the queue of cells to walk on from."""
    toggle_near(s, cell, COLOUR[tile])
    s.mark[cell] = s.stamp
    done = count
    count = add_directions(s, slot, count, tile, cell, SLIDES[occupied(s, cell)])
    while done < count:
        at = np.int64(s.lists[slot, done]) & LAST_CELL
        done += 1
        count = add_directions(s, slot, count, tile, at, SLIDES[occupied(s, at)])
    toggle_near(s, cell, COLOUR[tile])
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_three_steps(s, slot, count, tile, cell):
    """A spider's three slides, never back to a cell of its path."""
    toggle_near(s, cell, COLOUR[tile])
    firsts = SLIDES[occupied(s, cell)]
    while firsts != 0:
        first = (cell + STEPS[trailing_zeros(firsts)]) & LAST_CELL
        firsts &= firsts - 1
        seconds = SLIDES[occupied(s, first)]
        while seconds != 0:
            second = (first + STEPS[trailing_zeros(seconds)]) & LAST_CELL
            seconds &= seconds - 1
            if second == cell:
                continue
            thirds = SLIDES[occupied(s, second)]
            while thirds != 0:
                third = (second + STEPS[trailing_zeros(thirds)]) & LAST_CELL
                thirds &= thirds - 1
                if third != first and third != cell:
                    count = add_target(s, slot, count, tile, third)
    toggle_near(s, cell, COLOUR[tile])
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_jumps(s, slot, count, tile, cell):
    """A grasshopper's jumps to the first empty cell of each line of tiles."""
    directions = occupied(s, cell)
    while directions != 0:
        step = STEPS[trailing_zeros(directions)]
        directions &= directions - 1
        other = (cell + 2 * step) & LAST_CELL
        while s.height[other] != 0:
            other = (other + step) & LAST_CELL
        count = add_target(s, slot, count, tile, other)
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_descents(s, slot, count, tile, cell):
    """A ladybug's last leg, down from a cell to those round it; `cell` is where it stands."""
    directions = 63 & ~occupied(s, cell)
    start = np.int64(s.tile_cell[tile])
    while directions != 0:
        direction = trailing_zeros(directions)
        directions &= directions - 1
        other = (cell + STEPS[direction]) & LAST_CELL
        if other == start or (s.stacks > 1 and gate_height(s, cell, direction) > np.int64(s.height[cell])):
            continue
        count = add_target(s, slot, count, tile, other)
    return count


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64)")
def add_ladybug(s, slot, count, tile, cell):
    """A ladybug's three legs: up, along the top, down."""
    toggle_near(s, cell, COLOUR[tile])
    s.height[cell] = 0
    crossed = 0
    firsts = occupied(s, cell)
    while firsts != 0:
        direction = trailing_zeros(firsts)
        firsts &= firsts - 1
        first = (cell + STEPS[direction]) & LAST_CELL
        first_height = np.int64(s.height[first])
        if s.stacks > 1 and gate_height(s, cell, direction) > first_height:
            continue
        seconds = occupied(s, first)
        while seconds != 0:
            direction = trailing_zeros(seconds)
            seconds &= seconds - 1
            second = (first + STEPS[direction]) & LAST_CELL
            bit = 1 << np.int64(s.top[second])
            if crossed & bit != 0:
                continue
            if s.stacks > 1 and gate_height(s, first, direction) > max(first_height, np.int64(s.height[second])):
                continue
            crossed |= bit
            count = add_descents(s, slot, count, tile, second)
    s.height[cell] = 1
    toggle_near(s, cell, COLOUR[tile])
    return count


@KERNELS.kernel("i64(Hive, i64)")
def skills_of(s, tile):
    """Kinds whose moves a tile on the ground has, a bit each: its own, or those that a mosquito copies."""
    if KIND[tile] != MOSQUITO:
        return 1 << KIND[tile]
    cell = np.int64(s.tile_cell[tile])
    skills = 0
    directions = occupied(s, cell)
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & LAST_CELL
        directions &= directions - 1
        skills |= 1 << KIND[np.int64(s.top[other])]
    return skills & ~(1 << MOSQUITO)


@KERNELS.kernel("i64(Hive, i64, i64, i64)")
def add_moves(s, slot, count, tile):
    """All moves that an uncovered, unpinned tile has by itself."""
    cell = np.int64(s.tile_cell[tile])
    if s.tile_level[tile] > 0:
        return add_climbs(s, slot, count, tile, cell)
    skills = skills_of(s, tile)
    if skills & (1 << ANT) != 0:  # which goes wherever slides and spiders go
        count = add_walk(s, slot, count, tile, cell)
    else:
        if skills & ONE_STEP != 0:
            count = add_directions(s, slot, count, tile, cell, SLIDES[occupied(s, cell)])
        if skills & (1 << SPIDER) != 0:
            count = add_three_steps(s, slot, count, tile, cell)
    if skills & (1 << GRASSHOPPER) != 0:
        count = add_jumps(s, slot, count, tile, cell)
    if skills & (1 << BEETLE) != 0:
        count = add_climbs(s, slot, count, tile, cell)
    if skills & (1 << LADYBUG) != 0:
        count = add_ladybug(s, slot, count, tile, cell)
    return count
