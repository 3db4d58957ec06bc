"""Move generation for the alpha-beta search: winning moves, answers to a threat, or cells near the stones.

`s` is the state. The moves of a ply are written to `s.moves[ply]`, their ordering scores to `s.move_scores[ply]`. A
move is a cell of the padded board (kernels/rules.py). A score adds what a stone on the cell would make for us and, with
less weight, what an opponent's stone would make there: its line patterns and its grade, that is, what the patterns of
all directions make together (kernels/patterns.py). The values below were chosen by hand. "We" are the side to move.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.patterns import MAKES_FIVE, MAKES_FOUR, MAKES_OPEN_FOUR, MAYBE_FOUL
from bots.gomoku.kernels.rules import KERNELS, PAD, STRIDE, is_forbidden
from bots.gomoku.kernels.threats import (
    mark_five_defences,
    mark_four_three_defences,
    mark_grade,
    mark_open_four_defences,
    winning_four_three,
)
from bots.gomoku.notation import CARO, RENJU
from core.native.intrinsics import trailing_zeros
from core.search.parameters import FACTOR_BITS

# Ordering value of each line pattern for the side that would make it; the last two are unused.
PATTERN_VALUES = np.array([0, 1, 3, 5, 14, 18, 20, 60, 70, 100, 400, 400, 2000, 0, 0, 0])
PAIR_VALUES = np.add.outer(PATTERN_VALUES, PATTERN_VALUES).ravel()  # sum of two patterns, indexed by their eight bits
# Ordering bonus by grade, added to the patterns' values: for our grade of the cell, and for the opponent's.
#              nothing foul foul? little 3 2+2 open3 open3+ 3+3 4 4+ 4+3 open4 five
OWN_BONUS = np.array([0, -500, 0, 0, 0, 10, 20, 60, 500, 0, 80, 1500, 4000, 9000, 0, 0])
OPPONENT_BONUS = np.array([0, 0, 0, 0, 0, 5, 10, 30, 300, 0, 30, 700, 2000, 5000, 0, 0])


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def pattern_value(s, colour, cell):
    """Return the sum of the ordering values of the four patterns that a stone of `colour` would make on a cell."""
    patterns = np.int64(s.patterns[cell]) >> (16 * colour)
    return PAIR_VALUES[patterns & 255] + PAIR_VALUES[(patterns >> 8) & 255]


@KERNELS.kernel("i64(Gomoku, i64)")
def move_score(s, cell):
    """Return the ordering score of a cell for the side to move."""
    us, them = s.side, 1 - s.side
    own, theirs = np.int64(s.grades[us, cell]), np.int64(s.grades[them, cell])
    defence = pattern_value(s, them, cell) * s.order_defence >> FACTOR_BITS
    return pattern_value(s, us, cell) + defence + OWN_BONUS[own] + OPPONENT_BONUS[theirs]


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def append_marked(s, ply, count):
    """Append the marked cells that are legal for the side to move to `moves[ply]`; return the new number of moves."""
    us = s.side
    has_forbidden_moves = s.rule & RENJU != 0 and us == 0
    for row in range(PAD, PAD + s.height):
        bits = s.marked_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if has_forbidden_moves and is_forbidden(s, cell) != 0:
                continue
            s.moves[ply, count] = cell
            s.move_scores[ply, count] = move_score(s, cell)
            count += 1
    return count


@KERNELS.kernel("void(Gomoku, i64)")
def mark_near(s, distance):
    """Mark the empty cells that differ from some stone by at most `distance` in each coordinate; with 32, all."""
    for row in range(PAD, PAD + s.height):
        bits = 0
        for other in range(max(row - distance, PAD), min(row + distance, PAD + s.height - 1) + 1):
            bits |= s.occupied_rows[other]
        for _ in range(min(distance, STRIDE)):
            bits |= bits << 1 | bits >> 1
        s.marked_rows[row] = bits & s.board_rows[row] & ~s.occupied_rows[row]


@KERNELS.export("i64(Gomoku, i64)")
def generate(s, ply):
    """List the candidate moves of a ply, and return their number. `forced[ply]` is set to 1 if they answer a threat.

    They are our fives or, if the opponent threatens no five, our open fours. Without these, they are the answers to a
    threat: the cells that stop it and, against an open four, our own fours. If the opponent would win by a four with an
    open three, they are the cells that may stop that and our own fours, but `forced` is 0, and at the root nothing is
    left out, because hosts ask for the moves that lose. Else they are the cells at most two columns and rows from a
    stone; on an empty board, the centre. If none of them is legal, all legal moves are listed.
    """
    us, them = s.side, 1 - s.side
    s.forced[ply] = 0
    for row in range(PAD, PAD + s.height):
        s.marked_rows[row] = 0
    if s.grade_count[us, MAKES_FIVE] > 0:
        mark_grade(s, us, MAKES_FIVE)
    elif s.grade_count[them, MAKES_FIVE] == 0 and s.grade_count[us, MAKES_OPEN_FOUR] > 0:
        mark_grade(s, us, MAKES_OPEN_FOUR)
    elif s.grade_count[them, MAKES_FIVE] > 0:
        s.forced[ply] = 1
        mark_five_defences(s, them)
    elif s.grade_count[them, MAKES_OPEN_FOUR] > 0:
        s.forced[ply] = 1
        mark_open_four_defences(s, them)
        mark_grade(s, us, MAYBE_FOUL)  # if legal, it may make a four
        for grade in range(MAKES_FOUR, MAKES_OPEN_FOUR):
            mark_grade(s, us, grade)
    elif s.stones == 0:
        s.marked_rows[PAD + s.height // 2] = 1 << (PAD + s.width // 2)
    else:
        four_three = winning_four_three(s, them) if ply > 0 and s.rule & (RENJU | CARO) == 0 else -1
        if four_three >= 0:
            mark_four_three_defences(s, them, four_three)
            for grade in range(MAKES_FOUR, MAKES_OPEN_FOUR):
                mark_grade(s, us, grade)
        else:
            mark_near(s, 2)
    count = append_marked(s, ply, 0)
    if count == 0:
        mark_near(s, STRIDE)
        count = append_marked(s, ply, 0)
    return count
