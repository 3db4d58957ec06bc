"""Gomoku's rules as kernels over one record: set up, play, undo, what each cell would make, forbidden moves, perft.

A cell is an index into a 32-wide padded board, `(y + 5) * 32 + x + 5`; a move is its cell. Each line of the board is
one 64-bit word of two-bit cells, so the window around a cell is two shifts and a mask. A move changes at most 8 or 10
windows a direction; only those cells are looked up again (bots/gomoku/kernels/patterns.py), for both colours at once.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.network_record import network_fields
from bots.gomoku.kernels.patterns import (
    CODES,
    GRADE_FIVE,
    GRADE_FORBIDDEN,
    GRADE_FORBIDDEN_THREES,
    GRADE_TABLE_SIZE,
    GRADES,
    LONG_REACH,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_THREE_2,
    SHORT_REACH,
    TABLE_SIZE,
    define_patterns,
)
from bots.gomoku.notation import RENJU
from bots.gomoku.paper.record import paper_fields
from core.native.intrinsics import trailing_zeros
from core.native.kernel import KernelSet
from core.native.record import Field, Record
from core.search.alphabeta import MAX_PLY, search_fields
from core.search.polling import make_count_node
from core.search.randomness import make_keys
from core.search.table import make_table

PAD, STRIDE = 5, 32
CELLS = STRIDE * STRIDE
MAX_STONES = 22 * 22
BLACK, WHITE, BORDER = 1, 2, 3
STEPS = np.array([1, STRIDE, STRIDE + 1, 1 - STRIDE])  # to the next cell of a row, column, falling, rising diagonal

POSITION_FIELDS = (
    Field("width", "i64", (), "columns"),
    Field("height", "i64", (), "rows"),
    Field("rule", "i64", (), "bits EXACT, RENJU, CARO of the rule number"),
    Field("reach", "i64", (), "cells on each side of a window"),
    Field("side", "i64", (), "side to move: 0 black, 1 white"),
    Field("stones", "i64", (), "stones on the board"),
    Field("winner", "i64", (), "1 or 2 once black or white has a winning five, else 0"),
    Field("hash", "u64", (), "Zobrist hash of stones and side to move"),
    Field("path", "i32", (MAX_STONES + 1,), "cells played, in order"),
    Field("cells", "u8", (CELLS,), "0 empty, 1 black, 2 white, 3 off the board"),
    Field("lines", "i64", (4, 2 * STRIDE), "the cells of each line of a direction, two bits each"),
    Field("pairs", "u8", (4, CELLS), "codes of an empty cell in a direction: black in the low four bits, white above"),
    Field("codes", "i32", (2, CELLS), "the four codes of an empty cell for a colour, four bits a direction"),
    Field("grades", "u8", (2, CELLS), "what the four codes make together"),
    Field("values", "i32", (2, CELLS), "sum of the four codes' ordering values"),
    Field("code_count", "i64", (2, CODES), "empty cells and directions by code"),
    Field("grade_count", "i64", (2, GRADES), "empty cells by grade"),
    Field("grade_rows", "i64", (2, GRADES, STRIDE), "the same cells as a bit a column, for each padded row"),
    Field("occupied_rows", "i64", (STRIDE,), "cells with a stone, a bit a column"),
    Field("board_rows", "i64", (STRIDE,), "cells of the board, a bit a column"),
    Field("pair_table", "u8", (TABLE_SIZE,), "codes of both colours by window"),
    Field("grade_table", "u8", (2, GRADE_TABLE_SIZE), "grade by four codes"),
    Field("tables_ready", "i64", (), "1 + rule that the tables were filled for; 0 before"),
    Field("list", "i32", (CELLS,), "cells that a kernel answers with"),
    Field("marked_rows", "i64", (STRIDE,), "cells that a kernel collects, a bit a column"),
    Field("vcf_budget", "i64", (), "nodes that the search for continuous fours may still visit"),
    Field("vcf_least", "i64", (), "least grade of the fours that it tries"),
    Field("attacker", "i64", (), "side whose win by continuous threats is searched"),
    Field("vct_budget", "i64", (), "nodes that this search may still visit"),
    Field("proof", "i64", (MAX_PLY,), "proof number of a ply's node in it"),
    Field("disproof", "i64", (MAX_PLY,), "its disproof number"),
    Field("second", "i64", (MAX_PLY,), "the number by which its second best child is judged"),
    Field("child_far", "i64", (MAX_PLY,), "the other number of its best child"),
    Field("vcf_line", "i32", (128,), "cells of the continuous fours found, with their answers"),
)
GOMOKU = Record(
    "Gomoku",
    POSITION_FIELDS
    + search_fields(max_moves=MAX_STONES, history_slots=CELLS)
    + paper_fields(2 * STRIDE, CELLS)
    + network_fields(CELLS, MAX_STONES),
)
KERNELS = KernelSet("gomoku", (GOMOKU,))

# Ordering values by code: about what each is worth to its owner, in units where an open two is some tens.
VALUES = np.array([0, 1, 3, 5, 14, 18, 20, 60, 70, 100, 400, 400, 2000, 0, 0, 0])


ZOBRIST = make_keys(20240817, 2, CELLS)
ZOBRIST_SIDE = np.uint64(0x9D39247E33776D41)

fill_tables = define_patterns(KERNELS)
count_node = make_count_node(KERNELS, GOMOKU.name)
table = make_table(KERNELS, GOMOKU.name)


@KERNELS.kernel("i64(i64, i64)")
def line_of(direction, cell):
    """Index of the line of a direction on which a cell lies."""
    x, y = cell & 31, cell >> 5
    if direction == 0:
        return y
    if direction == 1:
        return x
    if direction == 2:
        return x - y + STRIDE
    return x + y


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def window_key(s, line, place):
    """Key of the window around a place of a line word."""
    reach = s.reach
    word = line >> (2 * (place - reach))
    mask = (1 << (2 * reach)) - 1
    return (word & mask) | (((word >> (2 * reach + 2)) & mask) << (2 * reach))


@KERNELS.kernel("void(Gomoku, i64, i64, i64)")
def set_grade(s, colour, cell, grade):
    """Move a cell from one grade's count and bits to another's."""
    old = np.int64(s.grades[colour, cell])
    row, bit = cell >> 5, 1 << (cell & 31)
    s.grade_count[colour, old] -= 1
    s.grade_rows[colour, old, row] &= ~bit
    s.grade_count[colour, grade] += 1
    s.grade_rows[colour, grade, row] |= bit
    s.grades[colour, cell] = grade


@KERNELS.kernel("void(Gomoku, i64, i64, i64)")
def set_pair(s, direction, cell, pair):
    """Store new codes of an empty cell in a direction, and what follows from them."""
    old_pair = np.int64(s.pairs[direction, cell])
    s.pairs[direction, cell] = pair
    for colour in range(2):
        old = (old_pair >> (4 * colour)) & 15
        new = (pair >> (4 * colour)) & 15
        if old != new:
            s.code_count[colour, old] -= 1
            s.code_count[colour, new] += 1
            s.values[colour, cell] += VALUES[new] - VALUES[old]
            codes = np.int64(s.codes[colour, cell]) ^ ((old ^ new) << (4 * direction))
            s.codes[colour, cell] = codes
            grade = np.int64(s.grade_table[colour, codes])
            if grade != np.int64(s.grades[colour, cell]):
                set_grade(s, colour, cell, grade)


@KERNELS.kernel("void(Gomoku, i64)")
def refresh_around(s, cell):
    """Look up again the cells whose windows contain `cell`, after its content has changed."""
    for direction in range(4):
        line = s.lines[direction, line_of(direction, cell)]
        place = cell >> 5 if direction == 1 else cell & 31
        step = STEPS[direction]
        for way in range(-1, 2, 2):
            other, other_place = cell, place
            for _ in range(s.reach):
                other += way * step
                other_place += way
                content = s.cells[other]
                if content == 0:
                    pair = np.int64(s.pair_table[window_key(s, line, other_place)])
                    if pair != np.int64(s.pairs[direction, other]):
                        set_pair(s, direction, other, pair)
                elif content == BORDER:
                    break


@KERNELS.kernel("void(Gomoku, i64, i64)")
def count_cell(s, cell, sign):
    """Add (1) or remove (-1) an empty cell from the counts by code and grade."""
    row, bit = cell >> 5, 1 << (cell & 31)
    for colour in range(2):
        codes = np.int64(s.codes[colour, cell])
        for direction in range(4):
            s.code_count[colour, (codes >> (4 * direction)) & 15] += sign
        grade = np.int64(s.grades[colour, cell])
        s.grade_count[colour, grade] += sign
        s.grade_rows[colour, grade, row] ^= bit


@KERNELS.kernel("void(Gomoku, i64, i64)")
def write_cell(s, cell, difference):
    """Change a cell's content in its four line words by exclusive or."""
    x, y = cell & 31, cell >> 5
    s.lines[0, y] ^= difference << (2 * x)
    s.lines[1, x] ^= difference << (2 * y)
    s.lines[2, x - y + STRIDE] ^= difference << (2 * x)
    s.lines[3, x + y] ^= difference << (2 * x)


