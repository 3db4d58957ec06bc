"""Gomoku's rules as kernels over one state: set up, play, undo, forbidden moves, perft.

A cell is an index into a padded board 32 wide, `(y + 5) * 32 + x + 5`; a move is its cell. The five padding cells on
each side let a window be read without bounds checks. Part of the board, PAD = 5:

    row 0..4   padding (content 3)
    row 5      5 padding cells | (0,0) (1,0) ... (width-1,0) | padding       cell of (x, y): (y + 5) * 32 + x + 5
    row 6      5 padding cells | (0,1) (1,1) ...

Each line of the board in each of the four directions is also kept as one 64-bit word, two bits per cell, so that the
window around a cell is two shifts and a mask. The windows give every empty cell, for each colour, four line patterns
and a grade (bots/gomoku/kernels/patterns.py): what a stone would make there in each direction, and in all of them. A
move changes at most 8 or 10 windows per direction. Only those cells are looked up again, for both colours at once, and
`undo` restores them from a stack of changes. position_record.py lists the fields of the state `s`.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.network_record import network_fields
from bots.gomoku.kernels.patterns import (
    GRADES,
    LONG_REACH,
    MAKES_FIVE,
    MAKES_FOUL,
    MAYBE_FOUL,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_THREE_2WAY,
    PATTERNS,
    SHORT_REACH,
    define_patterns,
)
from bots.gomoku.kernels.position_record import position_fields
from bots.gomoku.notation import RENJU
from bots.gomoku.paper.record import paper_fields
from bots.gomoku.search_parameters import PARAMETERS
from core.native.intrinsics import copy_row, trailing_zeros
from core.native.kernel import KernelSet
from core.native.state_type import StateType
from core.search.kernels.game_kernels import alphabeta_fields
from core.search.kernels.polling import make_count_node
from core.search.kernels.randomness import make_keys
from core.search.kernels.transposition_table import make_table

PAD, STRIDE = 5, 32  # padding cells on each side; cells per row of the padded board
CELLS = STRIDE * STRIDE  # number of cells of the padded board
MAX_STONES = 22 * 22  # on the largest board
BLACK, WHITE, BORDER = 1, 2, 3  # contents of a cell, with 0 for empty; sides are 0 black, 1 white
EVEN_BITS = 0x5555555555555555  # the low bit of each cell of a line word
STEPS = np.array([1, STRIDE, STRIDE + 1, 1 - STRIDE])  # to the next cell of a row, column, falling, rising diagonal

GOMOKU = StateType(
    "Gomoku",
    position_fields(STRIDE, MAX_STONES)
    + alphabeta_fields(max_moves=MAX_STONES, history_slots=CELLS, parameters=PARAMETERS)
    + paper_fields(2 * STRIDE, CELLS)
    + network_fields(CELLS, MAX_STONES),
)
KERNELS = KernelSet("gomoku", (GOMOKU,))

ZOBRIST = make_keys(20240817, 2, CELLS)  # seed; keys by side and cell
ZOBRIST_SIDE = np.uint64(0x9D39247E33776D41)

fill_tables = define_patterns(KERNELS)
count_node = make_count_node(KERNELS, GOMOKU.name)
table = make_table(KERNELS, GOMOKU.name)


@KERNELS.kernel("i64(i64, i64)")
def line_index(direction, cell):
    """Return the index, in `lines[direction]`, of the line through a cell: rows, columns, falling, rising diagonals."""
    x, y = cell & 31, cell >> 5
    if direction == 0:
        return y
    if direction == 1:
        return x
    if direction == 2:
        return x - y + STRIDE
    return x + y


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def window_patterns(s, window, side_bits):
    """Return the patterns of both colours for the cell in the middle of a window, which starts at the lowest bit.

    `side_bits` is the number of bits on each side of the cell, 2 * `reach`. The patterns are placed as in the field
    `patterns` for direction 0: black's in bits 0-3, white's in bits 16-19.
    """
    side_mask = (1 << side_bits) - 1
    key = (window & side_mask) | ((window >> (side_bits + 2)) & side_mask) << side_bits
    pair = np.int64(s.pattern_table[np.uint64(key)])
    return (pair | pair << 12) & 0xF000F


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def pattern_of(s, colour, cell, direction):
    """Return the line pattern that a stone of `colour` would make on an empty cell in a direction."""
    return (np.int64(s.patterns[cell]) >> (16 * colour + 4 * direction)) & 15


@KERNELS.kernel("void(Gomoku, i64, i64)")
def count_empty_cell(s, cell, sign):
    """Add (sign 1) or remove (sign -1) an empty cell from the pattern counts, grade counts and grade rows."""
    patterns = np.int64(s.patterns[cell])
    row, bit = cell >> 5, 1 << (cell & 31)
    for colour in range(2):
        for direction in range(4):
            s.pattern_count[colour, (patterns >> (16 * colour + 4 * direction)) & 15] += sign
        grade = np.int64(s.grades[colour, cell])
        s.grade_count[colour, grade] += sign
        s.grade_rows[colour, grade, row] ^= bit


@KERNELS.kernel("void(Gomoku, i64, i64)")
def toggle_cell(s, cell, difference):
    """Xor a cell's content into its four line words: `difference` 1 places or removes a black stone, 2 a white one."""
    x, y = cell & 31, cell >> 5
    s.lines[0, y] ^= difference << (2 * x)
    s.lines[1, x] ^= difference << (2 * y)
    s.lines[2, x - y + STRIDE] ^= difference << (2 * x)
    s.lines[3, x + y] ^= difference << (2 * x)


