"""The estimate of a Hive position: how crowded both queens are, which tiles can move, what is still in hand.

Nothing is generated: whether a tile can move is read off its neighbours and pins. That calls a few shut-in tiles free.
"""

from __future__ import annotations

import numpy as np

from bots.hive import weights
from bots.hive.kernels.stacks import (
    COLOUR,
    GROUPS,
    KERNELS,
    KIND,
    LAST_CELL,
    SLIDES,
    STEPS,
    find_cuts,
    is_pinned,
    occupied,
)
from bots.hive.tiles import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    KIND_FIRST,
    LADYBUG,
    MOSQUITO,
    PILLBUG,
    QUEEN,
    SIDE_TILES,
    SPIDER,
    STRIDE,
)
from core.native.intrinsics import trailing_zeros
from core.search.scores import MAX_EVALUATION

FREE, HELD, HAND = np.array(weights.FREE), np.array(weights.HELD), np.array(weights.HAND)
CROWDED, QUEEN_FREE = np.array(weights.CROWDED), np.array(weights.QUEEN_FREE)
NEAR_QUEEN = np.array(weights.NEAR_QUEEN)
QUEEN_COVERED, ESCAPE, ON_ENEMY = weights.QUEEN_COVERED, weights.ESCAPE, weights.ON_ENEMY
FREEDOM, TEMPO = weights.FREEDOM, weights.TEMPO
FREEDOM_TILES = 5
ATTACK = np.array(weights.ATTACK)
OUTER = np.array([1 << (d + 1) % 6 | 1 << d | 1 << (d + 5) % 6 for d in range(6)])

COUNT = np.array([word.bit_count() for word in range(64)])
SLIDERS = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # kinds that cannot move where no slide is open
CLIMBERS = 1 << BEETLE | 1 << MOSQUITO