@KERNELS.export("void(Gomoku, i64)")
def apply(s, cell):
    """Put a stone of the side to move on an empty cell and pass the turn. Legality is the caller's business."""
    side = s.side
    if s.grades[side, cell] == GRADE_FIVE:
        s.winner = side + 1
    count_cell(s, cell, -1)
    s.cells[cell] = side + 1
    s.occupied_rows[cell >> 5] |= 1 << (cell & 31)
    write_cell(s, cell, side + 1)
    refresh_around(s, cell)
    s.hash ^= ZOBRIST[side, cell] ^ ZOBRIST_SIDE
    s.path[s.stones] = cell
    s.stones += 1
    s.side = 1 - side


@KERNELS.export("void(Gomoku)")
def undo(s):
    """Take the last stone back. The cell's own codes are still those from before it was filled."""
    s.stones -= 1
    s.net_common = min(s.net_common, s.stones)
    cell = np.int64(s.path[s.stones])
    side = 1 - s.side
    s.side = side
    s.hash ^= ZOBRIST[side, cell] ^ ZOBRIST_SIDE
    write_cell(s, cell, side + 1)
    s.occupied_rows[cell >> 5] &= ~(1 << (cell & 31))
    s.cells[cell] = 0
    refresh_around(s, cell)
    count_cell(s, cell, 1)
    s.winner = 0


