"""Kernels of the thesis' players: rows by masks, plain alpha-beta, random playouts.

After the bachelor's thesis on Pentago players of the University of Skövde: rows of two, three and four marbles count,
those of the enemy against one, and so do the quadrants' centres.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.kernels.patterns import KERNELS, count_node
from bots.pentago.kernels.rules import ALL_CELLS, apply, undo, wins_by_placing
from bots.pentago.layout import CELL_OF, CENTRES, DRAW, PLACEMENT, SIZE
from core.native.intrinsics import popcount, trailing_zeros
from core.search import scores
from core.search.kernels.randomness import make_xorshift
from core.search.scores import WIN

ROW_POINTS = (0, 0, 1, 10, 100)  # for a row of so many marbles
CENTRE_POINTS = 5


def _row_masks(length: int) -> np.ndarray:
    """The masks of all rows of so many adjacent squares."""
    masks = []
    for (x, y), _ in CELL_OF.items():
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            squares = [(x + step * dx, y + step * dy) for step in range(length)]
            if all(0 <= column < SIZE and 0 <= row < SIZE for column, row in squares):
                masks.append(sum(1 << CELL_OF[square] for square in squares))
    return np.array(masks, dtype=np.int64)


TWOS, THREES, FOURS = _row_masks(2), _row_masks(3), _row_masks(4)
TWO_POINTS, THREE_POINTS, FOUR_POINTS = ROW_POINTS[2:]

xorshift = make_xorshift(KERNELS)


@KERNELS.kernel("i64(i64)")
def rows_value(board):
    """Points of one colour's rows and centres. A row of four also counts as two of three and three of two."""
    value = CENTRE_POINTS * popcount(board >> CENTRES)
    for index in range(TWOS.size):
        value += TWO_POINTS if board & TWOS[index] == TWOS[index] else 0
    for index in range(THREES.size):
        value += THREE_POINTS if board & THREES[index] == THREES[index] else 0
    for index in range(FOURS.size):
        value += FOUR_POINTS if board & FOURS[index] == FOURS[index] else 0
    return value


@KERNELS.export("i64(Pentago, i64)")
def thesis_value(s, ply):
    """The position's worth to the side to move, `ply` moves from the root: its result, else rows against rows."""
    if s.result == DRAW:
        return scores.DRAW
    if s.result != 0:
        return WIN - ply if s.result == s.side + 1 else ply - WIN
    value = rows_value(s.white) - rows_value(s.black)
    return value if s.side == 0 else -value


@KERNELS.export("i64(Pentago, i64, i64, i64, i64)")
def thesis_search(s, alpha, beta, depth, ply):
    """Plain alpha-beta to a depth, fail-soft, moves by squares; void once `aborted` is set."""
    count_node(s)
    if s.aborted != 0 or depth <= 0 or s.result != 0:
        return thesis_value(s, ply)
    free = ALL_CELLS & ~(s.white | s.black)
    best = -WIN
    while free != 0:
        cell = trailing_zeros(free)
        free &= free - 1
        if wins_by_placing(s, cell) != 0:
            return WIN - ply - 1
        for turn in range(8):
            apply(s, 1 + 8 * cell + turn)
            score = -thesis_search(s, -beta, -max(alpha, best), depth - 1, ply + 1)
            undo(s)
            best = max(best, score)
            if best >= beta or s.aborted != 0:
                return best
    return best


@KERNELS.kernel("i64(Pentago, i64)")
def draw_number(s, limit):
    """A random number below `limit`."""
    s.random = xorshift(s.random)
    return np.int64((s.random >> np.uint64(16)) & np.uint64(0xFFFFFF)) % limit


@KERNELS.export("i64(Pentago)")
def play_out(s):
    """The result of a game that goes on with random moves; the position is the same after it."""
    first = s.ply
    while s.result == 0:
        free = ALL_CELLS & ~(s.white | s.black)
        for _ in range(draw_number(s, popcount(free))):
            free &= free - 1
        cell = trailing_zeros(free)
        wins = wins_by_placing(s, cell) != 0
        apply(s, PLACEMENT + cell if wins else 1 + 8 * cell + draw_number(s, 8))
    result = s.result
    while s.ply > first:
        undo(s)
    s.nodes += 1
    return result
