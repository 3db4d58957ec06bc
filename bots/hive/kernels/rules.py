"""Hive's rules as kernels: set up, play, undo, placements and throws, all legal moves, perft.

The record and pinned tiles are in bots/hive/kernels/stacks.py, how each bug moves in bots/hive/kernels/moves.py.
Throughout, the caller of `apply` has made sure that the move is legal.
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels.moves import add_directions, add_moves, gate_height, skills_of
from bots.hive.kernels.stacks import (
    COLOUR,
    HIVE,
    KERNELS,
    KIND,
    LAST_CELL,
    STEPS,
    board_key,
    find_cuts,
    is_pinned,
    lift_tile,
    occupied,
    put_tile,
)
from bots.hive.tiles import (
    BLACK_WINS,
    CELLS,
    KIND_COUNT,
    KIND_FIRST,
    MOSQUITO,
    MOVE_SHIFT,
    ORIGIN,
    PASS,
    PILLBUG,
    QUEEN,
    SIDE_TILES,
    TILES,
    WHITE_WINS,
)
from core.native.intrinsics import trailing_zeros
from core.search.kernels.polling import make_count_node

__all__ = ["HIVE", "KERNELS", "apply", "count_node", "generate", "is_legal", "key", "undo"]

FIRST = np.array(KIND_FIRST)
COUNT = np.array(KIND_COUNT)
CELL_MASK = (1 << MOVE_SHIFT) - 1
QUEEN_TURN = 4  # a side's turn by which its queen must be placed
REST_SHIFT, REST_KEY = np.uint64(17), np.uint64(0x9E3779B97F4A7C15)

count_node = make_count_node(KERNELS, HIVE.name)


@KERNELS.export("void(Hive, i64)")
def setup(s, expansions):
    """Empty board; `expansions` has a bit a kind for mosquito, ladybug, pillbug where they take part."""
    s.ply, s.side, s.result, s.rested = 0, 0, 0, -1
    s.euler, s.stacks, s.stamp, s.cuts = 0, 0, 0, 0
    for side in range(2):
        s.tops[side] = 0
        s.in_hand[side] = 0
        for kind in range(8):
            s.limits[kind] = COUNT[kind] if kind < MOSQUITO or (expansions >> kind) & 1 != 0 else 0
            s.placed[side, kind] = 0
            s.in_hand[side] += s.limits[kind]
    for tile in range(TILES):
        s.tile_cell[tile] = -1
        s.tile_level[tile] = 0
        s.tile_below[tile] = -1
    for cell in range(CELLS):
        s.top[cell] = -1
        s.height[cell] = 0
        s.near[cell] = 0
        s.mark[cell] = 0


@KERNELS.kernel("i64(Hive, i64)")
def is_surrounded(s, side):
    """1 where a side's queen is in play with six occupied neighbours."""
    cell = np.int64(s.tile_cell[side * SIDE_TILES])
    return 1 if cell >= 0 and occupied(s, cell) == 63 else 0


@KERNELS.export("void(Hive, i64)")
def apply(s, move):
    """Play a move: a placement, a tile's own move, a throw or PASS."""
    tile, cell = (move >> MOVE_SHIFT) - 1, move & CELL_MASK
    s.path[s.ply] = move
    s.path_rested[s.ply] = s.rested
    s.path_origin[s.ply] = -1
    s.rested = -1
    if move != PASS:
        origin = np.int64(s.tile_cell[tile])
        s.path_origin[s.ply] = origin
        if origin >= 0:
            lift_tile(s, tile)
        else:
            s.placed[COLOUR[tile], KIND[tile]] += 1
            s.in_hand[COLOUR[tile]] -= 1
        put_tile(s, tile, cell)
        s.rested = tile
        s.result = BLACK_WINS * is_surrounded(s, 0) + WHITE_WINS * is_surrounded(s, 1)  # both make DRAW
    s.ply += 1
    s.side = 1 - s.side


