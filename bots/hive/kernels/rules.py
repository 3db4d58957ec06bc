"""The rules of Hive as kernels: setup, make and unmake moves, placements, throws, legal moves, hash keys, perft.

The state and pinned tiles are in bots/hive/kernels/board.py, the moves of each bug in bots/hive/kernels/moves.py.

A throw is the special ability of the pillbug: instead of moving, it lifts an adjacent tile of either side over itself
to an empty cell beside it. The state, whose layout board.py describes, is always the first argument `s`. `apply` does
not check that a move is legal.
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels.board import (
    CELL_MASK,
    COLOUR,
    CUT_TILES_UNKNOWN,
    HIVE,
    KERNELS,
    KIND,
    STEPS,
    add_tile,
    board_key,
    compute_tiles_key,
    is_pinned,
    neighbour_mask,
    remove_tile,
    tile_key,
)
from bots.hive.kernels.moves import add_neighbours, add_tile_moves, gate_height, movement_kinds
from bots.hive.tiles import (
    BLACK_WINS,
    CELLS,
    FIRST_OF_KIND,
    MOSQUITO,
    MOVE_SHIFT,
    PASS,
    PILLBUG,
    QUEEN,
    SIDE_TILES,
    START_CELL,
    TILE_COUNT,
    TILES_OF_KIND,
    WHITE_WINS,
)
from core.native.intrinsics import trailing_zeros
from core.search.kernels.polling import make_count_node

__all__ = ["HIVE", "KERNELS", "apply", "count_node", "generate", "is_legal", "key", "undo"]

FIRST_TILE = np.array(FIRST_OF_KIND)  # the tuples of tiles.py as arrays, which kernels can index
KIND_TOTALS = np.array(TILES_OF_KIND)
ALL_TILES = (1 << TILE_COUNT) - 1
QUEEN_DEADLINE_TURN = 4  # a side must place its queen by its fourth turn
LAST_MOVED_SHIFT, LAST_MOVED_KEY = np.uint64(17), np.uint64(0x9E3779B97F4A7C15)  # the factor is 2**64 / golden ratio

count_node = make_count_node(KERNELS, HIVE.name)


@KERNELS.export("void(Hive, i64)")
def setup(s, expansions):
    """Set up an empty board. `expansions` is a bit set of the extra kinds in play: mosquito, ladybug, pillbug."""
    s.ply, s.side, s.result, s.last_moved = 0, 0, 0, -1
    s.euler_number, s.stack_count, s.current_stamp, s.cut_tiles = 0, 0, 0, CUT_TILES_UNKNOWN
    s.anchor, s.tiles_key = -1, 0
    for side in range(2):
        s.uncovered[side] = 0
        s.in_hand[side] = 0
        for kind in range(8):
            s.kind_limits[kind] = KIND_TOTALS[kind] if kind < MOSQUITO or (expansions >> kind) & 1 != 0 else 0
            s.placed[side, kind] = 0
            s.in_hand[side] += s.kind_limits[kind]
    for tile in range(TILE_COUNT):
        s.tile_cell[tile] = -1
        s.tile_level[tile] = 0
        s.tile_below[tile] = -1
    for cell in range(CELLS):
        s.top[cell] = -1
        s.height[cell] = 0
        s.neighbours[cell] = 0
        s.cell_stamp[cell] = 0


@KERNELS.kernel("i64(Hive, i64)")
def is_surrounded(s, side):
    """Return 1 if a side's queen is in play and has six occupied neighbours, else 0."""
    cell = np.int64(s.tile_cell[side * SIDE_TILES])
    return 1 if cell >= 0 and neighbour_mask(s, cell) == 63 else 0


