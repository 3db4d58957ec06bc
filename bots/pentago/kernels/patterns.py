"""Tables and counts of the 32 lines of five, as kernels: the sum of four look-ups, one a quadrant.

A line count is a word of sixteen four-bit fields, one a line, and there are two such words. A quadrant's content is a
9-bit number, its byte and then its centre; a table gives what it adds to each line. A field holds 5 where the line is
full.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.layout import CELLS, CENTRES, LINES, LOW, QUADRANTS
from core.native.kernel import KernelSet
from core.native.record import Field, Record
from core.search.alphabeta import MAX_PLY, search_fields
from core.search.polling import make_count_node
from core.search.table import make_table

MAX_MOVES = 288
FIELDS_LOW = 0x1111111111111111  # the lowest bit of each field
RING = 0xFF

POSITION_FIELDS = (
    Field("white", "i64", (), "white's marbles"),
    Field("black", "i64", (), "black's marbles"),
    Field("side", "i64", (), "side to move: 0 white, 1 black"),
    Field("result", "i64", (), "WHITE_WINS, BLACK_WINS or DRAW once the game is over, else 0"),
    Field("ply", "i64", (), "moves played since the position was set up"),
    Field("path_white", "i64", (MAX_PLY + 64,), "white's marbles before each move"),
    Field("path_black", "i64", (MAX_PLY + 64,), "black's"),
    Field("path", "i32", (MAX_PLY + 64,), "the moves"),
    Field("list", "i32", (MAX_MOVES,), "moves that a kernel answers with"),
    Field("image", "i64", (), "which symmetry maps the position that was hashed last to the one its key stands for"),
    Field("seen", "u64", (1024,), "boards met while a list of moves is made, each with its list's number"),
    Field("seen_stamp", "u64", (), "number of the last such list"),
    Field("round_own", "i64", (), "marbles of the side to move on the board that was looked round last"),
    Field("round_other", "i64", (), "the other side's"),
    Field("round", "i64", (), "what was found there"),
    Field("random", "u64", (), "state of the random stream of playouts; never 0"),
    Field("slice_count", "i64", (), "empty squares of the position that the solver works on"),
    Field("slice_cells", "i64", (CELLS,), "their cells"),
    Field("binomials", "i64", (CELLS + 1, CELLS + 1), "ways to choose so many of so many"),
    Field("low_count", "i64", (), "how many of the empty squares are low"),
    Field("class_at", "i64", (LOW + 1, LOW + 1), "first choice on the low squares, by marbles and the first side's"),
    Field("children_at", "i64", (2, LOW + 1, LOW + 1), "first number of the children, by mover too"),
    Field("high_at", "u64", (CELLS,), "where the tiles begin that a marble on a high square leads to"),
    Field("high_fives", "u64", (2 << LOW,), "by the mover's low squares: the fives that he makes on high ones"),
)
PENTAGO = Record("Pentago", POSITION_FIELDS + search_fields(max_moves=MAX_MOVES, history_slots=2 * MAX_MOVES))
KERNELS = KernelSet("pentago", (PENTAGO,))

count_node = make_count_node(KERNELS, PENTAGO.name)
plain_table = make_table(KERNELS, PENTAGO.name)


def _line_table() -> np.ndarray:
    """What each content of a quadrant adds to the two line counts."""
    table = np.zeros((QUADRANTS, 512, 2), dtype=np.int64)
    for quadrant in range(QUADRANTS):
        for content in range(512):
            board = (content & RING) << 8 * quadrant | (content >> 8) << CENTRES + quadrant
            for number, line in enumerate(LINES):
                count = sum(board >> cell & 1 for cell in line)
                table[quadrant, content, number // 16] += count << 4 * (number % 16)
    return table


def _turn_table(lines: np.ndarray) -> np.ndarray:
    """What a quadrant's turn changes in the two line counts, by its content: anticlockwise, then clockwise."""
    table = np.zeros((QUADRANTS, 512, 4), dtype=np.int64)
    for content in range(512):
        ring, centre = content & RING, content & 256
        for way, shift in enumerate((6, 2)):
            turned = (ring << shift | ring >> (8 - shift)) & RING | centre
            table[:, content, 2 * way : 2 * way + 2] = lines[:, turned] - lines[:, content]
    return table


LINE_TABLE = _line_table()
TURN_TABLE = _turn_table(LINE_TABLE)
TURN_WORDS = TURN_TABLE.reshape(-1)


@KERNELS.kernel("i64(i64, i64)")
def content_of(board, quadrant):
    """A quadrant's 9-bit content."""
    return ((board >> (8 * quadrant)) & RING) | (((board >> (CENTRES + quadrant)) & 1) << 8)


@KERNELS.kernel("i64(i64, i64)")
def line_count(board, word):
    """A word of the line counts of a colour's marbles."""
    total = LINE_TABLE[0, content_of(board, 0), word]
    for quadrant in range(1, QUADRANTS):
        total += LINE_TABLE[quadrant, content_of(board, quadrant), word]
    return total


@KERNELS.kernel("i64(i64)")
def full_lines(count):
    """The lowest bit of each field that holds 5; no field holds 6 or 7."""
    return count & (count >> 2) & FIELDS_LOW


@KERNELS.kernel("i64(i64)")
def touched_lines(count):
    """The lowest bit of each field that is not 0."""
    return (count | (count >> 1) | (count >> 2)) & FIELDS_LOW


@KERNELS.kernel("i64(i64)")
def has_five(board):
    """1 where a colour has five in a line, else 0."""
    return 1 if (full_lines(line_count(board, 0)) | full_lines(line_count(board, 1))) != 0 else 0


@KERNELS.kernel("i64(i64, i64)")
def turn_quadrant(board, turn):
    """The board after a turn: 2 * quadrant, + 1 where clockwise."""
    shift = 8 * (turn >> 1)
    ring = (board >> shift) & RING
    turned = ((ring << 2) | (ring >> 6)) if turn & 1 != 0 else ((ring >> 2) | (ring << 6))
    return (board & ~(RING << shift)) | ((turned & RING) << shift)