@KERNELS.export("void(Hive)")
def undo(s):
    """Take the last move back."""
    s.ply -= 1
    s.side = 1 - s.side
    s.result = 0
    s.rested = np.int64(s.path_rested[s.ply])
    move, origin = np.int64(s.path[s.ply]), np.int64(s.path_origin[s.ply])
    if move == PASS:
        return
    tile = (move >> MOVE_SHIFT) - 1
    lift_tile(s, tile)
    if origin >= 0:
        put_tile(s, tile, origin)
    else:
        s.placed[COLOUR[tile], KIND[tile]] -= 1
        s.in_hand[COLOUR[tile]] += 1


@KERNELS.kernel("i64(Hive)")
def find_free_cells(s):
    """Fill `free_cells` with the cells where the side to move may place, and return their number."""
    if s.ply == 0:
        s.free_cells[0] = ORIGIN
        return 1
    count = 0
    tiles = s.tops[s.side] if s.ply > 1 else s.tops[1 - s.side]
    enemies = 63 << (6 * (1 - s.side)) if s.ply > 1 else 0
    s.stamp += 1
    while tiles != 0:
        cell = np.int64(s.tile_cell[trailing_zeros(tiles)])
        tiles &= tiles - 1
        directions = 63 & ~occupied(s, cell)
        while directions != 0:
            other = (cell + STEPS[trailing_zeros(directions)]) & LAST_CELL
            directions &= directions - 1
            if s.mark[other] != s.stamp and np.int64(s.near[other]) & enemies == 0:
                s.mark[other] = s.stamp
                s.free_cells[count] = other
                count += 1
    return count


@KERNELS.kernel("i64(Hive)")
def placeable_kinds(s):
    """Kinds that the side to move may place, a bit each."""
    if s.placed[s.side, QUEEN] == 0 and (s.ply >> 1) + 1 >= QUEEN_TURN:
        return 1 << QUEEN
    kinds = 0
    for kind in range(1 if s.ply < 2 else 0, 8):
        if s.placed[s.side, kind] < s.limits[kind]:
            kinds |= 1 << kind
    return kinds


@KERNELS.kernel("i64(Hive, i64, i64)")
def add_placements(s, slot, listing):
    """Begin a list with the placements, and return their number; with `listing` 0 only count them."""
    if s.in_hand[s.side] == 0:
        return 0
    cells = find_free_cells(s)
    kinds = placeable_kinds(s)
    count = 0
    while kinds != 0:
        kind = trailing_zeros(kinds)
        kinds &= kinds - 1
        if listing != 0:
            tile = s.side * SIDE_TILES + FIRST[kind] + s.placed[s.side, kind]
            for index in range(cells):
                s.lists[slot, count + index] = ((tile + 1) << MOVE_SHIFT) | np.int64(s.free_cells[index])
        count += cells
    return count


@KERNELS.kernel("i64(Hive, i64)")
def can_throw(s, tile):
    """1 where a tile of the side to move may throw: an uncovered pillbug, or a mosquito on the ground beside one."""
    if (s.tops[s.side] >> tile) & 1 == 0 or tile == s.rested:
        return 0
    if KIND[tile] == PILLBUG:
        return 1
    return 1 if s.tile_level[tile] == 0 and skills_of(s, tile) & (1 << PILLBUG) != 0 else 0


@KERNELS.kernel("i64(Hive, i64)")
def open_directions(s, cell):
    """Directions in which a throw may pass to or from a thrower's cell: two stacks on the flanks bar it."""
    if s.stacks < 2:
        return 63
    directions = 0
    for direction in range(6):
        if gate_height(s, cell, direction) < 2:
            directions |= 1 << direction
    return directions


@KERNELS.kernel("i64(Hive, i64, i64)")
def throwable_tiles(s, cell, directions):
    """Tiles round a thrower's cell, in these directions, that may be thrown, a bit each."""
    tiles = 0
    directions &= occupied(s, cell)
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & LAST_CELL
        directions &= directions - 1
        tile = np.int64(s.top[other])
        if s.height[other] == 1 and tile != s.rested and is_pinned(s, tile) == 0:
            tiles |= 1 << tile
    return tiles


