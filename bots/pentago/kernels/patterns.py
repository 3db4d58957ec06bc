"""Counts of each colour's marbles in the 32 lines of five, and the state of Pentago's kernels.

A board is a bitboard of one colour's marbles, one bit per cell (bots/pentago/layout.py). A five is a line of five
marbles of one colour, which wins.

The counts of 32 lines are two words of sixteen four-bit fields (lines 0-15 and 16-31 of layout.LINES):

    bits 0-3: marbles in line 0      bits 4-7: line 1      ...      bits 60-63: line 15

They are the sum of five table look-ups: one for each quadrant's ring (a byte, see layout.py) and one for the four
centres. A field of 5 is a five. A quadrant's content is a 9-bit number, its ring and then its centre.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.layout import CELLS, FIRST_CENTRE, LINES, MAX_LOW_SQUARES, QUADRANTS
from bots.pentago.search_parameters import PARAMETERS
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY, alphabeta_fields
from core.search.kernels.polling import make_count_node
from core.search.kernels.transposition_table import make_table

MAX_MOVES = 288  # 36 squares times 8 rotations
FIELDS_LOW = 0x1111111111111111  # the lowest bit of each field
RING = 0xFF  # mask of a quadrant's eight outer squares

POSITION_FIELDS = (
    StateField("white", "i64", (), "white's marbles, one bit per cell"),
    StateField("black", "i64", (), "black's marbles, one bit per cell"),
    StateField("side", "i64", (), "side to move: 0 white, 1 black"),
    StateField("result", "i64", (), "WHITE_WINS, BLACK_WINS or DRAW once the game is over, else 0"),
    StateField("ply", "i64", (), "moves played since the position was set up"),
    StateField("path_white", "i64", (MAX_PLY + 64,), "white's marbles before each move"),
    StateField("path_black", "i64", (MAX_PLY + 64,), "black's marbles before each move"),
    StateField("path", "i32", (MAX_PLY + 64,), "moves played"),
    StateField("list", "i32", (MAX_MOVES,), "moves returned by list_legal"),
    StateField(
        "symmetry", "i64", (), "number of the symmetry under which the last hashed position has the smallest hash"
    ),
    StateField(
        "threats_own", "i64", (), "marbles of the side to move of the position that `rotated_threes` belongs to"
    ),
    StateField("threats_other", "i64", (), "marbles of the other side of that position"),
    StateField("rotated_threes", "i64", (), "result of `threats.count_rotated_threes` for that position"),
    StateField("random", "u64", (), "state of the random generator of playouts; never 0"),
    StateField("slice_count", "i64", (), "solver: number of empty squares of the position that is solved"),
    StateField("slice_cells", "i64", (CELLS,), "solver: cells of those squares"),
    StateField("binomials", "i64", (CELLS + 1, CELLS + 1), "solver: binomial coefficients, n over k"),
    StateField("low_count", "i64", (), "solver: how many of the empty squares are low (kernels/retrograde.py)"),
    StateField(
        "class_start",
        "i64",
        (MAX_LOW_SQUARES + 1, MAX_LOW_SQUARES + 1),
        "solver: index of the first low choice of each class, by marbles and by marbles of the first side",
    ),
    StateField(
        "children_start",
        "i64",
        (2, MAX_LOW_SQUARES + 1, MAX_LOW_SQUARES + 1),
        "solver: index of the first child of each class, by mover, marbles and marbles of the first side",
    ),
    StateField(
        "high_child_start", "u64", (CELLS,), "solver: index of the tile that a marble on each free high square leads to"
    ),
    StateField(
        "high_fives",
        "u64",
        (2 << MAX_LOW_SQUARES,),
        "solver: fives that the mover makes on high squares, two words for each set of its low squares",
    ),
)
SEARCH_FIELDS = alphabeta_fields(max_moves=MAX_MOVES, history_slots=2 * MAX_MOVES, parameters=PARAMETERS)
PENTAGO = StateType("Pentago", POSITION_FIELDS + SEARCH_FIELDS)
KERNELS = KernelSet("pentago", (PENTAGO,))

count_node = make_count_node(KERNELS, PENTAGO.name)
plain_table = make_table(KERNELS, PENTAGO.name)


def _line_words() -> np.ndarray:
    """Return what a marble on each cell adds to the two words of line counts: shape (CELLS, 2)."""
    words = np.zeros((CELLS, 2), dtype=np.int64)
    for number, line in enumerate(LINES):
        words[list(line), number // 16] += 1 << 4 * (number % 16)
    return words


def _sums(words: np.ndarray) -> np.ndarray:
    """Return the sum of each subset of some words, indexed by the subset's bits."""
    choices = np.arange(1 << len(words))[:, np.newaxis] >> np.arange(len(words)) & 1
    sums: np.ndarray = choices @ words
    return sums


def _rotation_words(rings: np.ndarray) -> np.ndarray:
    """Return how the rotation of a quadrant changes the line counts, by quadrant and ring, as a flat array.

    Each ring has two words for the anticlockwise rotation, then two for the clockwise one.
    """
    ring = np.arange(RING + 1)
    turned = [(ring << shift | ring >> (8 - shift)) & RING for shift in (6, 2)]
    return np.concatenate([rings[:, after] - rings for after in turned], axis=2).reshape(-1)


# Two words of line counts for each cell, for each ring of each quadrant, and for each set of centres.
CELL_LINES = _line_words()
RING_LINES = np.array([_sums(CELL_LINES[8 * quadrant : 8 * quadrant + 8]) for quadrant in range(QUADRANTS)])
CENTRE_LINES = _sums(CELL_LINES[FIRST_CENTRE:])
ROTATION_WORDS = _rotation_words(RING_LINES)  # four for each ring of each quadrant


@KERNELS.kernel("i64(i64, i64)")
def quadrant_content(board, quadrant):
    """Return a quadrant's 9-bit content."""
    return ((board >> (8 * quadrant)) & RING) | (((board >> (FIRST_CENTRE + quadrant)) & 1) << 8)


@KERNELS.kernel("i64(i64, i64)")
def line_count(board, word):
    """Return word 0 or 1 of the line counts of a colour's marbles."""
    total = CENTRE_LINES[board >> FIRST_CENTRE, word]
    for quadrant in range(QUADRANTS):
        total += RING_LINES[quadrant, (board >> (8 * quadrant)) & RING, word]
    return total


@KERNELS.kernel("i64(i64)")
def full_lines(count):
    """Return the lowest bit of each field that holds 5; a field never holds 6 or 7."""
    return count & (count >> 2) & FIELDS_LOW


@KERNELS.kernel("i64(i64)")
def has_five(board):
    """Return 1 if a colour has a five, else 0."""
    return 1 if (full_lines(line_count(board, 0)) | full_lines(line_count(board, 1))) != 0 else 0


@KERNELS.kernel("i64(i64, i64)")
def rotated_ring(ring, steps):
    """Return a ring rotated clockwise by `steps` of its eight squares."""
    return ((ring << steps) | (ring >> (8 - steps))) & RING


@KERNELS.kernel("i64(i64, i64)")
def rotate_quadrant(board, turn):
    """Return the board after a rotation: `turn` is 2 * quadrant, + 1 if clockwise."""
    shift = 8 * (turn >> 1)
    turned = rotated_ring((board >> shift) & RING, 2 if turn & 1 != 0 else 6)
    return (board & ~(RING << shift)) | (turned << shift)
