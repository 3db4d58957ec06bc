"""Kernels of the players after the Skövde thesis: evaluation by rows of marbles, plain alpha-beta, random playouts.

Source: S. Jonsson, "AI till brädspel: en jämförelse mellan två olika sökalgoritmer vid implementation av AI till
brädspelet Pentago", bachelor's thesis, University of Skövde, 2014. Its evaluation counts rows of two, three and four
adjacent marbles and the quadrants' centres, for one side minus the other.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.kernels.patterns import KERNELS, count_node
from bots.pentago.kernels.rules import ALL_CELLS, apply, undo, wins_by_placing
from bots.pentago.layout import CELL_OF, DRAW, FIRST_CENTRE, PLACEMENT, SIZE
from core.native.intrinsics import popcount, trailing_zeros
from core.search import scores
from core.search.kernels.randomness import make_xorshift
from core.search.scores import WIN

ROW_POINTS = (0, 0, 1, 10, 100)  # by number of marbles in a row
CENTRE_POINTS = 5


def _row_masks(length: int) -> np.ndarray:
    """Return the masks of all rows of `length` adjacent squares."""
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
def rows_score(board):
    """Return the points of one colour's rows and centres. A row of four contains two of three and three of two."""
    value = CENTRE_POINTS * popcount(board >> FIRST_CENTRE)
    for index in range(TWOS.size):
        value += TWO_POINTS if board & TWOS[index] == TWOS[index] else 0
    for index in range(THREES.size):
        value += THREE_POINTS if board & THREES[index] == THREES[index] else 0
    for index in range(FOURS.size):
        value += FOUR_POINTS if board & FOURS[index] == FOURS[index] else 0
    return value


@KERNELS.export("i64(Pentago, i64)")
def thesis_evaluate(s, ply):
    """Return the score for the side to move at `ply` moves from the root: the game's result, else the rows."""
    if s.result == DRAW:
        return scores.DRAW
    if s.result != 0:
        return WIN - ply if s.result == s.side + 1 else ply - WIN
    value = rows_score(s.white) - rows_score(s.black)
    return value if s.side == 0 else -value


@KERNELS.export("i64(Pentago, i64, i64, i64, i64)")
def thesis_search(s, alpha, beta, depth, ply):
    """Return the score of a plain fail-soft alpha-beta search, which tries the moves in order of squares.

    The score is meaningless if `aborted` is set.
    """
    count_node(s)
    if s.aborted != 0 or depth <= 0 or s.result != 0:
        return thesis_evaluate(s, ply)
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
def random_below(s, limit):
    """Return a random number from 0 to `limit` - 1."""
    s.random = xorshift(s.random)
    return np.int64((s.random >> np.uint64(16)) & np.uint64(0xFFFFFF)) % limit


@KERNELS.export("i64(Pentago)")
def play_out(s):
    """Play random moves to the end of the game, take them back, and return the result."""
    first = s.ply
    while s.result == 0:
        free = ALL_CELLS & ~(s.white | s.black)
        for _ in range(random_below(s, popcount(free))):
            free &= free - 1
        cell = trailing_zeros(free)
        wins = wins_by_placing(s, cell) != 0
        apply(s, PLACEMENT + cell if wins else 1 + 8 * cell + random_below(s, 8))
    result = s.result
    while s.ply > first:
        undo(s)
    s.nodes += 1
    return result
