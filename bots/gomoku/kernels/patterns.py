"""What a stone would make of its line: a code for every window of cells around an empty cell, for each colour and rule.

A window holds `reach` cells on each side of the empty centre, two bits a cell (0 empty, 1 black, 2 white, 3 off the
board), the leftmost cell in the lowest bits and the centre left out. Placing a stone in the centre makes, best first:

FIVE; LONG (six or more where only five wins); OPEN_FOUR (wins whatever the reply); DOUBLE_FOUR (two fours in one
line); FOUR (one cell completes five); OPEN_THREE_2 and OPEN_THREE (two or more, or one, cells make an open four); THREE
(a cell makes a four); OPEN_TWO_2, OPEN_TWO, TWO, OPEN_ONE, ONE likewise one stone earlier; NOTHING when no five is
possible.

All codes follow from the definition of five by trying the next stone, so every rule needs only its own five.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.notation import CARO, EXACT, RENJU

NOTHING, ONE, OPEN_ONE, TWO, OPEN_TWO, OPEN_TWO_2, THREE, OPEN_THREE, OPEN_THREE_2 = range(9)
FOUR, OPEN_FOUR, DOUBLE_FOUR, FIVE, LONG = range(9, 14)
CODES = 16

# What the four lines of a cell make together, worst first. FORBIDDEN_THREES may still be allowed: threes must be real.
(
    GRADE_NOTHING,
    GRADE_FORBIDDEN,
    GRADE_FORBIDDEN_THREES,
    GRADE_QUIET,
    GRADE_THREE,
    GRADE_DOUBLE_TWO,
    GRADE_OPEN_THREE,
    GRADE_OPEN_THREE_PLUS,
    GRADE_DOUBLE_THREE,
    GRADE_FOUR,
    GRADE_FOUR_PLUS,
    GRADE_FOUR_THREE,
    GRADE_OPEN_FOUR,
    GRADE_FIVE,
) = range(14)
GRADES = 16

SHORT_REACH, LONG_REACH = 4, 5  # exact five and caro look one cell beyond a five
TABLE_SIZE = 1 << (4 * LONG_REACH)
GRADE_TABLE_SIZE = 1 << 16


def define_patterns(kernels):
    """Define the kernel that fills the record's tables: `fill_tables(state)`, after `rule` and `reach` are set."""

    @kernels.kernel("i64(i64, i64, i64)")
    def cell_at(key, reach, offset):
        """Content of the cell at an offset from the centre, -reach..reach without 0."""
        index = offset + reach if offset < 0 else offset + reach - 1
        return (key >> (2 * index)) & 3

    @kernels.kernel("i64(i64, i64, i64, i64)")
    def run_end(key, reach, colour, step):
        """Offset of the first cell in a direction that is not of the colour, at most one beyond the window."""
        offset = step
        while abs(offset) <= reach and cell_at(key, reach, offset) == colour:
            offset += step
        return offset

    @kernels.kernel("i64(i64, i64, i64, i64)")
    def five_code(key, reach, rule, colour):
        """FIVE or LONG where the run through the centre is one, else NOTHING."""
        left = run_end(key, reach, colour, -1)
        right = run_end(key, reach, colour, 1)
        length = right - left - 1
        if length < 5:
            return NOTHING
        exact = rule & EXACT != 0 or (rule & RENJU != 0 and colour == 1)
        if length > 5:
            return LONG if exact else FIVE
        if rule & CARO != 0:
            opponent = 3 - colour
            if cell_at(key, reach, left) == opponent and cell_at(key, reach, right) == opponent:
                return NOTHING
        return FIVE

    @kernels.kernel("i64(Gomoku, i64, i64)")
    def code_in(s, key, colour):
        """Code of a window for a colour, already in the table."""
        return (np.int64(s.pair_table[key]) >> (4 * (colour - 1))) & 15

    @kernels.kernel("i64(Gomoku, i64, i64, i64)")
    def four_code(s, key, reach, colour):
        """The code of a window in which at least one cell completes five, else NOTHING.

        An open four is one that no single stone of the opponent stops; in caro a stone may stop both ends at once.
        """
        completions, first, last = 0, 0, 0
        survives = True
        for index in range(2 * reach):
            if (key >> (2 * index)) & 3 == 0 and code_in(s, key | (colour << (2 * index)), colour) == FIVE:
                offset = index - reach if index < reach else index - reach + 1
                first = offset if completions == 0 else first
                last = offset
                completions += 1
                stopped = code_in(s, key | ((3 - colour) << (2 * index)), colour)
                if stopped < FOUR or stopped == LONG:
                    survives = False
        if completions == 0:
            return NOTHING
        if completions == 1 or not survives:
            return FOUR
        return OPEN_FOUR if last - first == 5 else DOUBLE_FOUR

    @kernels.kernel("i64(Gomoku, i64, i64, i64)")
    def quiet_code(s, key, reach, colour):
        """The code of a window that holds no four, from the codes one stone later."""
        open_fours, open_threes, best = 0, 0, NOTHING
        for index in range(2 * reach):
            if (key >> (2 * index)) & 3 != 0:
                continue
            code = code_in(s, key | (colour << (2 * index)), colour)
            if code == OPEN_FOUR:
                open_fours += 1
            elif code == OPEN_THREE or code == OPEN_THREE_2:
                open_threes += 1
            elif code == FOUR or code == DOUBLE_FOUR:
                best = max(best, THREE)
            elif code == THREE:
                best = max(best, TWO)
            elif code == OPEN_TWO or code == OPEN_TWO_2:
                best = max(best, OPEN_ONE)
            elif code == TWO:
                best = max(best, ONE)
        if open_fours > 0:
            return OPEN_THREE_2 if open_fours > 1 else OPEN_THREE
        if best == THREE:
            return THREE
        if open_threes > 0:
            return OPEN_TWO_2 if open_threes > 1 else OPEN_TWO
        return best

    @kernels.kernel("void(Gomoku, i64, i64)")
    def fill_codes(s, reach, rule):
        """From the highest key down: another stone of either colour always makes a higher key, already known."""
        for key in range((1 << (4 * reach)) - 1, -1, -1):
            pair = 0
            for colour in range(1, 3):
                code = five_code(key, reach, rule, colour)
                if code == NOTHING:
                    code = four_code(s, key, reach, colour)
                if code == NOTHING:
                    code = quiet_code(s, key, reach, colour)
                pair |= code << (4 * (colour - 1))
            s.pair_table[key] = pair

    @kernels.kernel("i64(i64, i64)")
    def grade_of(codes, renju):
        """Grade of a cell from its four codes, four bits each. `renju` is 1 for the side that has forbidden moves."""
        fours, open_threes, threes, open_twos, wins, longs, best = 0, 0, 0, 0, 0, 0, 0
        for line in range(4):
            code = (codes >> (4 * line)) & 15
            if code == FIVE:
                return GRADE_FIVE
            if code == LONG:
                longs += 1
                continue
            best = max(best, code)
            if code == DOUBLE_FOUR:
                fours += 2
                wins += 1
            elif code == OPEN_FOUR:
                fours += 1
                wins += 1
            elif code == FOUR:
                fours += 1
            elif code >= OPEN_THREE:
                open_threes += 1
            elif code == THREE:
                threes += 1
            elif code >= OPEN_TWO:
                open_twos += 1
        if renju != 0:
            if longs > 0 or fours > 1:
                return GRADE_FORBIDDEN
            if open_threes > 1:
                return GRADE_FORBIDDEN_THREES
        if wins > 0 or fours > 1:
            return GRADE_OPEN_FOUR
        if fours == 1:
            if open_threes > 0:
                return GRADE_FOUR_THREE
            return GRADE_FOUR_PLUS if threes + open_twos > 0 else GRADE_FOUR
        if open_threes > 1:
            return GRADE_DOUBLE_THREE
        if open_threes == 1:
            return GRADE_OPEN_THREE_PLUS if threes + open_twos > 0 else GRADE_OPEN_THREE
        if threes + open_twos > 1:
            return GRADE_DOUBLE_TWO
        if threes > 0:
            return GRADE_THREE
        return GRADE_QUIET if best > NOTHING else GRADE_NOTHING

    @kernels.kernel("void(Gomoku)")
    def fill_tables(s):
        fill_codes(s, s.reach, s.rule)
        for colour in range(2):
            renju = 1 if s.rule & RENJU != 0 and colour == 0 else 0
            for codes in range(GRADE_TABLE_SIZE):
                s.grade_table[colour, codes] = grade_of(codes, renju)

    return fill_tables
