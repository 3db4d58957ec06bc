"""The hive as a record: tiles on a grid of stacks, what each cell's neighbours are, pinned tiles, the hash.

Each cell keeps, up to date, a word of twelve bits: which neighbours have a white tile on top (a bit a direction), which
a black one. What may slide, land or be placed follows from that word by table.

Pinned tiles need no search in most positions. Let V, E, F be the occupied cells, their touching pairs and their
triangles: V - E + F is 1 less the holes of the hive, and a tile whose neighbours form k groups round it changes it by
1 - k. Where the hive has no hole, a tile is pinned just when its neighbours form two groups or more, for a ring that
joined them elsewhere would enclose a hole. Only a hive with holes is searched (Tarjan 1972).
"""

from __future__ import annotations

import numpy as np

from bots.hive.paper.record import THESIS_FIELDS
from bots.hive.tiles import (
    CELLS,
    KINDS,
    MAX_MOVES,
    MAX_PERFT,
    MAX_PLIES,
    SIDE_TILES,
    TILES,
)
from bots.hive.tiles import STEPS as STEP_NUMBERS
from core.native.intrinsics import trailing_zeros
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import alphabeta_fields
from core.search.kernels.randomness import make_keys

POSITION_FIELDS = (
    StateField("limits", "i64", (8,), "tiles of each kind that a side has in this type of game"),
    StateField("ply", "i64", (), "plies played, passes too"),
    StateField("side", "i64", (), "side to move: 0 white, 1 black"),
    StateField("result", "i64", (), "0 while the game goes on, else WHITE_WINS, BLACK_WINS or DRAW"),
    StateField("rested", "i64", (), "tile moved or placed by the ply before, -1 for none"),
    StateField("euler", "i64", (), "1 less the holes of the hive"),
    StateField("stacks", "i64", (), "cells with two tiles or more"),
    StateField("tops", "i64", (2,), "a side's uncovered tiles in play, a bit a tile (of all 28)"),
    StateField("placed", "i64", (2, 8), "tiles in play by side and kind"),
    StateField("in_hand", "i64", (2,), "tiles a side has in hand"),
    StateField("tile_cell", "i16", (TILES,), "cell of a tile, -1 in hand"),
    StateField("tile_level", "i16", (TILES,), "tiles under a tile in play; 0 in hand"),
    StateField("tile_below", "i16", (TILES,), "the tile under a tile, -1 for none"),
    StateField("top", "i8", (CELLS,), "uncovered tile of a cell, -1 for none"),
    StateField("height", "i8", (CELLS,), "tiles on a cell"),
    StateField("near", "i16", (CELLS,), "directions with a white tile on top, and from bit 6 those with a black one"),
    StateField("path", "i16", (MAX_PLIES,), "moves played"),
    StateField("path_origin", "i16", (MAX_PLIES,), "cell that the tile came from, -1 for hand or pass"),
    StateField("path_rested", "i16", (MAX_PLIES,), "`rested` before the move"),
    StateField("path_keys", "u64", (MAX_PLIES,), "`repetition_key` before the move, as far as a search looks back"),
    StateField("lists", "i32", (MAX_PERFT + 1, MAX_MOVES), "moves; list 0 is what a kernel answers with"),
    StateField("free_cells", "i16", (128,), "cells where the side to move may place"),
    StateField("mark", "i64", (CELLS,), "`stamp` of the last collection that a cell was taken into"),
    StateField("stamp", "i64", (), "number of the present collection"),
    StateField(
        "cuts", "i64", (), "tiles on top of cells that hold the hive together, a bit a tile; where it has holes"
    ),
    StateField("cut_order", "i64", (TILES,), "number of a cell's top tile in the search for cuts"),
    StateField("cut_low", "i64", (TILES,), "least number reached from below it"),
    StateField("cut_path", "i64", (TILES,), "cells on the way to the present one"),
    StateField("cut_left", "i64", (TILES,), "their directions not yet tried"),
)
HISTORY_SLOTS = 1 << 15  # one a move: (tile + 1) << 10 | cell
HIVE = StateType("Hive", (*POSITION_FIELDS, *alphabeta_fields(MAX_MOVES, HISTORY_SLOTS), *THESIS_FIELDS))
KERNELS = KernelSet("hive", (HIVE,))

STEPS = np.array(STEP_NUMBERS)
KIND = np.array(KINDS * 2)
COLOUR = np.arange(TILES) // SIDE_TILES
LAST_CELL = CELLS - 1  # as a mask


def _groups(occupied: int) -> int:
    return sum(occupied >> d & 1 and not occupied >> (d + 1) % 6 & 1 for d in range(6))


def _slides(occupied: int) -> int:
    flanks = [(occupied >> (d + 1) % 6 & 1) + (occupied >> (d + 5) % 6 & 1) for d in range(6)]
    return sum(1 << d for d in range(6) if not occupied >> d & 1 and flanks[d] == 1)


GROUPS = np.array([_groups(word) for word in range(64)])  # of occupied neighbours round a cell; 0 for all six
SLIDES = np.array([_slides(word) for word in range(64)])  # directions of one step on the ground, by occupied neighbours


TILE_KEYS = make_keys(20241104, 16 * 8)  # by side, kind and level
CELL_KEYS = make_keys(20241105, CELLS)
SIDE_KEY = np.uint64(0x9D39247E33776D41)
MIX_1, MIX_2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)  # MurmurHash3's finaliser
SHIFT = np.uint64(33)


