"""Tables and counts of the 32 lines of five, as kernels: the sum of five look-ups.

A line count is a word of sixteen four-bit fields, one a line, and there are two such words. Tables give what a
quadrant's ring, its byte, adds to each line, and the four centres together. A field holds 5 where the line is full. A
quadrant's content is a 9-bit number, its byte and then its centre.
"""

from __future__ import annotations

import numpy as np

from bots.pentago.layout import CELLS, CENTRES, LINES, LOW, QUADRANTS
from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY, alphabeta_fields
from core.search.kernels.polling import make_count_node
from core.search.kernels.transposition_table import make_table

MAX_MOVES = 288
FIELDS_LOW = 0x1111111111111111  # the lowest bit of each field
RING = 0xFF

POSITION_FIELDS = (
    StateField("white", "i64", (), "white's marbles"),
    StateField("black", "i64", (), "black's marbles"),
    StateField("side", "i64", (), "side to move: 0 white, 1 black"),
    StateField("result", "i64", (), "WHITE_WINS, BLACK_WINS or DRAW once the game is over, else 0"),
    StateField("ply", "i64", (), "moves played since the position was set up"),
    StateField("path_white", "i64", (MAX_PLY + 64,), "white's marbles before each move"),
    StateField("path_black", "i64", (MAX_PLY + 64,), "black's"),
    StateField("path", "i32", (MAX_PLY + 64,), "the moves"),
    StateField("list", "i32", (MAX_MOVES,), "moves that a kernel answers with"),
    StateField(
        "image", "i64", (), "which symmetry maps the position that was hashed last to the one its key stands for"
    ),
    StateField("round_own", "i64", (), "marbles of the side to move on the board that was looked round last"),
    StateField("round_other", "i64", (), "the other side's"),
    StateField("round", "i64", (), "what was found there"),
    StateField("random", "u64", (), "state of the random stream of playouts; never 0"),
    StateField("slice_count", "i64", (), "empty squares of the position that the solver works on"),
    StateField("slice_cells", "i64", (CELLS,), "their cells"),
    StateField("binomials", "i64", (CELLS + 1, CELLS + 1), "ways to choose so many of so many"),
    StateField("low_count", "i64", (), "how many of the empty squares are low"),
    StateField(
        "class_at", "i64", (LOW + 1, LOW + 1), "first choice on the low squares, by marbles and the first side's"
    ),
    StateField("children_at", "i64", (2, LOW + 1, LOW + 1), "first number of the children, by mover too"),
    StateField("high_at", "u64", (CELLS,), "where the tiles begin that a marble on a high square leads to"),
    StateField("high_fives", "u64", (2 << LOW,), "by the mover's low squares: the fives that he makes on high ones"),
)
PENTAGO = StateType("Pentago", POSITION_FIELDS + alphabeta_fields(max_moves=MAX_MOVES, history_slots=2 * MAX_MOVES))
KERNELS = KernelSet("pentago", (PENTAGO,))

count_node = make_count_node(KERNELS, PENTAGO.name)
plain_table = make_table(KERNELS, PENTAGO.name)


def _line_words() -> np.ndarray:
    """What a marble on each cell adds to the two line counts."""
    words = np.zeros((CELLS, 2), dtype=np.int64)
    for number, line in enumerate(LINES):
        words[list(line), number // 16] += 1 << 4 * (number % 16)
    return words


def _sums(words: np.ndarray) -> np.ndarray:
    """The sums of every choice among some words, by its bits."""
    choices = np.arange(1 << len(words))[:, np.newaxis] >> np.arange(len(words)) & 1
    sums: np.ndarray = choices @ words
    return sums


def _turn_words(rings: np.ndarray) -> np.ndarray:
    """What a quadrant's turn changes in the two line counts, by its ring: anticlockwise, then clockwise."""
    ring = np.arange(RING + 1)
    turned = [(ring << shift | ring >> (8 - shift)) & RING for shift in (6, 2)]
    return np.concatenate([rings[:, after] - rings for after in turned], axis=2).reshape(-1)


CELL_LINES = _line_words()
RING_LINES = np.array([_sums(CELL_LINES[8 * quadrant : 8 * quadrant + 8]) for quadrant in range(QUADRANTS)])
CENTRE_LINES = _sums(CELL_LINES[CENTRES:])
TURN_WORDS = _turn_words(RING_LINES)  # four for each ring of each quadrant


@KERNELS.kernel("i64(i64, i64)")
def content_of(board, quadrant):
    """A quadrant's 9-bit content."""
    return ((board >> (8 * quadrant)) & RING) | (((board >> (CENTRES + quadrant)) & 1) << 8)


@KERNELS.kernel("i64(i64, i64)")
def line_count(board, word):
    """A word of the line counts of a colour's marbles."""
    total = CENTRE_LINES[board >> CENTRES, word]
    for quadrant in range(QUADRANTS):
        total += RING_LINES[quadrant, (board >> (8 * quadrant)) & RING, word]
    return total


@KERNELS.kernel("i64(i64)")
def full_lines(count):
    """The lowest bit of each field that holds 5; no field holds 6 or 7."""
    return count & (count >> 2) & FIELDS_LOW


@KERNELS.kernel("i64(i64)")
def has_five(board):
    """1 where a colour has five in a line, else 0."""
    return 1 if (full_lines(line_count(board, 0)) | full_lines(line_count(board, 1))) != 0 else 0


@KERNELS.kernel("i64(i64, i64)")
def turned_ring(ring, eighths):
    """A quadrant's ring after a clockwise turn by so many of its squares."""
    return ((ring << eighths) | (ring >> (8 - eighths))) & RING


@KERNELS.kernel("i64(i64, i64)")
def turn_quadrant(board, turn):
    """The board after a turn: 2 * quadrant, + 1 where clockwise."""
    shift = 8 * (turn >> 1)
    turned = turned_ring((board >> shift) & RING, 2 if turn & 1 != 0 else 6)
    return (board & ~(RING << shift)) | (turned << shift)
