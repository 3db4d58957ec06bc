"""Hive's static evaluation: safety of both queens, mobility and material, tiles that can reach the enemy queen.

The score is the sum of the terms of one side minus those of the other, plus TEMPO for the side to move. The weights are
in bots/hive/weights.py, where each term is explained; bots/hive/training/features.py computes the same terms in plain
Python. An engine adds the output of a network to it (kernels/network.py), whose features are listed in the same pass.

No moves are generated. Whether a tile can move is estimated from its neighbours and from pins, so a few tiles that are
shut in count as mobile.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from bots.hive import weights
from bots.hive.kernels import network_fields as nf
from bots.hive.kernels.board import (
    CELL_MASK,
    COLOUR,
    GROUP_COUNT,
    KERNELS,
    KIND,
    SLIDES,
    STEPS,
    is_pinned,
    neighbour_mask,
)
from bots.hive.kernels.network import add_feature, network_output
from bots.hive.tiles import (
    ANT,
    BEETLE,
    CELLS,
    FIRST_OF_KIND,
    GRASSHOPPER,
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


def _packed(pairs: Iterable[tuple[int, int]]) -> Any:
    """Return weights as one number each: both parts of a sum of such numbers are the sums of the parts."""
    return np.array([late + (change << PART_BITS) for late, change in pairs])


PART_BITS = 32  # the value with empty hands is in the low bits of a packed number, the change per HAND_UNIT above them
HAND_SHIFT = 5
assert 1 << HAND_SHIFT == weights.HAND_UNIT
TILE_IN_HAND, COVERED_TILE = _packed(weights.TILE_IN_HAND), _packed(weights.COVERED_TILE)
# By mobility (0 or 1), kind, and steps to the queen:
TILE_TO_ENEMY_QUEEN = _packed([*sum(weights.IMMOBILE_TO_ENEMY_QUEEN, ()), *sum(weights.MOBILE_TO_ENEMY_QUEEN, ())])
TILE_TO_OWN_QUEEN = _packed([*sum(weights.IMMOBILE_TO_OWN_QUEEN, ()), *sum(weights.MOBILE_TO_OWN_QUEEN, ())])
QUEEN_NEIGHBOURS, QUEEN_MOBILE = _packed(weights.QUEEN_NEIGHBOURS), _packed(weights.QUEEN_MOBILE)
COVERS_OWN, ATTACKERS = _packed(weights.COVERS_OWN), _packed(weights.ATTACKERS)
QUEEN_COVERED, PILLBUG_RESCUE, COVERS_ENEMY, PLACEMENT_SPOTS, TEMPO = (
    int(number)
    for number in _packed(
        (
            weights.QUEEN_COVERED,
            weights.PILLBUG_RESCUE,
            weights.COVERS_ENEMY,
            weights.PLACEMENT_SPOTS,
            weights.TEMPO,
        )
    )
)
MAX_PLACEMENT_SPOTS = 5  # tiles of a side that count for PLACEMENT_SPOTS, at most
# Steps to a queen count up to MAX_STEPS; NO_QUEEN stands for a queen in hand.
MAX_STEPS, NO_QUEEN = 5, 6
# For the neighbour of a cell in direction d: the three directions that lead from it away from that cell, as bits.
OUTWARD = np.array([1 << (d + 1) % 6 | 1 << d | 1 << (d + 5) % 6 for d in range(6)])


def _distance(delta: int) -> int:
    """Return the number of steps from cell 0 to cell `delta`."""
    q = (delta + STRIDE // 2) % STRIDE - STRIDE // 2
    r = ((delta - q) // STRIDE + STRIDE // 2) % STRIDE - STRIDE // 2
    return max(abs(q), abs(r), abs(q + r))


DISTANCES = np.array([_distance(delta) for delta in range(CELLS)], dtype=np.int8)  # by difference of two cells
POPCOUNT = np.array([mask.bit_count() for mask in range(64)])  # by `neighbour_mask`


def _shape(mask: int) -> int:
    """Return the smallest of the rotated and mirrored masks."""
    bits = [mask >> d & 1 for d in range(6)]
    images = [[bits[(start + step * d) % 6] for d in range(6)] for start in range(6) for step in (1, -1)]
    return min(sum(bit << d for d, bit in enumerate(image)) for image in images)


_SHAPES = sorted({_shape(mask) for mask in range(64)})
assert len(_SHAPES) == nf.SHAPES
SHAPE_OF = np.array([_SHAPES.index(_shape(mask)) for mask in range(64)])  # by `neighbour_mask`
SLIDERS = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # bit set of the kinds that move only by sliding
CLIMBERS = 1 << BEETLE | 1 << MOSQUITO  # bit set of the kinds that attack from distance 2


@KERNELS.kernel("i64(i64, i64)")
def distance(cell, other):
    """Return the number of steps between two cells on an empty board, taking the torus into account."""
    return np.int64(DISTANCES[(cell - other) & CELL_MASK])


@KERNELS.kernel("i64(Hive, i64)")
def state_of_tile(s, tile):
    """Return whether an uncovered tile is pinned, shut in, or seems able to move, as a state of network_fields.py."""
    if s.tile_level[tile] > 0:
        return nf.ON_OWN if COLOUR[np.int64(s.tile_below[tile])] == COLOUR[tile] else nf.ON_ENEMY
    if is_pinned(s, tile) != 0:
        return nf.PINNED
    if (SLIDERS >> KIND[tile]) & 1 != 0 and SLIDES[neighbour_mask(s, np.int64(s.tile_cell[tile]))] == 0:
        return nf.SHUT_IN
    return nf.MOBILE


@KERNELS.kernel("void(Hive, i64, i64, i64, i64)")
def add_tile_features(s, tile, state, own_steps, steps):
    """Add the features of a tile in play: its state and the steps to both queens."""
    side, row = COLOUR[tile], (KIND[tile] * nf.STATE_COUNT + state) * nf.STEP_COUNT
    add_feature(s, side, nf.TO_OWN_QUEEN + row + own_steps)
    add_feature(s, side, nf.TO_ENEMY_QUEEN + row + steps)


@KERNELS.kernel("void(Hive, i64, i64, i64)")
def add_covered_tiles(s, tile, white_steps, black_steps):
    """Add the features of all tiles below a tile; the steps are those from their cell to both queens."""
    tile = np.int64(s.tile_below[tile])
    while tile >= 0:
        if COLOUR[tile] == 0:
            add_tile_features(s, tile, nf.COVERED, white_steps, black_steps)
        else:
            add_tile_features(s, tile, nf.COVERED, black_steps, white_steps)
        tile = np.int64(s.tile_below[tile])


@KERNELS.kernel("i64(Hive, i64, i64)")
def evaluate_queen(s, side, cell):
    """Return the packed safety score of a side's queen, which is in play on `cell`."""
    queen = side * SIDE_TILES
    around = neighbour_mask(s, cell)
    neighbour_count = POPCOUNT[around]
    total = QUEEN_NEIGHBOURS[neighbour_count]
    top = np.int64(s.top[cell])
    cover, mobile = 0, 0
    if COLOUR[top] != side:
        total -= QUEEN_COVERED
        cover = 2
    elif top != queen:
        cover = 1
    elif state_of_tile(s, queen) >= nf.MOBILE:
        total += QUEEN_MOBILE[neighbour_count]
        mobile = 1
    add_feature(s, side, nf.QUEEN_SHAPE + (SHAPE_OF[around] * 2 + mobile) * nf.COVERS + cover)
    pillbug = queen + FIRST_OF_KIND[PILLBUG]
    if (s.uncovered[side] >> pillbug) & 1 != 0 and top == queen and GROUP_COUNT[around] == 1:
        if distance(np.int64(s.tile_cell[pillbug]), cell) == 1:
            total += PILLBUG_RESCUE
            add_feature(s, side, nf.RESCUE)
    return total


