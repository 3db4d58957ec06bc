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
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY, alphabeta_fields
from core.search.kernels.polling import make_count_node
from core.search.kernels.randomness import make_keys
from core.search.kernels.transposition_table import make_table

PAD, STRIDE = 5, 32
CELLS = STRIDE * STRIDE
MAX_STONES = 22 * 22
BLACK, WHITE, BORDER = 1, 2, 3
MAX_CHANGES = 8 * LONG_REACH + 1  # of a stone; one more is written to before it is dropped
MAX_NOTES = 64
EVEN_BITS = 0x5555555555555555
STEPS = np.array([1, STRIDE, STRIDE + 1, 1 - STRIDE])  # to the next cell of a row, column, falling, rising diagonal

POSITION_FIELDS = (
    StateField("width", "i64", (), "columns"),
    StateField("height", "i64", (), "rows"),
    StateField("rule", "i64", (), "bits EXACT, RENJU, CARO of the rule number"),
    StateField("reach", "i64", (), "cells on each side of a window"),
    StateField("side", "i64", (), "side to move: 0 black, 1 white"),
    StateField("stones", "i64", (), "stones on the board"),
    StateField("winner", "i64", (), "1 or 2 once black or white has a winning five, else 0"),
    StateField("hash", "u64", (), "Zobrist hash of stones and side to move"),
    StateField("path", "i32", (MAX_STONES + 1,), "cells played, in order"),
    StateField("cells", "u8", (CELLS,), "0 empty, 1 black, 2 white, 3 off the board"),
    StateField("lines", "i64", (4, 2 * STRIDE), "the cells of each line of a direction, two bits each"),
    StateField(
        "codes", "u32", (CELLS,), "four codes of an empty cell, four bits a direction: black's, above them white's"
    ),
    StateField("grades", "u8", (2, CELLS), "what a colour's four codes make together"),
    StateField("code_count", "i16", (2, CODES), "empty cells and directions by code"),
    StateField("grade_count", "i16", (2, GRADES), "empty cells by grade"),
    StateField("counts_before", "i16", (MAX_STONES, 2, 2, CODES), "both counts before each stone"),
    StateField(
        "changes", "u64", (MAX_STONES * MAX_CHANGES,), "cells with codes a stone changed: cell, shift, codes before"
    ),
    StateField(
        "grade_changes", "u32", (2 * MAX_STONES * MAX_CHANGES,), "the same for grades: cell, colour, grade before"
    ),
    StateField("change_ends", "i32", (MAX_STONES + 1, 2), "where the changes of so many stones end in both lists"),
    StateField("grade_rows", "i64", (2, GRADES, STRIDE), "the same cells as a bit a column, for each padded row"),
    StateField("occupied_rows", "i64", (STRIDE,), "cells with a stone, a bit a column"),
    StateField("board_rows", "i64", (STRIDE,), "cells of the board, a bit a column"),
    StateField("pair_table", "u8", (TABLE_SIZE,), "codes of both colours by window"),
    StateField("grade_table", "u8", (2, GRADE_TABLE_SIZE), "grade by four codes"),
    StateField("tables_ready", "i64", (), "1 + rule that the tables were filled for; 0 before"),
    StateField("list", "i32", (CELLS,), "cells that a kernel answers with"),
    StateField("marked_rows", "i64", (STRIDE,), "cells that a kernel collects, a bit a column"),
    StateField("vcf_budget", "i64", (), "nodes that the search for continuous fours may still visit"),
    StateField("vcf_least", "i64", (), "least grade of the fours that it tries"),
    StateField("attacker", "i64", (), "side whose win by continuous threats is searched"),
    StateField("vct_budget", "i64", (), "nodes that this search may still visit"),
    StateField("vct_plies", "i64", (), "length of a line at which this search gives up"),
    StateField("proof", "i64", (MAX_PLY,), "proof number of a ply's node in it"),
    StateField("disproof", "i64", (MAX_PLY,), "its disproof number"),
    StateField("second", "i64", (MAX_PLY,), "the number by which its second best child is judged"),
    StateField("child_far", "i64", (MAX_PLY,), "the other number of its best child"),
    StateField("notes_wanted", "i64", (), "so many of the positions that a search judges are to be noted; 0 for none"),
    StateField("notes_seen", "i64", (), "positions that were judged since"),
    StateField("notes_from", "i64", (), "stones of the root, to which the noted moves come"),
    StateField("notes", "i16", (MAX_NOTES, MAX_PLY), "moves from the root to each position noted, ended by 0"),
    StateField("vcf_line", "i32", (128,), "cells of the continuous fours found, with their answers"),
)
GOMOKU = StateType(
    "Gomoku",
    POSITION_FIELDS
    + alphabeta_fields(max_moves=MAX_STONES, history_slots=CELLS)
    + paper_fields(2 * STRIDE, CELLS)
    + network_fields(CELLS, MAX_STONES),
)
KERNELS = KernelSet("gomoku", (GOMOKU,))

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
def codes_around(s, line, place):
    """Codes of both colours by the window around a place of a line word: those of direction 0, in place for `codes`."""
    reach = s.reach
    word = line >> (2 * (place - reach))
    mask = (1 << (2 * reach)) - 1
    pair = np.int64(s.pair_table[(word & mask) | (((word >> (2 * reach + 2)) & mask) << (2 * reach))])
    return (pair & 15) | (pair >> 4) << 16


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def code_of(s, colour, cell, direction):
    """What a stone of a colour would make of an empty cell's line in a direction."""
    return (np.int64(s.codes[cell]) >> (16 * colour + 4 * direction)) & 15


