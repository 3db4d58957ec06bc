"""Number codes of Hive's tiles, cells, directions and moves, shared by the kernels and the Python modules.

A tile is 0..27: white's 14 tiles, then black's, both in the order of `TILE_KINDS` (the queens are tiles 0 and 14).

A cell is `(q + 32 * r) % 1024`, where q and r are axial coordinates. The grid is a torus, so a hive may travel without
ever reaching an edge. Two different cells with the same code are at least 32 steps apart. A connected hive of 28 tiles,
with the empty cells that the rules look at, spans at most 30 steps, so it never meets itself.

A direction is 0..5, counterclockwise from east:

       2   1
     3   .   0
       4   5

A move is `(tile + 1) << 10 | cell`, or PASS. No move is 0.
"""

from __future__ import annotations

QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
KIND_LETTERS = "QSBGAMLP"
TILES_OF_KIND = (1, 2, 2, 3, 3, 1, 1, 1)  # by kind: how many tiles each side has
FIRST_OF_KIND = (0, 1, 3, 5, 8, 11, 12, 13)  # by kind: index of its first tile among a side's 14
TILE_KINDS = tuple(kind for kind, count in enumerate(TILES_OF_KIND) for _ in range(count))  # of a side's 14 tiles
SIDE_TILES = len(TILE_KINDS)
TILE_COUNT = 2 * SIDE_TILES

STRIDE = 32  # columns and rows of the torus
CELLS = STRIDE * STRIDE  # number of cells
STEPS = (1, 1 - STRIDE, -STRIDE, -1, STRIDE - 1, STRIDE)  # by direction: E, NE, NW, W, SW, SE
START_CELL = 16 * STRIDE + 16  # cell of a game's first tile

MOVE_SHIFT = 10  # a move is (tile + 1) << MOVE_SHIFT | cell
PASS = (TILE_COUNT + 1) << MOVE_SHIFT

WHITE_WINS, BLACK_WINS = 1, 2  # values of the state's `result`, which is 0 during the game
DRAW = WHITE_WINS + BLACK_WINS
MAX_PLIES = 2048  # length of the move history in the state
# Length of a move list. Placements are at most 8 kinds on 58 cells, and 4 ants have at most 58 targets each; a position
# with many kinds in hand has few tiles in play, so the two bounds are never reached together.
MAX_MOVES = 512
MAX_PERFT = 23  # plies; the state has one move list for each ply of perft


def neighbour(cell: int, direction: int) -> int:
    """Return the adjacent cell in a direction."""
    return (cell + STEPS[direction]) % CELLS