# The next three kernels have no branch for unchanged values: which patterns and grades change is unpredictable, and a
# branch misprediction costs more than writing an unchanged value. `update_patterns` and `update_counts` write every
# entry of their list, and overwrite it with the next one if nothing has changed.


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def update_patterns(s, cell, first):
    """Look up again the patterns of the empty cells whose windows contain `cell`.

    The changes are listed in `changes` from index `first` on; returns the end of the list.
    """
    side_bits = 2 * s.reach
    stretch = (1 << (2 * side_bits + 2)) - 1
    end = first
    for direction in range(4):
        line = s.lines[direction, line_index(direction, cell)]
        place = (cell >> 5 if direction == 1 else cell & 31) - s.reach
        corner = cell - s.reach * STEPS[direction]
        word = line >> (2 * place)
        empties = ~(word | word >> 1) & stretch & EVEN_BITS
        shift = 4 * direction
        others = ~(15 << shift | 15 << (shift + 16))
        while empties != 0:
            bit = trailing_zeros(empties)  # twice the distance from the corner
            empties &= empties - 1
            other = np.uint64(corner + (bit >> 1) * STEPS[direction])
            before = np.int64(s.patterns[other])
            patterns = before & others | window_patterns(s, line >> (2 * place + bit - side_bits), side_bits) << shift
            s.patterns[other] = patterns
            s.changes[np.uint64(end)] = before << 32 | shift << 16 | np.int64(other)
            end += 1 if patterns != before else 0
    return end


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def update_counts(s, first, end, first_grade):
    """Update the pattern counts for the changes listed in `changes[first:end]`, and the grades of their cells.

    The changed grades are listed in `grade_changes` from index `first_grade` on; returns the end of that list.
    """
    end_grade = first_grade
    for index in range(first, end):
        change = np.int64(s.changes[np.uint64(index)])
        cell, shift = change & 0xFFFF, (change >> 16) & 0xFFFF
        before, patterns = change >> 32, np.int64(s.patterns[cell])
        for colour in range(2):
            s.pattern_count[colour, (before >> (shift + 16 * colour)) & 15] -= 1
            s.pattern_count[colour, (patterns >> (shift + 16 * colour)) & 15] += 1
            old = np.int64(s.grades[colour, cell])
            grade = np.int64(s.grade_table[colour, (patterns >> (16 * colour)) & 0xFFFF])
            s.grades[colour, cell] = grade
            s.grade_changes[np.uint64(end_grade)] = old << 16 | colour << 15 | cell
            end_grade += 1 if grade != old else 0
    return end_grade


@KERNELS.kernel("void(Gomoku, i64, i64)")
def update_grade_counts(s, first, end):
    """Update the grade counts and rows for the grades listed in `grade_changes[first:end]`."""
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
def save_counts(s):
    """Save the pattern and grade counts for `undo`."""
    first_row = 4 * s.stones  # of both colours' pattern counts; their grade counts follow
    for colour in range(2):
        copy_row(s.counts_before, first_row + colour, s.pattern_count, colour)
        copy_row(s.counts_before, first_row + 2 + colour, s.grade_count, colour)