@KERNELS.kernel("void(Gomoku, i64, i64)")
def count_cell(s, cell, sign):
    """Add (1) or remove (-1) an empty cell from the counts by code and grade, and from the bits by grade."""
    codes = np.int64(s.codes[cell])
    row, bit = cell >> 5, 1 << (cell & 31)
    for colour in range(2):
        for direction in range(4):
            s.code_count[colour, (codes >> (16 * colour + 4 * direction)) & 15] += sign
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


# The three loops below run without a branch on what they find: which codes and grades a stone changes is hard to
# foretell, and a wrong guess of the processor costs more than a change.


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def change_codes(s, cell, first):
    """Renew the codes of the empty cells that see `cell`; list the changes from `first` on, and return their end."""
    reach = s.reach
    window = (1 << (4 * reach + 2)) - 1
    end = first
    for direction in range(4):
        line = s.lines[direction, line_of(direction, cell)]
        place = (cell >> 5 if direction == 1 else cell & 31) - reach
        corner = cell - reach * STEPS[direction]
        word = line >> (2 * place)
        empties = ~(word | word >> 1) & window & EVEN_BITS
        shift = 4 * direction
        others = ~(15 << shift | 15 << (shift + 16))
        while empties != 0:
            offset = trailing_zeros(empties) >> 1
            empties &= empties - 1
            other = corner + offset * STEPS[direction]
            before = np.int64(s.codes[other])
            codes = before & others | codes_around(s, line, place + offset) << shift
            s.codes[other] = codes
            s.changes[np.uint64(end)] = before << 32 | shift << 16 | other
            end += 1 if codes != before else 0
    return end


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def change_counts(s, first, end, first_grade):
    """Count the codes listed anew, and renew the grades; list the changed ones from `first_grade`, return their end."""
    end_grade = first_grade
    for index in range(first, end):
        change = np.int64(s.changes[np.uint64(index)])
        cell, shift = change & 0xFFFF, (change >> 16) & 0xFFFF
        before, codes = change >> 32, np.int64(s.codes[cell])
        for colour in range(2):
            s.code_count[colour, (before >> (shift + 16 * colour)) & 15] -= 1
            s.code_count[colour, (codes >> (shift + 16 * colour)) & 15] += 1
            old = np.int64(s.grades[colour, cell])
            grade = np.int64(s.grade_table[colour, (codes >> (16 * colour)) & 0xFFFF])
            s.grades[colour, cell] = grade
            s.grade_changes[np.uint64(end_grade)] = old << 16 | colour << 15 | cell
            end_grade += 1 if grade != old else 0
    return end_grade


@KERNELS.kernel("void(Gomoku, i64, i64)")
def change_grades(s, first, end):
    """Count the grades listed anew."""
    for index in range(first, end):
        change = np.int64(s.grade_changes[np.uint64(index)])
        cell, colour, old = change & 0x7FFF, (change >> 15) & 1, change >> 16
        grade = np.int64(s.grades[colour, cell])
        row, bit = cell >> 5, 1 << (cell & 31)
        s.grade_count[colour, old] -= 1
        s.grade_count[colour, grade] += 1
        s.grade_rows[colour, old, row] ^= bit
        s.grade_rows[colour, grade, row] ^= bit


@KERNELS.kernel("void(Gomoku)")
def keep_counts(s):
    """Keep the counts for `undo`."""
    for colour in range(2):
        for number in range(CODES):
            s.counts_before[s.stones, 0, colour, number] = s.code_count[colour, number]
            s.counts_before[s.stones, 1, colour, number] = s.grade_count[colour, number]


