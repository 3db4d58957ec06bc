"""Forced play: what is decided without search, which moves answer a threat, and victory by continuous fours (VCF).

The vocabulary is that of Allis, van den Herik and Huntjens, "Go-Moku and Threat-Space Search" (1993): a four must be
answered at the cell that completes five; an open three (here: a cell of grade OPEN_FOUR) leaves few answers.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.patterns import (
    DOUBLE_FOUR,
    FIVE,
    FOUR,
    GRADE_FIVE,
    GRADE_FORBIDDEN,
    GRADE_FORBIDDEN_THREES,
    GRADE_FOUR,
    GRADE_FOUR_PLUS,
    GRADE_FOUR_THREE,
    GRADE_OPEN_FOUR,
    GRADES,
    LONG_REACH,
)
from bots.gomoku.kernels.rules import (
    BORDER,
    KERNELS,
    PAD,
    STEPS,
    STRIDE,
    apply,
    code_of,
    count_node,
    forbidden,
    table,
    undo,
)
from bots.gomoku.notation import CARO, RENJU
from core.native.intrinsics import trailing_zeros
from core.search.kernels.transposition_table import EXACT
from core.search.scores import DRAW, NO_SCORE, WIN

probe, store, depth_of = table.probe, table.store, table.depth_of

# Keep entries of searches for fours apart from those of the search, and from each other by the least grade they try.
VCF_SALTS = {GRADE_FOUR: 0x5851F42D4C957F2D, GRADE_FOUR_PLUS: 0x14057B7EF767814F}
SALTS = np.array([VCF_SALTS.get(grade, 0) for grade in range(GRADES)], dtype=np.uint64)


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def first_cell(s, colour, grade):
    """The first empty cell of a grade, or -1."""
    for row in range(PAD, PAD + s.height):
        bits = s.grade_rows[colour, grade, row]
        if bits != 0:
            return row * STRIDE + trailing_zeros(bits)
    return -1


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def may_play(s, colour, cell):
    """1 unless renju forbids the cell to a colour."""
    if s.rule & RENJU != 0 and colour == 0:
        return 1 - forbidden(s, cell)
    return 1


@KERNELS.kernel("i64(Gomoku, i64)")
def has_free_move(s, besides):
    """1 where black may surely play somewhere, whatever becomes of so many cells; without a legal move it draws."""
    if s.rule & RENJU == 0:
        return 1
    barred = s.grade_count[0, GRADE_FORBIDDEN] + s.grade_count[0, GRADE_FORBIDDEN_THREES]
    return 1 if s.width * s.height - s.stones - barred > besides else 0


@KERNELS.export("i64(Gomoku, i64)")
def terminal_score(s, ply):
    """The proven value where a five or an open four is at hand, or two fives stand against us; else UNSETTLED."""
    if s.winner != 0:
        return ply - WIN
    us, them = s.side, 1 - s.side
    if s.grade_count[us, GRADE_FIVE] > 0:
        return WIN - ply - 1
    fives = s.grade_count[them, GRADE_FIVE]
    if fives > 0:
        if s.rule & CARO != 0 or (us == 0 and has_free_move(s, 0) == 0):  # in caro one stone may stop two fives
            return NO_SCORE
        if fives > 1 or may_play(s, us, first_cell(s, them, GRADE_FIVE)) == 0:
            return ply + 2 - WIN
        if s.stones + 1 == s.width * s.height:
            return DRAW
        return NO_SCORE
    if s.stones == s.width * s.height:
        return DRAW
    if s.grade_count[us, GRADE_OPEN_FOUR] > 0 and (us == 0 or has_free_move(s, 1) != 0):
        return WIN - ply - 3
    return NO_SCORE


@KERNELS.export("i64(Gomoku)")
def must_answer_threat(s):
    """1 where the other side threatens a five or an open four."""
    them = 1 - s.side
    return 1 if s.grade_count[them, GRADE_FIVE] + s.grade_count[them, GRADE_OPEN_FOUR] > 0 else 0


@KERNELS.kernel("void(Gomoku, i64)")
def mark(s, cell):
    s.marked_rows[cell >> 5] |= 1 << (cell & 31)


@KERNELS.kernel("void(Gomoku, i64, i64, i64)")
def mark_line(s, cell, direction, colour):
    """Mark the empty cells near `cell` in a direction at which a stone can break what `colour` would make there."""
    everything = s.rule & CARO != 0
    for way in range(-1, 2, 2):
        other = cell
        for _ in range(s.reach):
            other += way * STEPS[direction]
            content = s.cells[other]
            if content == BORDER:
                break
            if content == 0:
                code = code_of(s, colour, other, direction)
                if everything or (code >= FOUR and code <= FIVE):
                    mark(s, other)


@KERNELS.kernel("void(Gomoku, i64)")
def mark_five_defences(s, colour):
    """Mark the cells that answer a four of `colour`: where it completes five, in caro also the ends of that five."""
    for row in range(PAD, PAD + s.height):
        bits = s.grade_rows[colour, GRADE_FIVE, row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            mark(s, cell)
            if s.rule & CARO != 0:
                for direction in range(4):
                    if code_of(s, colour, cell, direction) == FIVE:
                        mark_line(s, cell, direction, colour)


@KERNELS.kernel("void(Gomoku, i64)")
def mark_open_four_defences(s, colour):
    """Mark the cells that may answer a threat of an open or double four: the cell itself and those of its lines.

    One threat is enough: whatever answers all of them answers the first.
    """
    cell = first_cell(s, colour, GRADE_OPEN_FOUR)
    mark(s, cell)
    for direction in range(4):
        code = code_of(s, colour, cell, direction)
        if code >= FOUR and code <= DOUBLE_FOUR:
            mark_line(s, cell, direction, colour)


@KERNELS.kernel("void(Gomoku, i64, i64)")
def mark_grade(s, colour, grade):
    """Mark the cells of one grade."""
    for row in range(PAD, PAD + s.height):
        s.marked_rows[row] |= s.grade_rows[colour, grade, row]


@KERNELS.kernel("i64(Gomoku, i64)")
def answer_count(s, fives):
    """How many answers `answer_to_five` lists: none helps against two fives, but in caro cells of four lines may."""
    if s.rule & CARO != 0:
        return 1 + 4 * (2 * LONG_REACH + 1)
    return 1 if fives == 1 else 0


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def answer_to_five(s, colour, five, index):
    """An empty cell that may stop `colour` on `five`: that cell, then in caro those of the five's lines; or -1."""
    if index == 0:
        return five
    direction = (index - 1) // (2 * LONG_REACH + 1)
    offset = (index - 1) % (2 * LONG_REACH + 1) - LONG_REACH
    if offset == 0 or code_of(s, colour, five, direction) != FIVE:
        return -1
    cell = five + offset * STEPS[direction]
    return cell if s.cells[cell] == 0 else -1


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64)")
def vcf(s, words, plies, level):
    """Length in plies of a win for the side to move by fours alone, at most `plies` long, or 0 where none was found.

    Tried are the fours of a grade from `vcf_least` on, and any that answers a four. The winning line is left in
    `vcf_line` from `level` on. Fails are remembered in the table under a salted key. The search gives up when
    `vcf_budget` nodes are used.
    """
    us, them = s.side, 1 - s.side
    if s.grade_count[us, GRADE_FIVE] > 0:
        s.vcf_line[level] = first_cell(s, us, GRADE_FIVE)
        return 1
    if us == 1 and has_free_move(s, 1) == 0:
        return 0
    only = -1
    if s.grade_count[them, GRADE_FIVE] > 0:
        only = first_cell(s, them, GRADE_FIVE)
        if s.grade_count[them, GRADE_FIVE] > 1 or s.grades[us, only] < GRADE_FOUR:
            return 0
    elif s.grade_count[us, GRADE_OPEN_FOUR] > 0:
        s.vcf_line[level] = first_cell(s, us, GRADE_OPEN_FOUR)
        s.vcf_line[level + 1] = 0
        return 3
    if plies < 5 or s.vcf_budget <= 0 or s.aborted != 0:
        return 0
    key = s.hash ^ SALTS[s.vcf_least]
    if probe(s, words, key) != 0 and depth_of(s.hit_data) >= plies:
        return 0
    for grade in range(GRADE_OPEN_FOUR, (GRADE_FOUR if only >= 0 else s.vcf_least) - 1, -1):
        for row in range(PAD, PAD + s.height):
            bits = s.grade_rows[us, grade, row]
            while bits != 0:
                cell = row * STRIDE + trailing_zeros(bits)
                bits &= bits - 1
                if only >= 0 and cell != only:  # any other four would lose to the five of the other side
                    continue
                if s.aborted != 0:
                    return 0
                apply(s, cell)
                count_node(s)
                s.vcf_budget -= 1
                length = 0
                fives = s.grade_count[us, GRADE_FIVE]
                if fives > 0:
                    five = first_cell(s, us, GRADE_FIVE)
                    length = 3
                    s.vcf_line[level + 1] = 0
                    for index in range(answer_count(s, fives)):
                        reply = answer_to_five(s, us, five, index)
                        if reply < 0 or may_play(s, them, reply) == 0:
                            continue
                        apply(s, reply)
                        count_node(s)
                        rest = vcf(s, words, plies - 2, level + 2)
                        undo(s)
                        if rest == 0:
                            length = 0
                            break
                        if rest + 2 > length:
                            length = rest + 2
                            s.vcf_line[level + 1] = reply
                undo(s)
                if length > 0:
                    s.vcf_line[level] = cell
                    return length
    if s.vcf_budget > 0 and s.aborted == 0:
        store(s, words, key, 0, DRAW, 0, plies, EXACT, 0)
    return 0


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64, i64)")
def find_vcf(s, words, plies, budget, least):
    """`vcf` by fours of at least a grade with a budget of nodes, where enough is on the board for one to be likely."""
    us = s.side
    strong = s.grade_count[us, GRADE_FOUR_THREE] + s.grade_count[us, GRADE_FOUR_PLUS]
    plain = s.grade_count[us, GRADE_FOUR] if least == GRADE_FOUR else 0
    if 2 * strong + plain < 2:
        return 0
    s.vcf_budget = budget
    s.vcf_least = least
    return vcf(s, words, plies, 0)


@KERNELS.export("i64(Gomoku, u64[], i64, i64)")
def find_vcf_move(s, words, plies, budget):
    """Length of a VCF of the side to move, its line in `vcf_line` (0 where the reply does not matter); 0 for none."""
    return find_vcf(s, words, plies, budget, GRADE_FOUR)
