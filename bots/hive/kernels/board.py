"""The state of a Hive game, and the kernels that add and remove tiles, find pinned tiles and hash the position.

Layout of the state, by example: the white beetle (tile 3) stands on the black queen (tile 14) on cell c, with white
tiles to the east and south-west of it:

    height[c]  2     tile_cell[3]  c     tile_level[3]  1     tile_below[3]  14
    top[c]     3     tile_cell[14] c     tile_level[14] 0     tile_below[14] -1
    neighbours[c]    000000 010001       6 bits for black top tiles, 6 for white ones; bit d is direction d

`neighbours` is updated with every move. A table lookup on it tells which steps can slide; its colours tell where a tile
may be placed. bots/hive/tiles.py explains how tiles, cells, directions and moves are numbered.

Pinned tiles (one-hive rule) are the articulation points of the graph of occupied cells. Most positions need no graph
search for them. The Euler number V - E + F (occupied cells, adjacent pairs, triangles of three adjacent cells) equals 1
minus the number of holes, because the hive is connected. Adding a tile whose neighbours form k separate groups around
it changes the number by 1 - k, so `euler_number` is cheap to keep. In a hive without holes, a tile is pinned if and
only if its neighbours form two or more groups: a path that joined the groups elsewhere would enclose a hole. Only a
hive with holes needs `find_cut_tiles`, a depth-first search (Tarjan, "Depth-first search and linear graph algorithms",
1972).
"""

from __future__ import annotations

import numpy as np

from bots.hive.kernels.network_fields import network_fields
from bots.hive.paper.state_fields import THESIS_FIELDS
from bots.hive.search_parameters import PARAMETERS
from bots.hive.tiles import (
    CELLS,
    MAX_MOVES,
    MAX_PERFT,
    MAX_PLIES,
    SIDE_TILES,
    TILE_COUNT,
    TILE_KINDS,
)
from bots.hive.tiles import STEPS as STEP_NUMBERS
from core.native.intrinsics import trailing_zeros
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import alphabeta_fields
from core.search.kernels.randomness import make_keys

POSITION_FIELDS = (
    StateField("kind_limits", "i64", (8,), "tiles of each kind that a side has in this game type"),
    StateField("ply", "i64", (), "plies played, including passes"),
    StateField("side", "i64", (), "side to move: 0 white, 1 black"),
    StateField("result", "i64", (), "0 during the game, else WHITE_WINS, BLACK_WINS or DRAW"),
    StateField("last_moved", "i64", (), "tile moved or placed by the previous ply, -1 for none; it must not move now"),
    StateField("euler_number", "i64", (), "1 minus the number of holes in the hive; 0 without tiles"),
    StateField("stack_count", "i64", (), "cells with two or more tiles"),
    StateField("uncovered", "i64", (2,), "by side: bit set of its tiles that lie on top of a cell (bit = tile, 0..27)"),
    StateField("placed", "i64", (2, 8), "tiles in play by side and kind"),
    StateField("in_hand", "i64", (2,), "tiles in hand by side"),
    StateField("tile_cell", "i16", (TILE_COUNT,), "cell of each tile, -1 in hand"),
    StateField("tile_level", "i16", (TILE_COUNT,), "number of tiles below each tile in play; 0 in hand"),
    StateField("tile_below", "i16", (TILE_COUNT,), "tile directly below each tile, -1 for none"),
    StateField("top", "i8", (CELLS,), "uncovered tile of each cell, -1 for none"),
    StateField("height", "i8", (CELLS,), "number of tiles on each cell"),
    StateField(
        "neighbours", "i16", (CELLS,), "bits 0..5: directions with a white top tile; bits 6..11: with a black one"
    ),
    StateField("path", "i16", (MAX_PLIES,), "moves played"),
    StateField("path_origin", "i16", (MAX_PLIES,), "cell that each moved tile came from, -1 for hand or pass"),
    StateField("path_last_moved", "i16", (MAX_PLIES,), "`last_moved` before each move"),
    StateField(
        "path_keys", "u64", (MAX_PLIES,), "`repetition_key` before each move; only those that a search needs are set"
    ),
    StateField("contempt", "i64", (), "evaluation units that a draw costs the side to move at the root of a search"),
    StateField("winning_tile", "i64", (2,), "by side: tile of the latest move found that surrounds the enemy queen"),
    StateField("move_lists", "i32", (MAX_PERFT + 1, MAX_MOVES), "move lists; list 0 is the result of most kernels"),
    StateField("placement_cells", "i16", (128,), "cells where the side to move may place a tile"),
    StateField("anchor", "i64", (), "tile in play with the lowest number, -1 for none; see `board_key`"),
    StateField("tiles_key", "u64", (), "sum of the hashes of the tiles in play"),
    StateField("path_anchor", "i16", (MAX_PLIES,), "`anchor` before each move"),
    StateField("path_tiles_key", "u64", (MAX_PLIES,), "`tiles_key` before each move"),
    StateField("cell_stamp", "i64", (CELLS,), "`current_stamp` when the cell was last added to a set of cells"),
    StateField("current_stamp", "i64", (), "identifies the set of cells that is being collected"),
    StateField("cut_tiles", "i64", (), "bit set of the top tiles of articulation points, or CUT_TILES_UNKNOWN"),
    StateField("dfs_number", "i64", (TILE_COUNT,), "depth-first search: order in which each top tile was reached"),
    StateField("dfs_low", "i64", (TILE_COUNT,), "depth-first search: lowest number reachable from the tile's subtree"),
    StateField("dfs_path", "i64", (TILE_COUNT,), "depth-first search: stack of cells"),
    StateField(
        "dfs_remaining", "i64", (TILE_COUNT,), "depth-first search: untried directions of each cell on the stack"
    ),
)
HISTORY_SLOTS = 1 << 15  # history heuristic: one slot per move code, rounded up to a power of two
HIVE = StateType(
    "Hive",
    (
        *POSITION_FIELDS,
        *network_fields(),
        *alphabeta_fields(MAX_MOVES, HISTORY_SLOTS, PARAMETERS),
        *THESIS_FIELDS,
    ),
)
KERNELS = KernelSet("hive", (HIVE,))