@KERNELS.kernel("u64(Gomoku, i64)")
def key_after(s, cell):
    """The hash once the side to move has played on a cell."""
    return s.hash ^ ZOBRIST[s.side, cell] ^ ZOBRIST_SIDE


@KERNELS.export("void(Gomoku, i64)")
def apply(s, cell):
    """Put a stone of the side to move on an empty cell and pass the turn. Legality is the caller's business."""
    side = s.side
    if s.grades[side, cell] == GRADE_FIVE:
        s.winner = side + 1
    keep_counts(s)
    count_cell(s, cell, -1)
    s.cells[cell] = side + 1
    s.occupied_rows[cell >> 5] |= 1 << (cell & 31)
    write_cell(s, cell, side + 1)
    first, first_grade = np.int64(s.change_ends[s.stones, 0]), np.int64(s.change_ends[s.stones, 1])
    end = change_codes(s, cell, first)
    end_grade = change_counts(s, first, end, first_grade)
    change_grades(s, first_grade, end_grade)
    s.hash = key_after(s, cell)
    s.path[s.stones] = cell
    s.stones += 1
    s.change_ends[s.stones, 0] = end
    s.change_ends[s.stones, 1] = end_grade
    s.side = 1 - side


@KERNELS.kernel("void(Gomoku, i64)")
def change_back(s, stones):
    """Give the cells that the stone of this number changed their codes and grades from before, and the counts."""
    for index in range(np.int64(s.change_ends[stones, 0]), np.int64(s.change_ends[stones + 1, 0])):
        change = np.int64(s.changes[np.uint64(index)])
        s.codes[change & 0xFFFF] = change >> 32
    for index in range(np.int64(s.change_ends[stones, 1]), np.int64(s.change_ends[stones + 1, 1])):
        change = np.int64(s.grade_changes[np.uint64(index)])
        cell, colour, old = change & 0x7FFF, (change >> 15) & 1, change >> 16
        row, bit = cell >> 5, 1 << (cell & 31)
        s.grade_rows[colour, np.int64(s.grades[colour, cell]), row] ^= bit
        s.grade_rows[colour, old, row] ^= bit
        s.grades[colour, cell] = old
    for colour in range(2):
        for number in range(CODES):
            s.code_count[colour, number] = s.counts_before[stones, 0, colour, number]
            s.grade_count[colour, number] = s.counts_before[stones, 1, colour, number]


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
    row, bit = cell >> 5, 1 << (cell & 31)
    s.occupied_rows[row] &= ~bit
    s.cells[cell] = 0
    change_back(s, s.stones)
    for colour in range(2):
        s.grade_rows[colour, np.int64(s.grades[colour, cell]), row] ^= bit
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
        s.codes[index] = 0
        for colour in range(2):
            s.grades[colour, index] = 0
    for direction in range(4):
        for line in range(2 * STRIDE):
            s.lines[direction, line] = -1
    for row in range(STRIDE):
        s.occupied_rows[row] = 0
        s.board_rows[row] = 0
    s.stones, s.side, s.winner = 0, 0, 0
    s.change_ends[0, 0], s.change_ends[0, 1] = 0, 0
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
            codes = 0
            for direction in range(4):
                line = s.lines[direction, line_of(direction, cell)]
                codes |= codes_around(s, line, y if direction == 1 else x) << (4 * direction)
            s.codes[cell] = codes
            for colour in range(2):
                s.grades[colour, cell] = s.grade_table[colour, (codes >> (16 * colour)) & 0xFFFF]
            count_cell(s, cell, 1)


@KERNELS.kernel("i64(Gomoku, i64)")
def forbidden(s, cell):
    """1 where renju forbids black to play on an empty cell, else 0 (RIF rules 9.2-9.3).

    An overline or two fours are seen from the codes. Two open threes count only where at least two are real: each needs
    a cell that makes an open four of it, makes no five and is not forbidden itself, which is asked one stone deeper.
    An open four has no gap, so that cell is the first empty one on either side: one beyond makes a four of others.
    """
    grade = s.grades[0, cell]
    if grade == GRADE_FORBIDDEN:
        return 1
    if grade != GRADE_FORBIDDEN_THREES:
        return 0
    side = s.side
    s.side = 0
    apply(s, cell)
    real = 0
    for direction in range(4):
        code = code_of(s, 0, cell, direction)
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
                        if code_of(s, 0, other, direction) == OPEN_FOUR and s.grades[0, other] != GRADE_FIVE:
                            found = 1 - forbidden(s, other)
                        break
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
    """Fill `list` with the empty cells that black may not play, and return their number: none in a decided game."""
    count = 0
    if s.winner != 0:
        return 0
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