@KERNELS.export("void(Hive, i64)")
def apply(s, move):
    """Make a legal move: a placement, a movement (of a tile by itself or by a throw), or PASS."""
    tile, cell = (move >> MOVE_SHIFT) - 1, move & CELL_MASK
    s.path[s.ply] = move
    s.path_last_moved[s.ply] = s.last_moved
    s.path_origin[s.ply] = -1
    s.path_anchor[s.ply] = s.anchor
    s.path_tiles_key[s.ply] = s.tiles_key
    s.last_moved = -1
    if move != PASS:
        origin = np.int64(s.tile_cell[tile])
        s.path_origin[s.ply] = origin
        if origin >= 0:
            s.tiles_key -= tile_key(s, tile)
            remove_tile(s, tile)
        else:
            s.placed[COLOUR[tile], KIND[tile]] += 1
            s.in_hand[COLOUR[tile]] -= 1
        add_tile(s, tile, cell)
        if tile > s.anchor and s.anchor >= 0:
            s.tiles_key += tile_key(s, tile)
        else:
            compute_tiles_key(s)
        s.last_moved = tile
        s.result = BLACK_WINS * is_surrounded(s, 0) + WHITE_WINS * is_surrounded(s, 1)  # the sum of both is DRAW
    s.ply += 1
    s.side = 1 - s.side


@KERNELS.export("void(Hive)")
def undo(s):
    """Unmake the last move."""
    s.ply -= 1
    s.side = 1 - s.side
    s.result = 0
    s.last_moved = np.int64(s.path_last_moved[s.ply])
    s.anchor, s.tiles_key = np.int64(s.path_anchor[s.ply]), s.path_tiles_key[s.ply]
    move, origin = np.int64(s.path[s.ply]), np.int64(s.path_origin[s.ply])
    if move == PASS:
        return
    tile = (move >> MOVE_SHIFT) - 1
    remove_tile(s, tile)
    if origin >= 0:
        add_tile(s, tile, origin)
    else:
        s.placed[COLOUR[tile], KIND[tile]] -= 1
        s.in_hand[COLOUR[tile]] += 1


@KERNELS.kernel("i64(Hive)")
def find_placement_cells(s):
    """Fill `placement_cells` with the cells where the side to move may place a tile, and return their number.

    Such a cell touches a tile of the side and none of the enemy. Black's first tile touches white's first.
    """
    if s.ply == 0:
        s.placement_cells[0] = START_CELL
        return 1
    count = 0
    tiles = s.uncovered[s.side] if s.ply > 1 else s.uncovered[1 - s.side]
    enemy_bits = 63 << (6 * (1 - s.side)) if s.ply > 1 else 0
    s.current_stamp += 1
    while tiles != 0:
        cell = np.int64(s.tile_cell[trailing_zeros(tiles)])
        tiles &= tiles - 1
        directions = 63 & ~neighbour_mask(s, cell)
        while directions != 0:
            other = (cell + STEPS[trailing_zeros(directions)]) & CELL_MASK
            directions &= directions - 1
            if s.cell_stamp[other] != s.current_stamp and np.int64(s.neighbours[other]) & enemy_bits == 0:
                s.cell_stamp[other] = s.current_stamp
                s.placement_cells[count] = other
                count += 1
    return count


@KERNELS.kernel("i64(Hive)")
def placeable_kinds(s):
    """Return a bit set of the kinds that the side to move may place."""
    if s.placed[s.side, QUEEN] == 0 and (s.ply >> 1) + 1 >= QUEEN_DEADLINE_TURN:
        return 1 << QUEEN
    kinds = 0
    for kind in range(1 if s.ply < 2 else 0, 8):  # the queen (kind 0) must not be placed on the first turn
        if s.placed[s.side, kind] < s.kind_limits[kind]:
            kinds |= 1 << kind
    return kinds


@KERNELS.kernel("i64(Hive, i64, i64)")
def add_placements(s, list_index, with_moves):
    """Write the placements to the start of a move list and return their number; if `with_moves` is 0, only count them.

    Of several equal tiles in hand, the one with the lowest number is placed.
    """
    if s.in_hand[s.side] == 0:
        return 0
    cells = find_placement_cells(s)
    kinds = placeable_kinds(s)
    count = 0
    while kinds != 0:
        kind = trailing_zeros(kinds)
        kinds &= kinds - 1
        if with_moves != 0:
            tile = s.side * SIDE_TILES + FIRST_TILE[kind] + s.placed[s.side, kind]
            for index in range(cells):
                s.move_lists[list_index, count + index] = ((tile + 1) << MOVE_SHIFT) | np.int64(
                    s.placement_cells[index]
                )
        count += cells
    return count


