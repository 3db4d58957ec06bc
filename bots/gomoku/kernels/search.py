"""What Gomoku adds to the alpha-beta skeleton: candidate moves, threats first, and a search for fours at the leaves."""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels import paper
from bots.gomoku.kernels.evaluate import evaluate
from bots.gomoku.kernels.patterns import GRADE_FIVE, GRADE_FORBIDDEN_THREES, GRADE_FOUR, GRADE_OPEN_FOUR
from bots.gomoku.kernels.rules import (
    GOMOKU,
    KERNELS,
    PAD,
    STRIDE,
    apply,
    count_node,
    forbidden,
    table,
    undo,
)
from bots.gomoku.kernels.threats import (
    find_vcf,
    is_forced,
    mark_five_defences,
    mark_grade,
    mark_open_four_defences,
    settle,
)
from bots.gomoku.notation import RENJU
from core.native.intrinsics import trailing_zeros
from core.search.alphabeta import GameKernels, make_search
from core.search.pruning import Pruning
from core.search.scores import WIN

PARTS = (paper,)  # modules whose kernels belong to the library, too

LEAF_VCF_PLIES, LEAF_VCF_NODES = 12, 24

# Ordering bonus by grade, on top of the codes' values: what the cell makes for us, and takes from them.
#                         -  F  F3  q  3  22  3o  3o+  33    4   4+   43    4o   5
OWN_BONUS = np.array([0, -500, 0, 0, 0, 10, 20, 60, 500, 0, 80, 1500, 4000, 9000, 0, 0])
THEIR_BONUS = np.array([0, 0, 0, 0, 0, 5, 10, 30, 300, 0, 30, 700, 2000, 5000, 0, 0])


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def take_marked(s, ply, count):
    """Append the marked cells to the moves of a ply, without those forbidden to the side to move; return the count."""
    us, them = s.side, 1 - s.side
    restricted = s.rule & RENJU != 0 and us == 0
    for row in range(PAD, PAD + s.height):
        bits = s.marked_rows[row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            if restricted and forbidden(s, cell) != 0:
                continue
            own, theirs = np.int64(s.grades[us, cell]), np.int64(s.grades[them, cell])
            value = s.values[us, cell] + (s.values[them, cell] >> 1)
            s.moves[ply, count] = cell
            s.order[ply, count] = value + OWN_BONUS[own] + THEIR_BONUS[theirs]
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


@KERNELS.export("i64(Gomoku, u64[], i64, i64, i64)")
def leaf(s, words, alpha, beta, ply):
    """A win by continuous fours where a short search finds one, else the estimate; no search where that fails high."""
    static = evaluate(s)
    if static >= beta:
        return static
    length = find_vcf(s, words, LEAF_VCF_PLIES, LEAF_VCF_NODES)
    if length > 0:
        return WIN - ply - length
    return static


@KERNELS.kernel("u64(Gomoku)")
def key(s):
    return s.hash


@KERNELS.kernel("i64(i64)")
def slot(move):
    return move


PRUNING = Pruning(
    futility_depth=4,
    futility_margin=85,
    late_moves_base=6,
    late_moves_factor=3,
    late_moves_depth=4,
    reduction_divisor=1.7,
    history_shift=5,
)
search = make_search(
    KERNELS,
    GOMOKU.name,
    GameKernels(apply, undo, key, count_node, settle, is_forced, generate, leaf, evaluate, slot, table),
    PRUNING,
)