STEPS = np.array(STEP_NUMBERS)
KIND = np.array(TILE_KINDS * 2)  # by tile
COLOUR = np.arange(TILE_COUNT) // SIDE_TILES  # by tile
CUT_TILES_UNKNOWN = -1  # value of `cut_tiles` from a change of the hive until `find_cut_tiles` runs
CELL_MASK = CELLS - 1  # wraps a cell number round the torus, and takes the cell out of a move


def _count_groups(mask: int) -> int:
    """Count the runs of adjacent occupied neighbours around a cell; 0 if all six are occupied."""
    return sum(mask >> d & 1 and not mask >> (d + 1) % 6 & 1 for d in range(6))


def _slide_directions(mask: int) -> int:
    """Return the directions in which a tile on the ground can slide one step, as bits.

    The target must be empty, and exactly one of the two cells beside the step must be occupied: with both the gap is
    too narrow, with neither the tile would lose touch with the hive.
    """
    flanks = [(mask >> (d + 1) % 6 & 1) + (mask >> (d + 5) % 6 & 1) for d in range(6)]
    return sum(1 << d for d in range(6) if not mask >> d & 1 and flanks[d] == 1)


# Both tables are indexed by `neighbour_mask`.
GROUP_COUNT = np.array([_count_groups(mask) for mask in range(64)])
SLIDES = np.array([_slide_directions(mask) for mask in range(64)])

# Zobrist-like keys; see `board_key`. The seeds are arbitrary.
TILE_KEYS = make_keys(20241104, 16 * 8)  # by side, kind and level
CELL_KEYS = make_keys(20241105, CELLS)  # by cell relative to the anchor
SIDE_KEY = np.uint64(0x9D39247E33776D41)
# Factors and shift of the 64-bit finaliser of MurmurHash3.
MIX_1, MIX_2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
SHIFT = np.uint64(33)


@KERNELS.kernel("i64(Hive, i64)")
def neighbour_mask(s, cell):
    """Return a 6-bit mask of the directions in which a cell has an occupied neighbour."""
    colours = np.int64(s.neighbours[cell])
    return (colours | (colours >> 6)) & 63


@KERNELS.kernel("void(Hive, i64, i64)")
def toggle_neighbour(s, cell, colour):
    """Update `neighbours` around a cell on which a top tile of a colour appears or disappears."""
    for direction in range(6):
        other = (cell + STEPS[direction]) & CELL_MASK
        s.neighbours[other] ^= 1 << ((direction + 3) % 6 + 6 * colour)


@KERNELS.kernel("void(Hive, i64, i64)")
def add_tile(s, tile, cell):
    """Put a tile that is not in play on top of a cell."""
    colour, level, below = COLOUR[tile], np.int64(s.height[cell]), np.int64(s.top[cell])
    s.cut_tiles = CUT_TILES_UNKNOWN
    s.tile_cell[tile] = cell
    s.tile_level[tile] = level
    s.tile_below[tile] = below
    s.uncovered[colour] |= 1 << tile
    s.top[cell] = tile
    s.height[cell] = level + 1
    if level == 0:
        s.euler_number += 1 - GROUP_COUNT[neighbour_mask(s, cell)]
        toggle_neighbour(s, cell, colour)
        return
    if level == 1:
        s.stack_count += 1
    other = COLOUR[below]
    s.uncovered[other] &= ~(1 << below)
    if other != colour:
        toggle_neighbour(s, cell, other)
        toggle_neighbour(s, cell, colour)