@KERNELS.kernel("i64(Hive, i64)")
def can_throw(s, tile):
    """Return 1 if a tile of the side to move may throw: a pillbug, or a mosquito on the ground that touches one.

    The tile must be uncovered, and the previous ply must not have moved it.
    """
    if (s.uncovered[s.side] >> tile) & 1 == 0 or tile == s.last_moved:
        return 0
    if KIND[tile] == PILLBUG:
        return 1
    return 1 if s.tile_level[tile] == 0 and movement_kinds(s, tile) & (1 << PILLBUG) != 0 else 0


@KERNELS.kernel("i64(Hive, i64)")
def throw_directions(s, cell):
    """Return the directions in which a throw may enter or leave the thrower's cell: a gate of two stacks bars it."""
    if s.stack_count < 2:
        return 63
    directions = 0
    for direction in range(6):
        if gate_height(s, cell, direction) < 2:
            directions |= 1 << direction
    return directions


@KERNELS.kernel("i64(Hive, i64, i64)")
def throwable_tiles(s, cell, directions):
    """Return a bit set of the tiles around the thrower's cell, in these directions, that it may throw."""
    tiles = 0
    directions &= neighbour_mask(s, cell)
    while directions != 0:
        other = (cell + STEPS[trailing_zeros(directions)]) & CELL_MASK
        directions &= directions - 1
        tile = np.int64(s.top[other])
        if s.height[other] == 1 and tile != s.last_moved and is_pinned(s, tile) == 0:
            tiles |= 1 << tile
    return tiles


@KERNELS.kernel("i64(Hive, i64, i64, i64)")
def add_movements(s, list_index, count, movers):
    """Append the moves of tiles in play: those of the side to move, and throws of tiles of either side.

    `movers` is the bit set of the tiles whose moves are wanted.
    """
    # 1. Find what the pillbug and the mosquito can throw, and where to.
    pillbug, mosquito = s.side * SIDE_TILES + FIRST_OF_KIND[PILLBUG], s.side * SIDE_TILES + FIRST_OF_KIND[MOSQUITO]
    pillbug_victims, pillbug_targets, pillbug_cell = 0, 0, 0
    mosquito_victims, mosquito_targets, mosquito_cell = 0, 0, 0
    if can_throw(s, pillbug) != 0:
        pillbug_cell = np.int64(s.tile_cell[pillbug])
        directions = throw_directions(s, pillbug_cell)
        pillbug_victims = throwable_tiles(s, pillbug_cell, directions)
        pillbug_targets = directions & ~neighbour_mask(s, pillbug_cell)
    if can_throw(s, mosquito) != 0:
        mosquito_cell = np.int64(s.tile_cell[mosquito])
        directions = throw_directions(s, mosquito_cell)
        mosquito_victims = throwable_tiles(s, mosquito_cell, directions)
        mosquito_targets = directions & ~neighbour_mask(s, mosquito_cell)
    # 2. Collect the targets of each tile under one stamp, so that a throw does not repeat a move of its own.
    thrown = pillbug_victims | mosquito_victims
    tiles = (s.uncovered[s.side] | thrown) & movers
    while tiles != 0:
        tile = trailing_zeros(tiles)
        tiles &= tiles - 1
        s.current_stamp += 1
        if COLOUR[tile] == s.side and tile != s.last_moved and is_pinned(s, tile) == 0:
            count = add_tile_moves(s, list_index, count, tile)
        if (thrown >> tile) & 1 != 0:
            if (pillbug_victims >> tile) & 1 != 0:
                count = add_neighbours(s, list_index, count, tile, pillbug_cell, pillbug_targets)
            if (mosquito_victims >> tile) & 1 != 0:
                count = add_neighbours(s, list_index, count, tile, mosquito_cell, mosquito_targets)
    return count


@KERNELS.kernel("i64(Hive, i64, i64)")
def generate(s, list_index, with_moves):
    """Fill a move list with the legal moves and return their number: PASS if there is no other, none after the end.

    If `with_moves` is 0, only the number is valid: placements are counted, not listed.
    """
    if s.result != 0:
        return 0
    placements = add_placements(s, list_index, with_moves)
    count = placements if with_moves != 0 else 0
    if s.placed[s.side, QUEEN] != 0:
        count = add_movements(s, list_index, count, ALL_TILES)
    if with_moves == 0:
        count += placements
    if count == 0:
        s.move_lists[list_index, 0] = PASS
        count = 1
    return count


