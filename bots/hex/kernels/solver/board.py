"""The solver's board: cells as bits of sets, stones, Zobrist hashes.

A cell (x, y) has the number 2 + x + y * width; the numbers 0 and 1 stand for the edges of a colour. Cell number n is
bit n & 63 of word n >> 6 of a set. On a board of width 3 the neighbours of cell n, with their directions:

      2: n-3   1: n-2
    3: n-1   n   0: n+1
      4: n+2   5: n+3

The ring code of a cell holds the contents of its six neighbours, 2 bits for each direction: 0 empty, 1 black, 2 white.
A neighbour beyond an edge counts as a stone of that edge's colour.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, MAX_STONES, SOLVER
from core.search.kernels.polling import make_must_stop
from core.search.kernels.randomness import make_keys

ONE, ZERO = np.uint64(1), np.uint64(0)
ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)
STEP_X = np.array([1, 1, 0, -1, -1, 0])  # directions in circular order: each neighbour touches the next
STEP_Y = np.array([0, -1, -1, 0, 1, 1])

# Boards of up to 126 cells use only the first 128 keys of a colour. These come from a generator of their own, so that
# the node counts of these boards do not depend on the largest board.
_SMALL_KEYS = make_keys(20240912, 2, 128)
ZOBRIST = np.concatenate([_SMALL_KEYS, make_keys(20261126, 2, MAX_STONES + 2 - 128)], axis=1)

WORK_PER_POLL = 512  # connections tried between two readings of the clock, about 0.1 ms

must_stop = make_must_stop(KERNELS, SOLVER.name)


@KERNELS.kernel("i64(HexSolver)")
def is_interrupted(s):
    """Return 1 and set `interrupted` once a limit is reached or the stop flag is set; poll every WORK_PER_POLL units of
    work.
    """
    if s.work >= WORK_PER_POLL:
        s.work = 0
        s.interrupted |= must_stop(s)
    return s.interrupted


@KERNELS.kernel("u64(i64)")
def bit(cell):
    """Return the bit of a cell in its word of a set."""
    return ONE << np.uint64(cell & 63)


@KERNELS.kernel("i64(i64, i64)")
def pair_index(one, other):
    """Return the index of an unordered pair of different numbers; the pair of the two edges has index 0."""
    if one < other:
        return (other * (other - 1) >> 1) + one
    return (one * (one - 1) >> 1) + other


@KERNELS.kernel("i64(HexSolver, i64)")
def is_empty(s, cell):
    """Return 1 if a cell has no stone."""
    return 1 if (s.stones[0, cell >> 6] | s.stones[1, cell >> 6]) & bit(cell) == ZERO else 0


@KERNELS.kernel("i64(HexSolver, i64)")
def rotated_cell(s, cell):
    """Return the cell that corresponds to `cell` after rotating the board by 180 degrees."""
    return s.cell_end + 1 - cell


@KERNELS.kernel("void(HexSolver, i64, i64)")
def toggle_stone(s, colour, cell):
    """Place a stone on an empty cell or remove it: update sets, hashes and the ring codes of its neighbours."""
    s.stones[colour, cell >> 6] ^= bit(cell)
    s.hash ^= ZOBRIST[colour, cell]
    s.rotated_hash ^= ZOBRIST[colour, rotated_cell(s, cell)]
    for direction in range(6):
        other = np.int64(s.neighbour[cell, direction])
        if other >= 2:
            # seen from the neighbour, this cell lies in the opposite direction
            s.ring_code[other] = np.int64(s.ring_code[other]) ^ ((colour + 1) << (2 * ((direction + 3) % 6)))


@KERNELS.kernel("void(HexSolver, i64)")
def init_neighbours(s, cell):
    """Fill the neighbours and the ring code of a cell on an empty board."""
    x, y = (cell - 2) % s.width, (cell - 2) // s.width
    for word in range(s.all_cells.size):
        s.neighbour_set[cell, word] = ZERO
    s.ring_code[cell] = 0
    for direction in range(6):
        other_x, other_y = x + STEP_X[direction], y + STEP_Y[direction]
        if 0 <= other_x < s.width and 0 <= other_y < s.height:
            other = 2 + other_x + other_y * s.width
            s.neighbour_set[cell, other >> 6] |= bit(other)
            s.neighbour[cell, direction] = other
        else:  # A neighbour beyond a corner may belong to either side: it lies between one edge of each.
            colour = 0 if other_y < 0 or other_y >= s.height else 1
            s.neighbour[cell, direction] = colour
            s.ring_code[cell] = np.int64(s.ring_code[cell]) | ((colour + 1) << (2 * direction))


@KERNELS.kernel("void(HexSolver, i64, i64)")
def solver_setup(s, width, height):
    """Set up an empty board; the state must have room for its size."""
    s.width, s.height, s.cell_end = width, height, 2 + width * height
    s.hash, s.rotated_hash = ZERO, ZERO
    s.undo_count = 0
    for word in range(s.all_cells.size):
        s.all_cells[word] = ZERO
        for colour in range(2):
            s.stones[colour, word] = ZERO
            for edge in range(2):
                s.edges[colour, edge, word] = ZERO
    for cell in range(2, s.cell_end):
        x, y = (cell - 2) % width, (cell - 2) // width
        s.all_cells[cell >> 6] |= bit(cell)
        for edge in range(2):
            if y == edge * (height - 1):
                s.edges[0, edge, cell >> 6] |= bit(cell)
            if x == edge * (width - 1):
                s.edges[1, edge, cell >> 6] |= bit(cell)
        init_neighbours(s, cell)
    for cell in range(2, s.cell_end):
        for word in range(s.all_cells.size):
            s.nearby_set[cell, word] = s.neighbour_set[cell, word]
        for direction in range(6):
            other = np.int64(s.neighbour[cell, direction])
            if other >= 2:
                for word in range(s.all_cells.size):
                    s.nearby_set[cell, word] |= s.neighbour_set[other, word]
    for one in range(s.cell_end):
        for other in range(one):
            s.pair_cells[pair_index(one, other), 0] = other
            s.pair_cells[pair_index(one, other), 1] = one