@KERNELS.kernel("i64(i64, i64)")
def distance(cell, other):
    """Steps between two cells on an empty board."""
    delta = (cell - other) & LAST_CELL
    q = ((delta + STRIDE // 2) & (STRIDE - 1)) - STRIDE // 2
    r = (((delta - q) // STRIDE + STRIDE // 2) & (STRIDE - 1)) - STRIDE // 2
    return max(abs(q), abs(r), abs(q + r))


@KERNELS.kernel("i64(Hive, i64)")
def can_move(s, tile):
    """1 where an uncovered tile is not pinned and seems to have a way out. `cuts` must be known."""
    if s.tile_level[tile] > 0:
        return 1
    if is_pinned(s, tile) != 0:
        return 0
    if (SLIDERS >> KIND[tile]) & 1 != 0:
        return 1 if SLIDES[occupied(s, np.int64(s.tile_cell[tile]))] != 0 else 0
    return 1


@KERNELS.kernel("i64(Hive, i64, i64)")
def evaluate_queen(s, side, cell):
    """What its queen's place on a cell is worth to a side, at most a little above 0."""
    queen = side * SIDE_TILES
    around = occupied(s, cell)
    crowd = COUNT[around]
    total = CROWDED[crowd]
    top = np.int64(s.top[cell])
    if COLOUR[top] != side:
        total -= QUEEN_COVERED
    elif top == queen and can_move(s, queen) != 0:
        total += QUEEN_FREE[crowd]
    pillbug = queen + KIND_FIRST[PILLBUG]
    if (s.tops[side] >> pillbug) & 1 != 0 and top == queen and GROUPS[around] == 1:
        if distance(np.int64(s.tile_cell[pillbug]), cell) == 1:
            total += ESCAPE
    return total


@KERNELS.kernel("i64(Hive, i64)")
def offers_placement(s, tile):
    """1 where the owner of an uncovered tile may place beside it."""
    cell = np.int64(s.tile_cell[tile])
    enemies = 63 << (6 * (1 - COLOUR[tile]))
    directions = 63 & ~occupied(s, cell)
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & LAST_CELL
        directions &= directions - 1
        if np.int64(s.near[other]) & enemies == 0:
            return 1
    return 0


@KERNELS.kernel("i64(Hive, i64)")
def evaluate_tiles(s, side):
    """What a side's tiles are worth but for its queen's safety."""
    total = 0
    for kind in range(1, 8):
        total += HAND[kind] * (s.limits[kind] - s.placed[side, kind]) + HELD[kind] * s.placed[side, kind]
    target = np.int64(s.tile_cell[(1 - side) * SIDE_TILES])
    freedom = 0
    tiles = s.tops[side]
    while tiles != 0:
        tile = trailing_zeros(tiles)
        tiles &= tiles - 1
        kind = KIND[tile]
        if freedom < FREEDOM_TILES and s.in_hand[side] != 0:
            freedom += offers_placement(s, tile)
        if can_move(s, tile) == 0:
            continue
        total += FREE[kind] - HELD[kind]
        if s.tile_level[tile] > 0 and COLOUR[np.int64(s.tile_below[tile])] != side:
            total += ON_ENEMY
        if (CLIMBERS >> kind) & 1 != 0 and target >= 0:
            total += NEAR_QUEEN[min(distance(np.int64(s.tile_cell[tile]), target), 3)]
    return total + FREEDOM * freedom


@KERNELS.kernel("i64(Hive, i64, i64)")
def jumpers_to(s, cell, jumpers):
    """Those of some grasshoppers that can jump to an empty cell."""
    found = 0
    directions = occupied(s, cell)
    while directions != 0:
        step = STEPS[trailing_zeros(directions)]
        directions &= directions - 1
        other = (cell + 2 * step) & LAST_CELL
        while s.height[other] != 0:
            found |= 1 << np.int64(s.top[other])
            other = (other + step) & LAST_CELL
    return found & jumpers


@KERNELS.kernel("i64(Hive, i64)")
def evaluate_attack(s, side):
    """What tiles are worth that can come to the free cells round the enemy queen."""
    target = np.int64(s.tile_cell[(1 - side) * SIDE_TILES])
    if target < 0:
        return 0
    around = occupied(s, target)
    jumpers, walkers, others = 0, 0, 0
    tiles = s.tops[side]
    while tiles != 0:
        tile = trailing_zeros(tiles)
        tiles &= tiles - 1
        steps = distance(np.int64(s.tile_cell[tile]), target)
        if steps < 2 or can_move(s, tile) == 0:
            continue
        kind = KIND[tile]
        if kind == ANT and s.tile_level[tile] == 0:
            walkers += 1
        elif kind == GRASSHOPPER:
            jumpers |= 1 << tile
        elif (CLIMBERS >> kind) & 1 != 0:
            others += 1 if steps == 2 else 0
        elif kind == LADYBUG:
            others += 1 if steps <= 4 else 0
    open_cells, found = 0, 0
    free = 63 & ~around
    while free != 0:
        direction = trailing_zeros(free)
        free &= free - 1
        cell = (target + STEPS[direction]) & LAST_CELL
        if SLIDES[occupied(s, cell)] & OUTER[direction] != 0:
            open_cells += 1
        if jumpers != 0:
            found |= jumpers_to(s, cell, jumpers)
    attackers = min(walkers, open_cells) + others
    while found != 0:
        found &= found - 1
        attackers += 1
    return ATTACK[COUNT[around]] * min(attackers, 6 - COUNT[around])


@KERNELS.kernel("i64(Hive, i64)")
def evaluate_side(s, side):
    """All that speaks for a side."""
    total = evaluate_tiles(s, side) + evaluate_attack(s, side)
    queen = np.int64(s.tile_cell[side * SIDE_TILES])
    return total + evaluate_queen(s, side, queen) if queen >= 0 else total


@KERNELS.export("i64(Hive)")
def evaluate(s):
    """Estimate for the side to move."""
    if s.euler != 1:
        find_cuts(s)
    total = TEMPO + evaluate_side(s, s.side) - evaluate_side(s, 1 - s.side)
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, total))