@KERNELS.export("void(Gomoku)")
def pass_turn(s):
    """Give the turn to the other side without a stone; a second call undoes it."""
    s.side = 1 - s.side
    s.hash ^= ZOBRIST_SIDE


@KERNELS.kernel("void(Gomoku)")
def clear_board(s):
    """Empty board of the record's size: border round it, then every cell's codes from its window."""
    for index in range(CELLS):
        s.cells[index] = BORDER
        for colour in range(2):
            s.codes[colour, index] = 0
            s.grades[colour, index] = 0
            s.values[colour, index] = 0
        for direction in range(4):
            s.pairs[direction, index] = 0
    for direction in range(4):
        for line in range(2 * STRIDE):
            s.lines[direction, line] = -1
    for row in range(STRIDE):
        s.occupied_rows[row] = 0
        s.board_rows[row] = 0
    s.stones, s.side, s.winner = 0, 0, 0
    s.net_stones = -1
    s.hash = np.uint64(0)


@KERNELS.export("void(Gomoku, i64, i64, i64)")
def setup(s, width, height, rule):
    """Empty board of a size under a rule. Fills the pattern tables where the rule is another than before."""
    s.width, s.height, s.rule = width, height, rule
    s.reach = LONG_REACH if rule != 0 else SHORT_REACH
    if s.tables_ready != rule + 1:
        fill_tables(s)
        s.tables_ready = rule + 1
    clear_board(s)
    for y in range(PAD, PAD + height):
        for x in range(PAD, PAD + width):
            s.cells[y * STRIDE + x] = 0
            write_cell(s, y * STRIDE + x, BORDER)
            s.board_rows[y] |= 1 << x
    for colour in range(2):
        for index in range(CODES):
            s.code_count[colour, index] = 0
        for grade in range(GRADES):
            s.grade_count[colour, grade] = 0
            for row in range(STRIDE):
                s.grade_rows[colour, grade, row] = 0
    for y in range(PAD, PAD + height):
        for x in range(PAD, PAD + width):
            cell = y * STRIDE + x
            count_cell(s, cell, 1)
            for direction in range(4):
                line = s.lines[direction, line_of(direction, cell)]
                place = y if direction == 1 else x
                set_pair(s, direction, cell, np.int64(s.pair_table[window_key(s, line, place)]))