@KERNELS.kernel("u64(Gomoku, i64)")
def key_after(s, cell):
    """Return the hash after the side to move has played on a cell; the search prefetches the table entry with it."""
    return s.hash ^ ZOBRIST[s.side, cell] ^ ZOBRIST_SIDE


@KERNELS.export("void(Gomoku, i64)")
def apply(s, cell):
    """Place a stone of the side to move on an empty cell, and give the turn to the other side.

    The caller checks the legality.
    """
    side = s.side
    if s.grades[side, cell] == MAKES_FIVE:
        s.winner = side + 1
    save_counts(s)
    count_empty_cell(s, cell, -1)
    s.cells[cell] = side + 1
    s.occupied_rows[cell >> 5] |= 1 << (cell & 31)
    toggle_cell(s, cell, side + 1)
    first, first_grade = np.int64(s.change_ends[s.stones, 0]), np.int64(s.change_ends[s.stones, 1])
    end = update_patterns(s, cell, first)
    end_grade = update_counts(s, first, end, first_grade)
    update_grade_counts(s, first_grade, end_grade)
    s.hash = key_after(s, cell)
    s.path[s.stones] = cell
    s.stones += 1
    s.change_ends[s.stones, 0] = end
    s.change_ends[s.stones, 1] = end_grade
    s.side = 1 - side


@KERNELS.kernel("void(Gomoku, i64)")
def restore_patterns(s, stones):
    """Undo the changes of patterns, grades and counts that the stone number `stones` (from 0) made."""
    for index in range(np.int64(s.change_ends[stones, 0]), np.int64(s.change_ends[stones + 1, 0])):
        change = np.int64(s.changes[np.uint64(index)])
        s.patterns[change & 0xFFFF] = change >> 32
    for index in range(np.int64(s.change_ends[stones, 1]), np.int64(s.change_ends[stones + 1, 1])):
        change = np.int64(s.grade_changes[np.uint64(index)])
        cell, colour, old = change & 0x7FFF, (change >> 15) & 1, change >> 16
        row, bit = cell >> 5, 1 << (cell & 31)
        s.grade_rows[colour, np.int64(s.grades[colour, cell]), row] ^= bit
        s.grade_rows[colour, old, row] ^= bit
        s.grades[colour, cell] = old
    first_row = 4 * stones  # as in `save_counts`
    for colour in range(2):
        copy_row(s.pattern_count, colour, s.counts_before, first_row + colour)
        copy_row(s.grade_count, colour, s.counts_before, first_row + 2 + colour)


@KERNELS.export("void(Gomoku)")
def undo(s):
    """Take the last stone back. Its cell has kept its patterns and grades from before it was filled."""
    s.stones -= 1
    s.net_shared = min(s.net_shared, s.stones)
    cell = np.int64(s.path[s.stones])
    side = 1 - s.side
    s.side = side
    s.hash ^= ZOBRIST[side, cell] ^ ZOBRIST_SIDE
    toggle_cell(s, cell, side + 1)
    row, bit = cell >> 5, 1 << (cell & 31)
    s.occupied_rows[row] &= ~bit
    s.cells[cell] = 0
    restore_patterns(s, s.stones)
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
    """Make every cell padding and reset what depends on the game; `setup` then opens the board's cells."""
    for index in range(CELLS):
        s.cells[index] = BORDER
        s.patterns[index] = 0
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
    """Set up an empty board of a size under a rule. The pattern tables are filled only if the rule has changed."""
    s.width, s.height, s.rule = width, height, rule
    s.reach = LONG_REACH if rule != 0 else SHORT_REACH
    if s.tables_rule != rule + 1:
        fill_tables(s)
        s.tables_rule = rule + 1
    clear_board(s)
    for y in range(PAD, PAD + height):
        for x in range(PAD, PAD + width):
            s.cells[y * STRIDE + x] = 0
            toggle_cell(s, y * STRIDE + x, BORDER)  # turns padding (3) into an empty cell (0)
            s.board_rows[y] |= 1 << x
    for colour in range(2):
        for index in range(PATTERNS):
            s.pattern_count[colour, index] = 0
        for grade in range(GRADES):
            s.grade_count[colour, grade] = 0
            for row in range(STRIDE):
                s.grade_rows[colour, grade, row] = 0
    for y in range(PAD, PAD + height):
        for x in range(PAD, PAD + width):
            cell = y * STRIDE + x
            patterns = 0
            for direction in range(4):
                line = s.lines[direction, line_index(direction, cell)]
                first = (y if direction == 1 else x) - s.reach
                patterns |= window_patterns(s, line >> (2 * first), 2 * s.reach) << (4 * direction)
            s.patterns[cell] = patterns
            for colour in range(2):
                s.grades[colour, cell] = s.grade_table[colour, (patterns >> (16 * colour)) & 0xFFFF]
            count_empty_cell(s, cell, 1)


