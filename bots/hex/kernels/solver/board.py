"""The solver's board: its cells as sets of bits, stones put and taken back, hashes.

An end is an edge of a colour (0 and 1) or a cell (2 + x + y * width); the records tell more.
"""

from __future__ import annotations

import numpy as np

from bots.hex.kernels.records import KERNELS, MAX_STONES, SOLVER
from core.search.kernels.polling import make_must_stop
from core.search.kernels.randomness import make_keys

ONE, NONE = np.uint64(1), np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
STEP_X = np.array([1, 1, 0, -1, -1, 0])  # round a cell, so that each neighbour touches the next
STEP_Y = np.array([0, -1, -1, 0, 1, 1])

# The first 128 keys of a colour are older than boards of more than 126 cells, whose node counts they keep.
_SMALL_KEYS = make_keys(20240912, 2, 128)
ZOBRIST = np.concatenate([_SMALL_KEYS, make_keys(20261126, 2, MAX_STONES + 2 - 128)], axis=1)

WORK_PER_LOOK = 512  # about as many connections are tried in a tenth of a millisecond

must_stop = make_must_stop(KERNELS, SOLVER.name)


@KERNELS.kernel("i64(HexSolver)")
def is_late(s):
    """1, and `late` is set, when time or patience are used up; the clock is looked at after WORK_PER_LOOK of `work`."""
    if s.work >= WORK_PER_LOOK:
        s.work = 0
        s.late |= must_stop(s)
    return s.late


@KERNELS.kernel("u64(i64)")
def bit(end):
    """The bit of an end in its word."""
    return ONE << np.uint64(end & 63)


@KERNELS.kernel("i64(i64, i64)")
def pair_of(one, other):
    """Index of an unordered pair of different ends; that of the two edges is 0."""
    if one < other:
        return (other * (other - 1) >> 1) + one
    return (one * (one - 1) >> 1) + other


@KERNELS.kernel("i64(HexSolver, i64)")
def is_empty(s, end):
    """1 where a cell holds no stone."""
    return 1 if (s.stones[0, end >> 6] | s.stones[1, end >> 6]) & bit(end) == NONE else 0


@KERNELS.kernel("i64(HexSolver, i64)")
def turned_end(s, end):
    """The cell where another comes to lie when the board is turned by half a circle."""
    return s.ends + 1 - end


@KERNELS.kernel("void(HexSolver, i64, i64)")
def flip_stone(s, colour, end):
    """Put a stone on an empty cell, or take it away: sets, hashes, and the rings of its neighbours."""
    s.stones[colour, end >> 6] ^= bit(end)
    s.hash ^= ZOBRIST[colour, end]
    s.turned_hash ^= ZOBRIST[colour, turned_end(s, end)]
    for direction in range(6):
        other = np.int64(s.ring[end, direction])
        if other >= 2:
            s.rings[other] = np.int64(s.rings[other]) ^ ((colour + 1) << (2 * ((direction + 3) % 6)))


@KERNELS.kernel("void(HexSolver, i64)")
def find_surroundings(s, end):
    """Fill the neighbours of a cell, and the cells within two steps."""
    x, y = (end - 2) % s.width, (end - 2) // s.width
    for word in range(s.board.size):
        s.near[end, word] = NONE
    s.rings[end] = 0
    for direction in range(6):
        other_x, other_y = x + STEP_X[direction], y + STEP_Y[direction]
        if 0 <= other_x < s.width and 0 <= other_y < s.height:
            other = 2 + other_x + other_y * s.width
            s.near[end, other >> 6] |= bit(other)
            s.ring[end, direction] = other
        else:  # the two obtuse corners belong to neither side; between one edge of each they make no difference
            colour = 0 if other_y < 0 or other_y >= s.height else 1
            s.ring[end, direction] = colour
            s.rings[end] = np.int64(s.rings[end]) | ((colour + 1) << (2 * direction))


@KERNELS.kernel("void(HexSolver, i64, i64)")
def solver_setup(s, width, height):
    """Empty board of a size, which the record has room for."""
    s.width, s.height, s.ends = width, height, 2 + width * height
    s.hash, s.turned_hash = NONE, NONE
    s.log_length = 0
    for word in range(s.board.size):
        s.board[word] = NONE
        for colour in range(2):
            s.stones[colour, word] = NONE
            for edge in range(2):
                s.edges[colour, edge, word] = NONE
    for end in range(2, s.ends):
        x, y = (end - 2) % width, (end - 2) // width
        s.board[end >> 6] |= bit(end)
        for edge in range(2):
            if y == edge * (height - 1):
                s.edges[0, edge, end >> 6] |= bit(end)
            if x == edge * (width - 1):
                s.edges[1, edge, end >> 6] |= bit(end)
        find_surroundings(s, end)
    for end in range(2, s.ends):
        for word in range(s.board.size):
            s.wide[end, word] = s.near[end, word]
        for direction in range(6):
            other = np.int64(s.ring[end, direction])
            if other >= 2:
                for word in range(s.board.size):
                    s.wide[end, word] |= s.near[other, word]
    for one in range(s.ends):
        for other in range(one):
            s.pair_ends[pair_of(one, other), 0] = other
            s.pair_ends[pair_of(one, other), 1] = one