@KERNELS.kernel("i64(Gomoku, i64)")
def forbidden(s, cell):
    """1 where renju forbids black to play on an empty cell, else 0 (RIF rules 9.2-9.3).

    An overline or two fours are seen from the codes. Two open threes count only where at least two are real: each needs
    a cell that makes an open four of it, makes no five and is not forbidden itself, which is asked one stone deeper.
    """
    grade = s.grades[0, cell]
    if grade == GRADE_FORBIDDEN:
        return 1
    if grade != GRADE_FORBIDDEN_THREES:
        return 0
    codes = np.int64(s.codes[0, cell])
    side = s.side
    s.side = 0
    apply(s, cell)
    real = 0
    for direction in range(4):
        code = (codes >> (4 * direction)) & 15
        found = 0
        if code == OPEN_THREE or code == OPEN_THREE_2:
            for way in range(-1, 2, 2):
                other = cell
                for _ in range(s.reach):
                    other += way * STEPS[direction]
                    content = s.cells[other]
                    if content == BORDER or content == WHITE or found != 0:
                        break
                    if content == 0:
                        if np.int64(s.pairs[direction, other]) & 15 == OPEN_FOUR and s.grades[0, other] != GRADE_FIVE:
                            found = 1 - forbidden(s, other)
        real += found
    undo(s)
    s.side = side
    return 1 if real > 1 else 0


@KERNELS.export("i64(Gomoku, i64)")
def is_legal(s, cell):
    """1 where the side to move may play on a cell, else 0."""
    if s.winner != 0 or cell < 0 or cell >= CELLS or s.cells[cell] != 0:
        return 0
    if s.rule & RENJU != 0 and s.side == 0:
        return 1 - forbidden(s, cell)
    return 1


@KERNELS.export("i64(Gomoku)")
def list_legal(s):
    """Fill `list` with the legal moves by rows, and return their number."""
    count = 0
    for row in range(PAD, PAD + s.height):
        bits = s.board_rows[row] & ~s.occupied_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if is_legal(s, cell) != 0:
                s.list[count] = cell
                count += 1
    return count


@KERNELS.export("i64(Gomoku)")
def list_forbidden(s):
    """Fill `list` with the empty cells that black may not play, and return their number."""
    count = 0
    for grade in range(GRADE_FORBIDDEN, GRADE_FORBIDDEN_THREES + 1):
        for row in range(PAD, PAD + s.height):
            bits = s.grade_rows[0, grade, row]
            while bits != 0:
                cell = row * STRIDE + trailing_zeros(bits)
                bits &= bits - 1
                if forbidden(s, cell) != 0:
                    s.list[count] = cell
                    count += 1
    return count


@KERNELS.kernel("i64(Gomoku)")
def count_legal(s):
    """Number of legal moves, without listing them where no move is forbidden."""
    if s.winner != 0:
        return 0
    empty = s.width * s.height - s.stones
    if s.rule & RENJU != 0 and s.side == 0:
        for grade in range(GRADE_FORBIDDEN, GRADE_FORBIDDEN_THREES + 1):
            for row in range(PAD, PAD + s.height):
                bits = s.grade_rows[0, grade, row]
                while bits != 0:
                    empty -= forbidden(s, row * STRIDE + trailing_zeros(bits))
                    bits &= bits - 1
    return empty


@KERNELS.export("i64(Gomoku, i64)")
def perft(s, depth):
    """Number of sequences of `depth` legal moves; the last ply is counted, not played."""
    if depth <= 0:
        return 1
    if depth == 1 or s.winner != 0:
        return count_legal(s)
    total = 0
    for row in range(PAD, PAD + s.height):
        bits = s.board_rows[row] & ~s.occupied_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if is_legal(s, cell) != 0:
                apply(s, cell)
                total += perft(s, depth - 1)
                undo(s)
    return total