@KERNELS.kernel("i64(Gomoku, i64)")
def is_forbidden(s, cell):
    """Return 1 if renju forbids black to play on an empty cell, else 0.

    The source is sections 9.2 and 9.3 of the rules of the Renju International Federation. Overlines and double fours
    are known from the grade. A double three is forbidden only if at least two of its threes are real. A three is real
    if some cell makes an open four of it, makes no five, and is not forbidden itself; the kernel plays the stone and
    calls itself for that cell. An open four has no gap, so the cell is the first empty one on either side of the three.
    """
    grade = s.grades[0, cell]
    if grade == MAKES_FOUL:
        return 1
    if grade != MAYBE_FOUL:
        return 0
    side = s.side
    s.side = 0
    apply(s, cell)
    real_count = 0
    for direction in range(4):
        pattern = pattern_of(s, 0, cell, direction)
        found = 0
        if pattern == OPEN_THREE or pattern == OPEN_THREE_2WAY:
            for way in range(-1, 2, 2):
                other = cell
                for _ in range(s.reach):
                    other += way * STEPS[direction]
                    content = s.cells[other]
                    if content == BORDER or content == WHITE or found != 0:
                        break
                    if content == 0:
                        if pattern_of(s, 0, other, direction) == OPEN_FOUR and s.grades[0, other] != MAKES_FIVE:
                            found = 1 - is_forbidden(s, other)
                        break
        real_count += found
    undo(s)
    s.side = side
    return 1 if real_count > 1 else 0


@KERNELS.export("i64(Gomoku, i64)")
def is_legal(s, cell):
    """Return 1 if the side to move may play on a cell, else 0."""
    if s.winner != 0 or cell < 0 or cell >= CELLS or s.cells[cell] != 0:
        return 0
    if s.rule & RENJU != 0 and s.side == 0:
        return 1 - is_forbidden(s, cell)
    return 1


@KERNELS.export("i64(Gomoku)")
def list_legal(s):
    """Fill `list` with the legal moves, by rows, and return their number."""
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
    """Fill `list` with the cells that renju forbids to black; return their number, 0 if the game is decided."""
    count = 0
    if s.winner != 0:
        return 0
    for grade in range(MAKES_FOUL, MAYBE_FOUL + 1):
        for row in range(PAD, PAD + s.height):
            bits = s.grade_rows[0, grade, row]
            while bits != 0:
                cell = row * STRIDE + trailing_zeros(bits)
                bits &= bits - 1
                if is_forbidden(s, cell) != 0:
                    s.list[count] = cell
                    count += 1
    return count


@KERNELS.kernel("i64(Gomoku)")
def count_legal(s):
    """Return the number of legal moves. Only cells that may be forbidden are tested one by one."""
    if s.winner != 0:
        return 0
    empty = s.width * s.height - s.stones
    if s.rule & RENJU != 0 and s.side == 0:
        for grade in range(MAKES_FOUL, MAYBE_FOUL + 1):
            for row in range(PAD, PAD + s.height):
                bits = s.grade_rows[0, grade, row]
                while bits != 0:
                    empty -= is_forbidden(s, row * STRIDE + trailing_zeros(bits))
                    bits &= bits - 1
    return empty


@KERNELS.export("i64(Gomoku, i64)")
def perft(s, depth):
    """Return the number of sequences of `depth` legal moves; the last ply is counted, not played."""
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