@KERNELS.kernel("i64(Hive, i64)")
def has_placement_beside(s, tile):
    """Return 1 if the owner of an uncovered tile may place a tile beside it, else 0."""
    cell = np.int64(s.tile_cell[tile])
    enemy_bits = 63 << (6 * (1 - COLOUR[tile]))
    directions = 63 & ~neighbour_mask(s, cell)
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & CELL_MASK
        directions &= directions - 1
        if np.int64(s.neighbours[other]) & enemy_bits == 0:
            return 1
    return 0


@KERNELS.kernel("i64(Hive, i64, i64)")
def grasshoppers_reaching(s, cell, grasshoppers):
    """Return the subset of `grasshoppers` (a bit set of tiles) that can jump to an empty cell."""
    found = 0
    directions = neighbour_mask(s, cell)
    while directions != 0:
        step = STEPS[trailing_zeros(directions)]
        directions &= directions - 1
        other = (cell + 2 * step) & CELL_MASK
        while s.height[other] != 0:
            found |= 1 << np.int64(s.top[other])
            other = (other + step) & CELL_MASK
    return found & grasshoppers


@KERNELS.kernel("i64(Hive, i64, i64, i64, i64, i64)")
def evaluate_attack(s, side, target, ants, grasshoppers, others):
    """Return the packed score of a side's mobile tiles that reach an empty cell beside the enemy queen on `target`.

    `ants` and `others` are numbers, `grasshoppers` is a bit set of tiles. One ant counts per cell that it can enter.
    """
    around = neighbour_mask(s, target)
    open_cells, arriving = 0, 0
    empty = 63 & ~around
    while empty != 0:
        direction = trailing_zeros(empty)
        empty &= empty - 1
        cell = (target + STEPS[direction]) & CELL_MASK
        if SLIDES[neighbour_mask(s, cell)] & OUTWARD[direction] != 0:  # a tile can slide in from outside
            open_cells += 1
        if grasshoppers != 0:
            arriving |= grasshoppers_reaching(s, cell, grasshoppers)
    attackers = min(ants, open_cells) + others
    while arriving != 0:
        arriving &= arriving - 1
        attackers += 1
    neighbour_count = POPCOUNT[around]
    attackers = min(attackers, 6 - neighbour_count)
    add_feature(s, side, nf.ATTACKED + neighbour_count * nf.ATTACKER_COUNT + attackers)
    return ATTACKERS[neighbour_count] * attackers


