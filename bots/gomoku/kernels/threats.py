"""Forced play: static wins and losses, the moves that answer a threat, and victory by continuous fours (VCF).

The vocabulary is that of Allis, van den Herik and Huntjens, "Go-Moku and Threat-Space Search" (1993): a four must be
answered on the cell that completes five; an open three, which threatens an open four, leaves few answers.

Everything here reads the grades of empty cells (bots/gomoku/kernels/patterns.py): `s.grade_count[side, MAKES_FIVE]` is
the number of empty cells on which a stone of `side` would make a five, `s.grade_rows[side, MAKES_FIVE]` their bit set,
one word per row. So a side has a four on the board if it has a cell of grade MAKES_FIVE, and it threatens an open or
double four, as an open three does, if it has one of grade MAKES_OPEN_FOUR. Sides are 0 black and 1 white; "we" are the
side to move.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.kernels.patterns import (
    DOUBLE_FOUR,
    FIVE,
    FOUR,
    GRADES,
    LONG_REACH,
    MAKES_DOUBLE_THREE,
    MAKES_FIVE,
    MAKES_FOUL,
    MAKES_FOUR,
    MAKES_FOUR_PLUS,
    MAKES_FOUR_THREE,
    MAKES_OPEN_FOUR,
    MAYBE_FOUL,
    NO_PATTERN,
    OPEN_THREE,
    SHORT_REACH,
    THREE,
)
from bots.gomoku.kernels.rules import (
    BORDER,
    KERNELS,
    PAD,
    STEPS,
    STRIDE,
    apply,
    count_node,
    is_forbidden,
    line_index,
    pattern_of,
    table,
    undo,
    window_patterns,
)
from bots.gomoku.notation import CARO, RENJU
from core.native.intrinsics import trailing_zeros
from core.search.kernels.transposition_table import EXACT
from core.search.scores import DRAW, NO_SCORE, WIN

probe, store, depth_of = table.probe, table.store, table.depth_of

# Xored with the position's hash, so that entries of the VCF search never match those of the alpha-beta search. A VCF
# search that tries fewer fours has a salt of its own, by the lowest grade tried.
VCF_SALTS = {MAKES_FOUR: 0x5851F42D4C957F2D, MAKES_FOUR_PLUS: 0x14057B7EF767814F}
VCF_SALT_OF_GRADE = np.array([VCF_SALTS.get(grade, 0) for grade in range(GRADES)], dtype=np.uint64)


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def first_cell(s, colour, grade):
    """Return the first empty cell of a grade, by rows, or -1."""
    for row in range(PAD, PAD + s.height):
        bits = s.grade_rows[colour, grade, row]
        if bits != 0:
            return row * STRIDE + trailing_zeros(bits)
    return -1


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def can_play(s, colour, cell):
    """Return 0 if renju forbids the cell to a colour, else 1."""
    if s.rule & RENJU != 0 and colour == 0:
        return 1 - is_forbidden(s, cell)
    return 1


@KERNELS.kernel("i64(Gomoku, i64)")
def black_can_move(s, fill_count):
    """Return 1 if black surely has a legal move left whichever `fill_count` cells are filled before, else 0.

    In renju the game is a draw if black has no legal move, so an attack of white does not win then.
    """
    if s.rule & RENJU == 0:
        return 1
    perhaps_forbidden = s.grade_count[0, MAKES_FOUL] + s.grade_count[0, MAYBE_FOUL]
    return 1 if s.width * s.height - s.stones - perhaps_forbidden > fill_count else 0


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def completing_cell(s, colour, cell, direction):
    """Return the first empty cell that completes a five in a line once `colour` has played on `cell`, or -1."""
    place = cell >> 5 if direction == 1 else cell & 31
    line = s.lines[direction, line_index(direction, cell)] | (colour + 1) << (2 * place)
    for offset in range(-SHORT_REACH, SHORT_REACH + 1):
        other = cell + offset * STEPS[direction]
        if offset == 0 or s.cells[other] != 0 or pattern_of(s, colour, other, direction) < FOUR:
            continue
        patterns = window_patterns(s, line >> (2 * (place + offset - s.reach)), 2 * s.reach)
        if (patterns >> (16 * colour)) & 15 == FIVE:
            return other
    return -1


@KERNELS.kernel("i64(Gomoku, i64, i64)")
def forced_answer(s, colour, cell):
    """Return the only answer to the four that `colour` makes on a cell of grade MAKES_FOUR_THREE; not under caro."""
    for direction in range(4):
        if pattern_of(s, colour, cell, direction) == FOUR:
            return completing_cell(s, colour, cell, direction)
    return -1


@KERNELS.kernel("i64(Gomoku, i64)")
def count_fours(s, colour):
    """Return the number of cells on which `colour` makes a four, or perhaps makes one under renju (MAYBE_FOUL)."""
    count = np.int64(0)
    for grade in range(MAKES_FOUR, MAKES_OPEN_FOUR + 1):
        count += s.grade_count[colour, grade]
    if s.rule & RENJU != 0 and colour == 0:
        count += s.grade_count[0, MAYBE_FOUL]
    return count


@KERNELS.kernel("i64(Gomoku, i64)")
def winning_four_three(s, colour):
    """Return a cell where `colour` makes a four and an open three, and the answer to the four makes no four; or -1.

    If neither side can make a five or an open four at once, `colour` wins by a move there, with an open four after the
    answer. The kernel is not for caro, nor for black under renju.
    """
    if s.grade_count[colour, MAKES_FOUR_THREE] == 0:
        return -1
    other = 1 - colour
    for row in range(PAD, PAD + s.height):
        bits = s.grade_rows[colour, MAKES_FOUR_THREE, row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            answer = forced_answer(s, colour, cell)
            if answer < 0:
                continue
            grade = s.grades[other, answer]
            if grade < MAKES_FOUR and (s.rule & RENJU == 0 or grade != MAYBE_FOUL):
                return cell
    return -1


@KERNELS.kernel("i64(Gomoku)")
def wins_in_five(s):
    """Return 1 if the side to move is known to win in five plies, else 0. It must have no five or open four at once.

    It wins by a four with an open three, unless the answer makes a four, and by two open threes if the opponent can
    make no four. Exceptions: the opponent threatens five; under renju black's threes may not be real; under caro a four
    has more than one answer.
    """
    us = s.side
    if s.grade_count[1 - us, MAKES_FIVE] > 0:
        return 0
    if s.rule & CARO != 0 or (s.rule & RENJU != 0 and (us == 0 or black_can_move(s, 2) == 0)):
        return 0
    if s.grade_count[us, MAKES_FOUR_THREE] > 0 and winning_four_three(s, us) >= 0:
        return 1
    return 1 if s.grade_count[us, MAKES_DOUBLE_THREE] > 0 and count_fours(s, 1 - us) == 0 else 0


@KERNELS.export("i64(Gomoku, i64)")
def terminal_score(s, ply):
    """Return the score of a position whose result is known without search, else NO_SCORE.

    Known are, in plies from here: a loss in 0 (the opponent has made five), a win in 1 (we can make five), a loss in 2
    (the opponent can make five on two cells, or on one that renju forbids us), a win in 3 (we can make an open four,
    and the opponent cannot make five), a draw on a full board, and a draw if our only answer to a four fills the board.
    Exceptions are positions under caro and under renju in which these wins are not certain.
    """
    if s.winner != 0:
        return ply - WIN
    us, them = s.side, 1 - s.side
    if s.grade_count[us, MAKES_FIVE] > 0:
        return WIN - ply - 1
    fives = s.grade_count[them, MAKES_FIVE]
    if fives > 0:
        if s.rule & CARO != 0 or (us == 0 and black_can_move(s, 0) == 0):  # in caro one stone may stop two fives
            return NO_SCORE
        if fives > 1 or can_play(s, us, first_cell(s, them, MAKES_FIVE)) == 0:
            return ply + 2 - WIN
        if s.stones + 1 == s.width * s.height:
            return DRAW
        return NO_SCORE
    if s.stones == s.width * s.height:
        return DRAW
    if s.grade_count[us, MAKES_OPEN_FOUR] > 0 and (us == 0 or black_can_move(s, 1) != 0):
        return WIN - ply - 3
    return NO_SCORE


@KERNELS.export("i64(Gomoku, i64)")
def static_score(s, ply):
    """Return `terminal_score` or, if that is NO_SCORE, the score of a win in five plies that `wins_in_five` knows."""
    score = terminal_score(s, ply)
    return WIN - ply - 5 if score == NO_SCORE and wins_in_five(s) != 0 else score


@KERNELS.export("i64(Gomoku)")
def must_answer_threat(s):
    """Return 1 if the opponent could make a five or an open four with its next stone, else 0."""
    them = 1 - s.side
    return 1 if s.grade_count[them, MAKES_FIVE] + s.grade_count[them, MAKES_OPEN_FOUR] > 0 else 0


@KERNELS.kernel("void(Gomoku, i64)")
def mark(s, cell):
    """Add a cell to the marked cells, a bit set of the board with one word per row of 32 cells."""
    s.marked_rows[cell >> 5] |= 1 << (cell & 31)


@KERNELS.kernel("void(Gomoku, i64, i64, i64)")
def mark_line(s, cell, direction, colour):
    """Mark the empty cells on the line through `cell` where a stone may stop what `colour` would make on `cell`.

    They are the cells within `reach` on which `colour` itself could make a four or five in this line. In caro, all
    empty cells within `reach` are marked, because blocked ends count.
    """
    marks_all = s.rule & CARO != 0
    for way in range(-1, 2, 2):
        other = cell
        for _ in range(s.reach):
            other += way * STEPS[direction]
            content = s.cells[other]
            if content == BORDER:
                break
            if content == 0:
                pattern = pattern_of(s, colour, other, direction)
                if marks_all or (pattern >= FOUR and pattern <= FIVE):
                    mark(s, other)


@KERNELS.kernel("void(Gomoku, i64)")
def mark_five_defences(s, colour):
    """Mark the cells that may answer a four of `colour`: those that complete five, in caro also others of the line."""
    for row in range(PAD, PAD + s.height):
        bits = s.grade_rows[colour, MAKES_FIVE, row]
        while bits != 0:
            cell = row * STRIDE + trailing_zeros(bits)
            bits &= bits - 1
            mark(s, cell)
            if s.rule & CARO != 0:
                for direction in range(4):
                    if pattern_of(s, colour, cell, direction) == FIVE:
                        mark_line(s, cell, direction, colour)


@KERNELS.kernel("void(Gomoku, i64)")
def mark_open_four_defences(s, colour):
    """Mark the cells that may answer a threat of an open or double four: the cell itself and cells of its lines.

    Only the first threatening cell is looked at: a move that answers all threats answers this one too.
    """
    cell = first_cell(s, colour, MAKES_OPEN_FOUR)
    mark(s, cell)
    for direction in range(4):
        pattern = pattern_of(s, colour, cell, direction)
        if pattern >= FOUR and pattern <= DOUBLE_FOUR:
            mark_line(s, cell, direction, colour)


@KERNELS.kernel("void(Gomoku, i64, i64, i64, i64)")
def mark_patterns(s, cell, direction, colour, lowest):
    """Mark a line's empty cells within `reach`, up to the other colour's stones, with at least the pattern `lowest`."""
    for way in range(-1, 2, 2):
        other = cell
        for _ in range(s.reach):
            other += way * STEPS[direction]
            content = s.cells[other]
            if content == BORDER or content == 2 - colour:
                break
            if content == 0 and pattern_of(s, colour, other, direction) >= lowest:
                mark(s, other)


@KERNELS.kernel("void(Gomoku, i64, i64)")
def mark_four_three_defences(s, colour, cell):
    """Mark the cells that may stop `colour` from winning by a four and an open three on `cell`, fours left out.

    They are the cell itself, those of its two lines, and those with which the answer to the four makes a four.
    """
    mark(s, cell)
    for direction in range(4):
        if pattern_of(s, colour, cell, direction) >= OPEN_THREE:
            mark_patterns(s, cell, direction, colour, NO_PATTERN)
    answer = forced_answer(s, colour, cell)
    for direction in range(4):
        mark_patterns(s, answer, direction, 1 - colour, THREE)


@KERNELS.kernel("void(Gomoku, i64, i64)")
def mark_grade(s, colour, grade):
    """Mark the empty cells of one grade."""
    for row in range(PAD, PAD + s.height):
        s.marked_rows[row] |= s.grade_rows[colour, grade, row]


@KERNELS.kernel("i64(Gomoku, i64)")
def answer_count(s, fives):
    """Return the number of indices to try with `answer_to_five`; a side can make five on `fives` cells (1 or more).

    Against two or more there is no answer, except in caro, where a stone at the end of a five may also stop it.
    """
    if s.rule & CARO != 0:
        return 1 + 4 * (2 * LONG_REACH + 1)
    return 1 if fives == 1 else 0


@KERNELS.kernel("i64(Gomoku, i64, i64, i64)")
def answer_to_five(s, colour, five, index):
    """Return the `index`-th candidate answer to `colour` making five on the cell `five`, or -1.

    Index 0 is that cell; the others are used in caro only: the cells of the five's lines, by direction and offset.
    """
    if index == 0:
        return five
    direction = (index - 1) // (2 * LONG_REACH + 1)
    offset = (index - 1) % (2 * LONG_REACH + 1) - LONG_REACH
    if offset == 0 or pattern_of(s, colour, five, direction) != FIVE:
        return -1
    cell = five + offset * STEPS[direction]
    return cell if s.cells[cell] == 0 else -1


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64)")
def vcf(s, tt, plies, level):
    """Return the length in plies of a win for the side to move by fours alone; 0 if none of at most `plies` is found.

    The attacker tries the fours of grade `vcf_min_grade` or higher, and any four that answers a four. The winning line
    is left in `vcf_line` from index `level` on. Failures are stored in the table under a salted key. The search gives
    up when `vcf_budget` fours have been tried; the answers are not counted.
    """
    # 1. Wins and losses that need no search.
    us, them = s.side, 1 - s.side
    if s.grade_count[us, MAKES_FIVE] > 0:
        s.vcf_line[level] = first_cell(s, us, MAKES_FIVE)
        return 1
    if us == 1 and black_can_move(s, 1) == 0:
        return 0
    only_move = -1  # the cell that stops the opponent's five, which must make a four of ours at once
    if s.grade_count[them, MAKES_FIVE] > 0:
        only_move = first_cell(s, them, MAKES_FIVE)
        if s.grade_count[them, MAKES_FIVE] > 1 or s.grades[us, only_move] < MAKES_FOUR:
            return 0
    elif s.grade_count[us, MAKES_OPEN_FOUR] > 0:
        s.vcf_line[level] = first_cell(s, us, MAKES_OPEN_FOUR)
        s.vcf_line[level + 1] = 0
        return 3
    if plies < 5 or s.vcf_budget <= 0 or s.aborted != 0:
        return 0
    # 2. Failures known from the table.
    key = s.hash ^ VCF_SALT_OF_GRADE[s.vcf_min_grade]
    if probe(s, tt, key) != 0 and depth_of(s.hit_data) >= plies:
        return 0
    # 3. Our fours, the strongest first, and each answer of the opponent.
    for grade in range(MAKES_OPEN_FOUR, (MAKES_FOUR if only_move >= 0 else s.vcf_min_grade) - 1, -1):
        for row in range(PAD, PAD + s.height):
            bits = s.grade_rows[us, grade, row]
            while bits != 0:
                cell = row * STRIDE + trailing_zeros(bits)
                bits &= bits - 1
                if only_move >= 0 and cell != only_move:  # any other four loses to the opponent's five
                    continue
                if s.aborted != 0:
                    return 0
                apply(s, cell)
                count_node(s)
                s.vcf_budget -= 1
                length = 0
                fives = s.grade_count[us, MAKES_FIVE]
                if fives > 0:
                    five = first_cell(s, us, MAKES_FIVE)
                    length = 3
                    s.vcf_line[level + 1] = 0
                    for index in range(answer_count(s, fives)):
                        reply = answer_to_five(s, us, five, index)
                        if reply < 0 or can_play(s, them, reply) == 0:
                            continue
                        apply(s, reply)
                        count_node(s)
                        rest_length = vcf(s, tt, plies - 2, level + 2)
                        undo(s)
                        if rest_length == 0:
                            length = 0
                            break
                        if rest_length + 2 > length:
                            length = rest_length + 2
                            s.vcf_line[level + 1] = reply
                undo(s)
                if length > 0:
                    s.vcf_line[level] = cell
                    return length
    if s.vcf_budget > 0 and s.aborted == 0:
        store(s, tt, key, 0, DRAW, 0, plies, EXACT, 0)
    return 0


@KERNELS.kernel("i64(Gomoku, u64[], i64, i64, i64)")
def find_vcf(s, tt, plies, budget, min_grade):
    """Return the length of a VCF of the side to move as `vcf` does, trying about `budget` fours at most.

    The side to move must have no win that `static_score` knows. Fours of a grade below `min_grade` are tried only as
    answers to a four. Nothing is searched, and the result is 0, if a VCF is unlikely: if no four makes a three or an
    open two in another line as well, and at most one plain four may be tried.
    """
    us = s.side
    strong = s.grade_count[us, MAKES_FOUR_THREE] + s.grade_count[us, MAKES_FOUR_PLUS]
    plain = s.grade_count[us, MAKES_FOUR] if min_grade == MAKES_FOUR else 0
    if 2 * strong + plain < 2:
        return 0
    s.vcf_budget = budget
    s.vcf_min_grade = min_grade
    return vcf(s, tt, plies, 0)


@KERNELS.export("i64(Gomoku, u64[], i64, i64)")
def find_full_vcf(s, tt, plies, budget):
    """Return the length in plies of a VCF of the side to move, or 0 if none was found.

    The line is left in `vcf_line`; a 0 in it stands for a reply that does not matter.
    """
    return find_vcf(s, tt, plies, budget, MAKES_FOUR)
