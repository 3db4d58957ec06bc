"""Candidate moves: a win at hand, the answers to a threat, or the cells near the stones, ordered by what they make."""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.patterns import GRADE_FIVE, GRADE_FORBIDDEN_THREES, GRADE_FOUR, GRADE_OPEN_FOUR
from bots.gomoku.kernels.rules import KERNELS, PAD, STRIDE, forbidden
from bots.gomoku.kernels.threats import mark_five_defences, mark_grade, mark_open_four_defences
from bots.gomoku.notation import RENJU
from core.native.intrinsics import trailing_zeros

# Ordering values by code: about what each is worth to its owner, in units where an open two is some tens.
VALUES = np.array([0, 1, 3, 5, 14, 18, 20, 60, 70, 100, 400, 400, 2000, 0, 0, 0])
PAIR_VALUES = np.add.outer(VALUES, VALUES).ravel()  # of two codes in eight bits
# Ordering bonus by grade, on top of the codes' values: what the cell makes for us, and takes from them.
#                         -  F  F3  q  3  22  3o  3o+  33    4   4+   43    4o   5
OWN_BONUS = np.array([0, -500, 0, 0, 0, 10, 20, 60, 500, 0, 80, 1500, 4000, 9000, 0, 0])
THEIR_BONUS = np.array([0, 0, 0, 0, 0, 5, 10, 30, 300, 0, 30, 700, 2000, 5000, 0, 0])


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def value_of(s, colour, cell):
    """Sum of the ordering values of a cell's four codes."""
    codes = np.int64(s.codes[cell]) >> (16 * colour)
    return PAIR_VALUES[codes & 255] + PAIR_VALUES[(codes >> 8) & 255]


@KERNELS.kernel("i64(Gomoku, i64)")
def weigh_grades(s, cell):
    """A cell's place in the order of moves by what it would make for either side."""
    us, them = s.side, 1 - s.side
    own, theirs = np.int64(s.grades[us, cell]), np.int64(s.grades[them, cell])
    return value_of(s, us, cell) + (value_of(s, them, cell) >> 1) + OWN_BONUS[own] + THEIR_BONUS[theirs]


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def take_marked(s, ply, count):
    """Append the marked cells to the moves of a ply, without those forbidden to the side to move; return the count."""
    us = s.side
    restricted = s.rule & RENJU != 0 and us == 0
    for row in range(PAD, PAD + s.height):
        bits = s.marked_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if restricted and forbidden(s, cell) != 0:
                continue
            s.moves[ply, count] = cell
            s.move_scores[ply, count] = weigh_grades(s, cell)
            count += 1
    return count


@KERNELS.kernel("void(Gomoku, i64)")
def mark_near(s, distance):
    """Mark the empty cells within a distance of any stone in both coordinates; with 32 all of the board."""
    for row in range(PAD, PAD + s.height):
        bits = 0
        for other in range(max(row - distance, PAD), min(row + distance, PAD + s.height - 1) + 1):
            bits |= s.occupied_rows[other]
        for _ in range(min(distance, STRIDE)):
            bits |= bits << 1 | bits >> 1
        s.marked_rows[row] = bits & s.board_rows[row] & ~s.occupied_rows[row]


@KERNELS.kernel("i64(Gomoku, i64)")
def generate(s, ply):
    """Moves worth considering: a win at hand, else the answers to a threat, else the cells near the stones."""
    us, them = s.side, 1 - s.side
    s.forced[ply] = 0
    for row in range(PAD, PAD + s.height):
        s.marked_rows[row] = 0
    if s.grade_count[us, GRADE_FIVE] > 0:
        mark_grade(s, us, GRADE_FIVE)
    elif s.grade_count[them, GRADE_FIVE] == 0 and s.grade_count[us, GRADE_OPEN_FOUR] > 0:
        mark_grade(s, us, GRADE_OPEN_FOUR)
    elif s.grade_count[them, GRADE_FIVE] > 0:
        s.forced[ply] = 1
        mark_five_defences(s, them)
    elif s.grade_count[them, GRADE_OPEN_FOUR] > 0:
        s.forced[ply] = 1
        mark_open_four_defences(s, them)
        mark_grade(s, us, GRADE_FORBIDDEN_THREES)  # may be allowed, and make a four
        for grade in range(GRADE_FOUR, GRADE_OPEN_FOUR):
            mark_grade(s, us, grade)
    elif s.stones == 0:
        s.marked_rows[PAD + s.height // 2] = 1 << (PAD + s.width // 2)
    else:
        mark_near(s, 2)
    count = take_marked(s, ply, 0)
    if count == 0:
        mark_near(s, STRIDE)
        count = take_marked(s, ply, 0)
    return count