@KERNELS.kernel("void(Hive, i64)")
def remove_tile(s, tile):
    """Take an uncovered tile off its cell, undoing `add_tile`."""
    cell, level, below = np.int64(s.tile_cell[tile]), np.int64(s.tile_level[tile]), np.int64(s.tile_below[tile])
    colour = COLOUR[tile]
    s.cut_tiles = CUT_TILES_UNKNOWN
    s.tile_cell[tile] = -1
    s.tile_level[tile] = 0
    s.tile_below[tile] = -1
    s.uncovered[colour] &= ~(1 << tile)
    s.top[cell] = below
    s.height[cell] = level
    if level == 0:
        s.euler_number -= 1 - GROUP_COUNT[neighbour_mask(s, cell)]
        toggle_neighbour(s, cell, colour)
        return
    if level == 1:
        s.stack_count -= 1
    other = COLOUR[below]
    s.uncovered[other] |= 1 << below
    if other != colour:
        toggle_neighbour(s, cell, other)
        toggle_neighbour(s, cell, colour)


@KERNELS.kernel("void(Hive)")
def find_cut_tiles(s):
    """Fill `cut_tiles` with the top tiles of the articulation points of the hive.

    Tarjan's depth-first search with an explicit stack (`dfs_path`). A cell other than the root is an articulation
    point if the subtree of one of its children reaches no cell above it; the root is one if it has two or more
    children.
    """
    cut_tiles = 0
    root = trailing_zeros(np.uint64(s.uncovered[0] | s.uncovered[1]))
    cell = np.int64(s.tile_cell[root])
    visited, number, depth, branches = 1 << root, 0, 0, 0
    s.dfs_number[root], s.dfs_low[root] = 0, 0
    s.dfs_path[0], s.dfs_remaining[0] = cell, neighbour_mask(s, cell)
    while True:
        cell, remaining = s.dfs_path[depth], s.dfs_remaining[depth]
        tile = np.int64(s.top[cell])
        if remaining != 0:
            # follow the next edge of the cell on top of the stack
            direction = trailing_zeros(remaining)
            s.dfs_remaining[depth] = remaining & (remaining - 1)
            other = (cell + STEPS[direction]) & CELL_MASK
            other_tile = np.int64(s.top[other])
            if (visited >> other_tile) & 1 == 0:
                visited |= 1 << other_tile
                number += 1
                s.dfs_number[other_tile], s.dfs_low[other_tile] = number, number
                depth += 1
                s.dfs_path[depth] = other
                s.dfs_remaining[depth] = neighbour_mask(s, other) & ~(1 << ((direction + 3) % 6))
                branches += 1 if depth == 1 else 0
            else:
                s.dfs_low[tile] = min(s.dfs_low[tile], s.dfs_number[other_tile])
            continue
        if depth == 0:
            break
        # all edges followed: return to the parent
        depth -= 1
        parent = np.int64(s.top[s.dfs_path[depth]])
        s.dfs_low[parent] = min(s.dfs_low[parent], s.dfs_low[tile])
        if depth > 0 and s.dfs_low[tile] >= s.dfs_number[parent]:
            cut_tiles |= 1 << parent
    s.cut_tiles = cut_tiles | (1 << root if branches > 1 else 0)


@KERNELS.kernel("i64(Hive, i64)")
def is_pinned(s, tile):
    """Return 1 if removing an uncovered tile would split the hive, else 0. A tile on a stack is never pinned."""
    if s.tile_level[tile] > 0 or GROUP_COUNT[neighbour_mask(s, np.int64(s.tile_cell[tile]))] < 2:
        return 0
    if s.euler_number == 1:
        return 1
    if s.cut_tiles == CUT_TILES_UNKNOWN:
        find_cut_tiles(s)
    return (s.cut_tiles >> tile) & 1


@KERNELS.kernel("u64(Hive, i64)")
def tile_key(s, tile):
    """Return the hash of a tile in play: its side, kind and level, and its cell relative to the anchor."""
    cell = np.int64(s.tile_cell[tile])
    mixed = CELL_KEYS[(cell - np.int64(s.tile_cell[s.anchor])) & CELL_MASK]
    mixed ^= TILE_KEYS[(COLOUR[tile] * 8 + KIND[tile]) * 8 + np.int64(s.tile_level[tile])]
    mixed = (mixed ^ (mixed >> SHIFT)) * MIX_1
    mixed = (mixed ^ (mixed >> SHIFT)) * MIX_2
    return mixed ^ (mixed >> SHIFT)


@KERNELS.kernel("void(Hive)")
def compute_tiles_key(s):
    """Find the anchor, and sum the hashes of all tiles in play into `tiles_key`."""
    s.anchor = -1
    total = np.uint64(0)
    for tile in range(TILE_COUNT):
        if s.tile_cell[tile] < 0:
            continue
        if s.anchor < 0:
            s.anchor = tile
        total += tile_key(s, tile)
    s.tiles_key = total


@KERNELS.kernel("u64(Hive)")
def board_key(s):
    """Return a hash of the tiles in play and the side to move that does not depend on where on the grid the hive lies.

    Cells are taken relative to the anchor, the tile in play with the lowest number. Tiles hash by kind, so swapping two
    tiles of one kind gives the same hash, except that a swap that moves the anchor may give another one. Once the white
    queen (tile 0) is in play it is the anchor, and the hash is exact in this respect.
    """
    return s.tiles_key + (SIDE_KEY if s.side == 1 else np.uint64(0))