@KERNELS.export("i64(Hive)")
def list_legal(s):
    """Fill move list 0 with the legal moves and return their number."""
    return generate(s, 0, 1)


@KERNELS.kernel("i64(Hive, i64, i64)")
def is_listed(s, move, count):
    """Return 1 if a move is among the first `count` of move list 0, else 0."""
    for index in range(count):
        if s.move_lists[0, index] == move:
            return 1
    return 0


@KERNELS.export("i64(Hive, i64)")
def is_legal(s, move):
    """Return 1 if a move is legal, else 0. Overwrites move list 0.

    For a tile in play only its own moves are generated, for a tile in hand none; PASS and the first two plies need all.
    """
    tile, cell = (move >> MOVE_SHIFT) - 1, move & CELL_MASK
    if move == PASS or s.ply < 2 or s.result != 0:
        return is_listed(s, move, generate(s, 0, 1))
    if tile < 0 or tile >= TILE_COUNT:
        return 0
    if s.tile_cell[tile] >= 0:
        return is_listed(s, move, add_movements(s, 0, 0, 1 << tile)) if s.placed[s.side, QUEEN] != 0 else 0
    kind, shift = KIND[tile], 6 * s.side
    if COLOUR[tile] != s.side or tile != s.side * SIDE_TILES + FIRST_TILE[kind] + s.placed[s.side, kind]:
        return 0
    if (placeable_kinds(s) >> kind) & 1 == 0 or s.height[cell] != 0:
        return 0
    around = np.int64(s.neighbours[cell])
    return 1 if around & (63 << shift) != 0 and around & (63 << (6 - shift)) == 0 else 0


@KERNELS.export("i64(Hive, i64)")
def immediate_result(s, move):
    """Return 1 if a legal move wins at once, -1 if it loses or the enemy can win with the next move, 0 otherwise.

    Exact, unlike `terminal_score`, which does not look for throws of the enemy queen. Overwrites move list 0.
    """
    our_win = WHITE_WINS if s.side == 0 else BLACK_WINS
    their_win = WHITE_WINS + BLACK_WINS - our_win
    apply(s, move)
    result = s.result
    count = generate(s, 0, 1)  # 0 after the end
    for index in range(count):
        apply(s, np.int64(s.move_lists[0, index]))
        if s.result == their_win:
            result = their_win
        undo(s)
        if result != 0:
            break
    undo(s)
    return 1 if result == our_win else -1 if result == their_win else 0


@KERNELS.export("u64(Hive)")
def repetition_key(s):
    """Return the hash that decides whether a position has occurred before: same hive, same side to move."""
    return board_key(s)


@KERNELS.kernel("u64(Hive)")
def last_moved_key(s):
    """Return the part of the hash for `last_moved`, the tile that must not move now.

    It is 0 unless a pillbug is in play: without one, that tile belongs to the enemy and could not move anyway.
    """
    if s.last_moved < 0 or s.placed[0, PILLBUG] + s.placed[1, PILLBUG] == 0:
        return np.uint64(0)
    cell = np.uint64(((s.tile_cell[s.last_moved] - s.tile_cell[s.anchor]) & CELL_MASK) + CELLS)
    return (cell << LAST_MOVED_SHIFT) * LAST_MOVED_KEY


@KERNELS.export("u64(Hive)")
def key(s):
    """Return the hash of everything that the rest of the game depends on: `repetition_key` and `last_moved_key`."""
    return board_key(s) ^ last_moved_key(s)


@KERNELS.export("i64(Hive, i64)")
def perft(s, depth):
    """Count the sequences of `depth` legal moves, up to MAX_PERFT plies; the last ply is counted without being made."""
    if depth <= 0:
        return 1
    if depth == 1 or s.result != 0:
        return generate(s, 0, 0)
    total = 0
    count = generate(s, depth, 1)
    for index in range(count):
        apply(s, np.int64(s.move_lists[depth, index]))
        total += perft(s, depth - 1)
        undo(s)
    return total
