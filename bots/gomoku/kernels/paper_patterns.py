"""The pattern table of the Waterloo paper, and the point value V(x, y) that it gives an empty cell.

Lines are read run by run: a run is a longest unbroken row of stones of a colour. Two runs of at most four stones with a
single empty cell between them and three stones or more in all are a split pattern; every other run of at most four is a
solid one. Open ends are the empty cells next to the first and the last stone. What the table does not list is worth
nothing, and so is a long run, which either has won or never will; a cell that completes five by the rules in force is
worth FIVE_VALUE for each five.

Both caches below are keyed by a line's content, so playing and taking back need not know about them.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.patterns import FIVE, GRADE_FIVE
from bots.gomoku.kernels.rules import KERNELS, PAD, STRIDE, code_of
from bots.gomoku.paper.record import FIVE_VALUE
from core.native.intrinsics import trailing_zeros

EVEN_BITS = 0x5555_5555_5555_5555  # the low bit of each cell of a line word

# Table 1 by kind (solid, split), stones and open ends, literally: a split four is worth less with one open end than
# with none, and hardly more than an open three, though its gap completes five.
TABLE_1 = np.array(
    [
        [[0, 0, 0], [0, 1, 10], [0, 10, 100], [0, 100, 1_000], [0, 1_200, 100_000]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 100, 1_000], [100_000, 1_100, 100_000]],
    ]
)
SOLID, SPLIT = 0, 1


@KERNELS.kernel("i64(i64, i64)")
def line_value(word, colour):
    """Worth of a colour's patterns in a line."""
    low, high = word & EVEN_BITS, (word >> 1) & EVEN_BITS
    empty = ~(low | high) & EVEN_BITS
    own = low & ~high if colour == 0 else high & ~low
    total = 0
    alone = 0  # worth of the last run unless a split pattern takes it in
    last_length, last_end, last_open = 0, 0, 0
    while own != 0:
        start = trailing_zeros(own)
        end = start + trailing_zeros(~(own >> start) & EVEN_BITS)
        own &= -1 << end
        length = (end - start) >> 1
        left_open, right_open = (empty >> (start - 2)) & 1, (empty >> end) & 1
        if length > 4:
            length = 0
        adjoins = last_length > 0 and length > 0 and last_end + 2 == start and left_open != 0
        if adjoins and last_length + length >= 3:
            total += TABLE_1[SPLIT, min(last_length + length, 4), last_open + right_open]
            alone = 0
        else:
            total += alone
            alone = TABLE_1[SOLID, length, left_open + right_open]
        last_length, last_end, last_open = length, end, left_open
    return total + alone


@KERNELS.kernel("i64(Gomoku, i64)")
def first_line(s, direction):
    """Index of a direction's first line on the board."""
    if direction < 2:
        return PAD
    return STRIDE + 1 - s.height if direction == 2 else 2 * PAD


@KERNELS.kernel("i64(Gomoku, i64)")
def line_count(s, direction):
    """Number of a direction's lines on the board."""
    if direction == 0:
        return s.height
    return s.width if direction == 1 else s.width + s.height - 1


@KERNELS.kernel("i64(i64, i64, i64)")
def cell_on(direction, line, place):
    """The cell at a place of a line; the inverse of `rules.line_of`."""
    if direction == 0:
        return line * STRIDE + place
    if direction == 1:
        return place * STRIDE + line
    y = place - line + STRIDE if direction == 2 else line - place
    return y * STRIDE + place


@KERNELS.export("i64(Gomoku, i64)")
def paper_score(s, colour):
    """Worth of all patterns of a colour; FIVE_VALUE more where it has won."""
    total = FIVE_VALUE if s.winner == colour + 1 else 0
    for direction in range(4):
        start = first_line(s, direction)
        for line in range(start, start + line_count(s, direction)):
            word = s.lines[direction, line]
            if word != s.paper_value_words[direction, line]:
                s.paper_value_words[direction, line] = word
                s.paper_values[0, direction, line] = line_value(word, 0)
                s.paper_values[1, direction, line] = line_value(word, 1)
            total += s.paper_values[colour, direction, line]
    return total


@KERNELS.kernel("void(Gomoku)")
def refresh_gains(s):
    """Bring `paper_gains` up to date with the board."""
    for direction in range(4):
        start = first_line(s, direction)
        for line in range(start, start + line_count(s, direction)):
            word = s.lines[direction, line]
            if word == s.paper_gain_words[direction, line]:
                continue
            s.paper_gain_words[direction, line] = word
            before = line_value(word, 0) + line_value(word, 1)
            empty = ~(word | (word >> 1)) & EVEN_BITS
            while empty != 0:
                stone = empty & -empty
                empty ^= stone
                after = line_value(word | stone, 0) + line_value(word | (stone << 1), 1)
                s.paper_gains[direction, cell_on(direction, line, trailing_zeros(stone) >> 1)] = after - before


@KERNELS.kernel("i64(Gomoku, i64)")
def value_at(s, cell):
    """V of an empty cell, from gains that are up to date."""
    total = 0
    for direction in range(4):
        total += s.paper_gains[direction, cell]
    for colour in range(2):
        if s.grades[colour, cell] == GRADE_FIVE:
            for direction in range(4):
                if code_of(s, colour, cell, direction) == FIVE:
                    total += FIVE_VALUE
    return total


@KERNELS.export("i64(Gomoku, i64)")
def paper_point_value(s, cell):
    """V(x, y): what a stone on an empty cell adds to its owner's score, for both colours (attack and defence)."""
    refresh_gains(s)
    return value_at(s, cell)
