"""Hive's tiles and grid as numbers, which kernels and Python share.

A tile is 0..27: white's fourteen, then black's, each in the order of `KINDS`. A cell is `q + 32 r` modulo 1024 of axial
coordinates, a torus: two cells that share a number are 32 steps or more apart, while 28 tiles that hang together and
the cells that their rules look at span 30 at most, so a hive may wander without end. A direction is 0..5, from east
against the clock. A move is `(tile + 1) * 1024 + cell`, or PASS; none is 0.
"""

from __future__ import annotations

QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
KIND_LETTERS = "QSBGAMLP"
KIND_COUNT = (1, 2, 2, 3, 3, 1, 1, 1)  # tiles of a kind that a side owns
KIND_FIRST = (0, 1, 3, 5, 8, 11, 12, 13)  # the first of them among the side's tiles
KINDS = tuple(kind for kind, count in enumerate(KIND_COUNT) for _ in range(count))
SIDE_TILES = len(KINDS)
TILES = 2 * SIDE_TILES

STRIDE = 32
CELLS = STRIDE * STRIDE
STEPS = (1, 1 - STRIDE, -STRIDE, -1, STRIDE - 1, STRIDE)  # E, NE, NW, W, SW, SE
ORIGIN = 16 * STRIDE + 16  # cell of the first tile

MOVE_SHIFT = 10  # a move is (tile + 1) << MOVE_SHIFT | cell
PASS = (TILES + 1) << MOVE_SHIFT

WHITE_WINS, BLACK_WINS = 1, 2  # the record's `result`; 0 while the game goes on
DRAW = WHITE_WINS + BLACK_WINS
MAX_PLIES = 2048  # that a record remembers
MAX_MOVES = 512  # of a position: at most 8 kinds on 58 cells, or four ants on as many, and little beside
MAX_PERFT = 23  # plies


def neighbour(cell: int, direction: int) -> int:
    """The next cell in a direction."""
    return (cell + STEPS[direction]) % CELLS
