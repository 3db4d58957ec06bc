"""Pattern score of the player `paper`, and the value V(x, y) of an empty cell that follows from it.

The pattern score of a colour is the sum of its patterns in all rows, columns and diagonals. V(x, y) is what a stone on
the cell adds to the score of its owner, for both colours together. The values of patterns are table 1 of the Waterloo
paper (see bots/gomoku/kernels/paper_alphabeta.py). A line is read run by run; a run is a maximal row of stones of one
colour. Examples with black X, white O:

    . X X X .      a solid three with two open ends: 1,000
    O X X X .      a solid three with one open end: 100
    . X X . X .    a split three (runs of two and one with one empty cell between them) with two open ends: 1,000
    X X X X X X    no pattern: a run of more than four counts nothing

A split pattern is two runs of at most four stones with a single empty cell between them and at least three stones in
all; any other run of at most four is solid. Open ends are the empty cells next to the first and the last stone. A cell
that completes a five under the rule in force is worth FIVE_VALUE for each five.

The state caches the values of lines (`paper_values`) and of cells (`paper_gains`) with the contents of the lines for
which they hold, so `apply` and `undo` need not update them.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.patterns import FIVE, MAKES_FIVE
from bots.gomoku.kernels.rules import EVEN_BITS, KERNELS, PAD, STRIDE, pattern_of
from bots.gomoku.paper.record import FIVE_VALUE
from core.native.intrinsics import trailing_zeros

# Table 1 of the paper, by kind (solid, split), number of stones and open ends. Copied literally, also where it is
# odd: a split four is worth less with one open end than with none, and hardly more than an open three.
PATTERN_VALUES = np.array(
    [
        [[0, 0, 0], [0, 1, 10], [0, 10, 100], [0, 100, 1_000], [0, 1_200, 100_000]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 100, 1_000], [100_000, 1_100, 100_000]],
    ]
)
SOLID, SPLIT = 0, 1


@KERNELS.kernel("i64(i64, i64)")
def line_value(word, colour):
    """Return the value of the patterns of a colour (0 black, 1 white) in a line word, which has two bits per cell."""
    low, high = word & EVEN_BITS, (word >> 1) & EVEN_BITS
    empty = ~(low | high) & EVEN_BITS
    own = low & ~high if colour == 0 else high & ~low
    total = 0
    last_run_value = 0  # of the last run as a solid pattern, pending until it is known not to be part of a split one
    last_length, last_end, last_open = 0, 0, 0
    while own != 0:
        start = trailing_zeros(own)
        end = start + trailing_zeros(~(own >> start) & EVEN_BITS)
        own &= -1 << end
        length = (end - start) >> 1
        left_open, right_open = (empty >> (start - 2)) & 1, (empty >> end) & 1
        if length > 4:
            length = 0
        is_split = last_length > 0 and length > 0 and last_end + 2 == start and left_open != 0
        if is_split and last_length + length >= 3:
            total += PATTERN_VALUES[SPLIT, min(last_length + length, 4), last_open + right_open]
            last_run_value = 0
        else:
            total += last_run_value
            last_run_value = PATTERN_VALUES[SOLID, length, left_open + right_open]
        last_length, last_end, last_open = length, end, left_open
    return total + last_run_value


@KERNELS.kernel("i64(Gomoku, i64)")
def first_line(s, direction):
    """Return the index of a direction's first line on the board."""
    if direction < 2:
        return PAD
    return STRIDE + 1 - s.height if direction == 2 else 2 * PAD


@KERNELS.kernel("i64(Gomoku, i64)")
def line_count(s, direction):
    """Return the number of a direction's lines on the board."""
    if direction == 0:
        return s.height
    return s.width if direction == 1 else s.width + s.height - 1


@KERNELS.kernel("i64(i64, i64, i64)")
def cell_at(direction, line, place):
    """Return the cell number `place` (from 0) of the line with an index; the inverse of `rules.line_index`."""
    if direction == 0:
        return line * STRIDE + place
    if direction == 1:
        return place * STRIDE + line
    y = place - line + STRIDE if direction == 2 else line - place
    return y * STRIDE + place


@KERNELS.export("i64(Gomoku, i64)")
def paper_score(s, colour):
    """Return the value of all patterns of a colour, plus FIVE_VALUE if it has won."""
    total = FIVE_VALUE if s.winner == colour + 1 else 0
    for direction in range(4):
        start = first_line(s, direction)
        for line in range(start, start + line_count(s, direction)):
            word = s.lines[direction, line]
            if word != s.paper_value_lines[direction, line]:
                s.paper_value_lines[direction, line] = word
                s.paper_values[0, direction, line] = line_value(word, 0)
                s.paper_values[1, direction, line] = line_value(word, 1)
            total += s.paper_values[colour, direction, line]
    return total


@KERNELS.kernel("void(Gomoku)")
def refresh_gains(s):
    """Update `paper_gains` for the lines that have changed."""
    for direction in range(4):
        start = first_line(s, direction)
        for line in range(start, start + line_count(s, direction)):
            word = s.lines[direction, line]
            if word == s.paper_gain_lines[direction, line]:
                continue
            s.paper_gain_lines[direction, line] = word
            before = line_value(word, 0) + line_value(word, 1)
            empty = ~(word | (word >> 1)) & EVEN_BITS
            while empty != 0:
                stone = empty & -empty
                empty ^= stone
                after = line_value(word | stone, 0) + line_value(word | (stone << 1), 1)
                s.paper_gains[direction, cell_at(direction, line, trailing_zeros(stone) >> 1)] = after - before


@KERNELS.kernel("i64(Gomoku, i64)")
def move_value(s, cell):
    """Return V(x, y) of an empty cell; `paper_gains` must be up to date."""
    total = 0
    for direction in range(4):
        total += s.paper_gains[direction, cell]
    for colour in range(2):
        if s.grades[colour, cell] == MAKES_FIVE:
            for direction in range(4):
                if pattern_of(s, colour, cell, direction) == FIVE:
                    total += FIVE_VALUE
    return total


@KERNELS.export("i64(Gomoku, i64)")
def paper_point_value(s, cell):
    """Return V(x, y) of an empty cell, after updating `paper_gains`."""
    refresh_gains(s)
    return move_value(s, cell)