@KERNELS.kernel("void(Hive, i64, i64, i64)")
def add_neighbours_feature(s, side, kind, cell):
    """Add the feature that tells the number of own and enemy neighbours of a tile."""
    colours = np.int64(s.neighbours[cell])
    own, enemy = POPCOUNT[(colours >> (6 * side)) & 63], POPCOUNT[(colours >> (6 - 6 * side)) & 63]
    index = (kind * nf.NEIGHBOUR_COUNT + min(own, 3)) * nf.NEIGHBOUR_COUNT + min(enemy, 3)
    add_feature(s, side, nf.TILE_NEIGHBOURS + index)


@KERNELS.kernel("i64(Hive, i64)")
def evaluate_tiles(s, side):
    """Return the packed score of a side's tiles: in hand or in play, attackers, room for placements.

    Tiles that touch the enemy queen already are no attackers. Others are if they are mobile: ants on the ground and
    grasshoppers as `evaluate_attack` explains, beetles and mosquitoes at distance 2, ladybugs up to distance 4.
    """
    total = 0
    # Count every tile in play as covered first; the loop below corrects the top tiles.
    for kind in range(1, 8):  # all but the queen
        placed = s.placed[side, kind]
        in_hand = s.kind_limits[kind] - placed
        total += TILE_IN_HAND[kind] * in_hand + COVERED_TILE[kind] * placed
        if in_hand > 0:
            add_feature(s, side, nf.IN_HAND + kind * nf.HAND_COUNT + in_hand - 1)
    target, own_queen = np.int64(s.tile_cell[(1 - side) * SIDE_TILES]), np.int64(s.tile_cell[side * SIDE_TILES])
    placement_spots, ants, grasshoppers, others = 0, 0, 0, 0
    tiles = s.uncovered[side]
    while tiles != 0:
        tile = trailing_zeros(tiles)
        tiles &= tiles - 1
        kind, cell = KIND[tile], np.int64(s.tile_cell[tile])
        if placement_spots < MAX_PLACEMENT_SPOTS and s.in_hand[side] != 0:
            placement_spots += has_placement_beside(s, tile)
        state = state_of_tile(s, tile)
        mobile = 1 if state >= nf.MOBILE else 0
        distant = distance(cell, target) if target >= 0 else NO_QUEEN
        steps = min(distant, MAX_STEPS) if target >= 0 else NO_QUEEN
        own_steps = min(distance(cell, own_queen), MAX_STEPS) if own_queen >= 0 else NO_QUEEN
        add_tile_features(s, tile, state, own_steps, steps)
        add_neighbours_feature(s, side, kind, cell)
        row = (8 * mobile + kind) * (NO_QUEEN + 1)
        total += TILE_TO_OWN_QUEEN[row + own_steps] - COVERED_TILE[kind]
        if s.tile_level[tile] > 0:
            below = np.int64(s.tile_below[tile])
            add_covered_tiles(s, tile, own_steps if side == 0 else steps, steps if side == 0 else own_steps)
            total += COVERS_ENEMY if COLOUR[below] != side else COVERS_OWN[KIND[below]]
        total += TILE_TO_ENEMY_QUEEN[row + steps]
        if target < 0 or mobile == 0 or steps < 2:
            continue
        if kind == ANT:
            ants += 1
        elif kind == GRASSHOPPER:
            grasshoppers |= 1 << tile
        elif (CLIMBERS >> kind) & 1 != 0:
            others += 1 if steps == 2 else 0
        elif kind == LADYBUG:
            others += 1 if steps <= 4 else 0
    if target >= 0:
        total += evaluate_attack(s, side, target, ants, grasshoppers, others)
    add_feature(s, side, nf.SPOTS + placement_spots)
    return total + PLACEMENT_SPOTS * placement_spots


@KERNELS.kernel("i64(Hive, i64)")
def evaluate_side(s, side):
    """Return the packed sum of all terms of one side."""
    total = evaluate_tiles(s, side)
    queen = np.int64(s.tile_cell[side * SIDE_TILES])
    if queen < 0:
        add_feature(s, side, nf.IN_HAND)
        return total
    return total + evaluate_queen(s, side, queen)


@KERNELS.export("i64(Hive)")
def evaluate(s):
    """Return the static evaluation for the side to move."""
    s.feature_count[0], s.feature_count[1] = 0, 0
    packed = TEMPO + evaluate_side(s, s.side) - evaluate_side(s, 1 - s.side)
    late = (packed << PART_BITS) >> PART_BITS  # the low part with its sign
    change = (packed - late) >> PART_BITS
    total = late + ((change * (s.in_hand[0] + s.in_hand[1])) >> HAND_SHIFT)
    if s.network != 0:
        total += network_output(s)
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, total))