@KERNELS.kernel("i64(Hive, i64, i64)")
def add_movements(s, slot, count):
    """Append all moves of tiles in play, the side's own and throws of either side's."""
    if s.euler != 1:
        find_cuts(s)
    pillbug, mosquito = s.side * SIDE_TILES + KIND_FIRST[PILLBUG], s.side * SIDE_TILES + KIND_FIRST[MOSQUITO]
    victims_1, victims_2, targets_1, targets_2, cell_1, cell_2 = 0, 0, 0, 0, 0, 0
    if can_throw(s, pillbug) != 0:
        cell_1 = np.int64(s.tile_cell[pillbug])
        directions = open_directions(s, cell_1)
        victims_1 = throwable_tiles(s, cell_1, directions)
        targets_1 = directions & ~occupied(s, cell_1)
    if can_throw(s, mosquito) != 0:
        cell_2 = np.int64(s.tile_cell[mosquito])
        directions = open_directions(s, cell_2)
        victims_2 = throwable_tiles(s, cell_2, directions)
        targets_2 = directions & ~occupied(s, cell_2)
    thrown = victims_1 | victims_2
    tiles = s.tops[s.side] | thrown
    while tiles != 0:
        tile = trailing_zeros(tiles)
        tiles &= tiles - 1
        s.stamp += 1
        if COLOUR[tile] == s.side and tile != s.rested and is_pinned(s, tile) == 0:
            count = add_moves(s, slot, count, tile)
        if (thrown >> tile) & 1 != 0:
            if (victims_1 >> tile) & 1 != 0:
                count = add_directions(s, slot, count, tile, cell_1, targets_1)
            if (victims_2 >> tile) & 1 != 0:
                count = add_directions(s, slot, count, tile, cell_2, targets_2)
    return count


@KERNELS.kernel("i64(Hive, i64, i64)")
def generate(s, slot, listing):
    """Fill a list with the legal moves, PASS where there is no other, and return their number; 0 after the end.

    With `listing` 0 the number alone is right.
    """
    if s.result != 0:
        return 0
    placements = add_placements(s, slot, listing)
    count = placements if listing != 0 else 0
    if s.placed[s.side, QUEEN] != 0:
        count = add_movements(s, slot, count)
    if listing == 0:
        count += placements
    if count == 0:
        s.lists[slot, 0] = PASS
        count = 1
    return count


@KERNELS.export("i64(Hive)")
def list_legal(s):
    """Fill list 0 with the legal moves, and return their number."""
    return generate(s, 0, 1)


@KERNELS.export("i64(Hive, i64)")
def is_legal(s, move):
    """1 where a move is legal, else 0. Overwrites list 0."""
    count = generate(s, 0, 1)
    for index in range(count):
        if s.lists[0, index] == move:
            return 1
    return 0


@KERNELS.export("u64(Hive)")
def repetition_key(s):
    """Hash that two positions share where the same kinds of tiles lie alike and the same side is to move."""
    return board_key(s)


@KERNELS.kernel("u64(Hive)")
def rest_key(s):
    """What the tile at rest adds to a hash: nothing unless a pillbug is in play, for else it could not move anyway."""
    if s.rested < 0 or s.placed[0, PILLBUG] + s.placed[1, PILLBUG] == 0:
        return np.uint64(0)
    anchor = 0  # the tile that `board_key` counts places from, covered or not
    while s.tile_cell[anchor] < 0:
        anchor += 1
    rested = np.uint64(((s.tile_cell[s.rested] - s.tile_cell[anchor]) & LAST_CELL) + CELLS)
    return (rested << REST_SHIFT) * REST_KEY


@KERNELS.export("u64(Hive)")
def key(s):
    """Hash of all that the further game depends on: `repetition_key`, and the tile at rest where one can be thrown."""
    return board_key(s) ^ rest_key(s)


@KERNELS.export("i64(Hive, i64)")
def perft(s, depth):
    """Number of sequences of `depth` legal moves, at most MAX_PERFT; the last ply is counted, not played."""
    if depth <= 0:
        return 1
    if depth == 1 or s.result != 0:
        return generate(s, 0, 0)
    total = 0
    count = generate(s, depth, 1)
    for index in range(count):
        apply(s, np.int64(s.lists[depth, index]))
        total += perft(s, depth - 1)
        undo(s)
    return total