@KERNELS.kernel("i64(Hive, i64)")
def occupied(s, cell):
    """Directions in which a cell has an occupied neighbour, a bit each."""
    word = np.int64(s.near[cell])
    return (word | (word >> 6)) & 63


@KERNELS.kernel("void(Hive, i64, i64)")
def toggle_near(s, cell, colour):
    """Tell a cell's neighbours that its top changes between none and a tile of a colour."""
    for direction in range(6):
        other = (cell + STEPS[direction]) & LAST_CELL
        s.near[other] ^= 1 << ((direction + 3) % 6 + 6 * colour)


@KERNELS.kernel("void(Hive, i64, i64)")
def put_tile(s, tile, cell):
    """Put a tile that is on no cell on top of a cell."""
    colour, level, below = COLOUR[tile], np.int64(s.height[cell]), np.int64(s.top[cell])
    s.tile_cell[tile] = cell
    s.tile_level[tile] = level
    s.tile_below[tile] = below
    s.tops[colour] |= 1 << tile
    s.top[cell] = tile
    s.height[cell] = level + 1
    if level == 0:
        s.euler += 1 - GROUPS[occupied(s, cell)]
        toggle_near(s, cell, colour)
        return
    if level == 1:
        s.stacks += 1
    other = COLOUR[below]
    s.tops[other] &= ~(1 << below)
    if other != colour:
        toggle_near(s, cell, other)
        toggle_near(s, cell, colour)


@KERNELS.kernel("void(Hive, i64)")
def lift_tile(s, tile):
    """Take an uncovered tile off its cell; the inverse of `put_tile`."""
    cell, level, below = np.int64(s.tile_cell[tile]), np.int64(s.tile_level[tile]), np.int64(s.tile_below[tile])
    colour = COLOUR[tile]
    s.tile_cell[tile] = -1
    s.tile_level[tile] = 0
    s.tile_below[tile] = -1
    s.tops[colour] &= ~(1 << tile)
    s.top[cell] = below
    s.height[cell] = level
    if level == 0:
        s.euler -= 1 - GROUPS[occupied(s, cell)]
        toggle_near(s, cell, colour)
        return
    if level == 1:
        s.stacks -= 1
    other = COLOUR[below]
    s.tops[other] |= 1 << below
    if other != colour:
        toggle_near(s, cell, other)
        toggle_near(s, cell, colour)


@KERNELS.kernel("void(Hive)")
def find_cuts(s):
    """Fill `cuts` with the top tiles of all cells without which the hive falls apart, by one walk over it."""
    cuts = 0
    root = trailing_zeros(np.uint64(s.tops[0] | s.tops[1]))
    cell = np.int64(s.tile_cell[root])
    visited, number, depth, branches = 1 << root, 0, 0, 0
    s.cut_order[root], s.cut_low[root] = 0, 0
    s.cut_path[0], s.cut_left[0] = cell, occupied(s, cell)
    while True:
        cell, left = s.cut_path[depth], s.cut_left[depth]
        tile = np.int64(s.top[cell])
        if left != 0:
            direction = trailing_zeros(left)
            s.cut_left[depth] = left & (left - 1)
            other = (cell + STEPS[direction]) & LAST_CELL
            other_tile = np.int64(s.top[other])
            if (visited >> other_tile) & 1 == 0:
                visited |= 1 << other_tile
                number += 1
                s.cut_order[other_tile], s.cut_low[other_tile] = number, number
                depth += 1
                s.cut_path[depth] = other
                s.cut_left[depth] = occupied(s, other) & ~(1 << ((direction + 3) % 6))
                branches += 1 if depth == 1 else 0
            else:
                s.cut_low[tile] = min(s.cut_low[tile], s.cut_order[other_tile])
            continue
        if depth == 0:
            break
        depth -= 1
        parent = np.int64(s.top[s.cut_path[depth]])
        s.cut_low[parent] = min(s.cut_low[parent], s.cut_low[tile])
        if depth > 0 and s.cut_low[tile] >= s.cut_order[parent]:
            cuts |= 1 << parent
    s.cuts = cuts | (1 << root if branches > 1 else 0)


@KERNELS.kernel("i64(Hive, i64)")
def is_pinned(s, tile):
    """1 where the hive falls apart without an uncovered tile. `cuts` must be known where the hive has holes."""
    if s.tile_level[tile] > 0 or GROUPS[occupied(s, np.int64(s.tile_cell[tile]))] < 2:
        return 0
    return 1 if s.euler == 1 else (s.cuts >> tile) & 1


@KERNELS.kernel("u64(Hive)")
def board_key(s):
    """Hash of the tiles in play by kind and the side to move, wherever on the grid the hive lies.

    Places count from the lowest tile in play, so that two tiles of a kind may change places unnoticed once white's
    queen is there; before, they make another hash.
    """
    anchor = -1
    total = SIDE_KEY if s.side == 1 else np.uint64(0)
    for tile in range(TILES):
        cell = np.int64(s.tile_cell[tile])
        if cell < 0:
            continue
        if anchor < 0:
            anchor = cell
        word = CELL_KEYS[(cell - anchor) & LAST_CELL]
        word ^= TILE_KEYS[(COLOUR[tile] * 8 + KIND[tile]) * 8 + np.int64(s.tile_level[tile])]
        word = (word ^ (word >> SHIFT)) * MIX_1
        word = (word ^ (word >> SHIFT)) * MIX_2
        total += word ^ (word >> SHIFT)
    return total
