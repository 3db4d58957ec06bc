"""Pattern tables: what a stone on an empty cell would make, for each colour under the rule in force.

A *line pattern* is what the stone makes in one of its four lines. It is looked up by the window of cells around the
empty centre, `reach` cells on each side:

    offset from the centre   -4 -3 -2 -1   0   1  2  3  4        (reach 4)
    bit of the key            0  2  4  6       8 10 12 14        two bits per cell, the centre left out
    content of a cell        0 empty, 1 black, 2 white, 3 off the board

    FIVE              a five that wins under the rule
    OVERLINE          six or more, if only exactly five wins
    DOUBLE_FOUR       two fours in one line
    OPEN_FOUR         two cells complete five, and no single stone of the opponent stops both
    FOUR              one cell completes five, or one stone of the opponent stops all fives
    OPEN_THREE_2WAY   two or more cells make an open four; OPEN_THREE: one cell does
    THREE             a cell makes a FOUR or a DOUBLE_FOUR
    OPEN_TWO_2WAY     two or more cells make an open three; OPEN_TWO: one cell does
    TWO, OPEN_ONE     a cell makes a three; a cell makes an open two
    ONE               a cell makes a two
    NO_PATTERN        none of these

The first of the list that applies is the pattern. All patterns follow from the definition of five by trying the next
stone, so a rule only has to define its five.

A *grade* is what the four line patterns of a cell make together, from MAKES_NOTHING to MAKES_FIVE. It is looked up by
the four patterns, four bits each. Grades describe empty cells: MAKES_FIVE is a cell on which a stone would make a five.
The Gomoku program Rapfi calls the two levels Pattern and Pattern4. bots/gomoku/kernels/rules.py keeps both up to date
for all empty cells. In kernels, `s` is the state, and the signature gives the types of its parameters.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.notation import CARO, EXACT, RENJU

NO_PATTERN, ONE, OPEN_ONE, TWO, OPEN_TWO, OPEN_TWO_2WAY, THREE, OPEN_THREE, OPEN_THREE_2WAY = range(9)
FOUR, OPEN_FOUR, DOUBLE_FOUR, FIVE, OVERLINE = range(9, 14)
PATTERNS = 16  # number of patterns, rounded up to four bits

# Grades of an empty cell, in ascending order. MAKES_FOUL and MAYBE_FOUL are for black under renju. MAYBE_FOUL is a
# double three, which is forbidden only if both threes are real; `rules.is_forbidden` finds that out. PLUS means with a
# three or open two in another line. MAKES_OPEN_FOUR also stands for two fours, MAKES_DOUBLE_TWO for any two of threes
# and open twos, MAKES_LITTLE for at most one open two.
(
    MAKES_NOTHING,
    MAKES_FOUL,
    MAYBE_FOUL,
    MAKES_LITTLE,
    MAKES_THREE,
    MAKES_DOUBLE_TWO,
    MAKES_OPEN_THREE,
    MAKES_OPEN_THREE_PLUS,
    MAKES_DOUBLE_THREE,
    MAKES_FOUR,
    MAKES_FOUR_PLUS,
    MAKES_FOUR_THREE,
    MAKES_OPEN_FOUR,
    MAKES_FIVE,
) = range(14)
GRADES = 16  # number of grades, rounded up to four bits

# Reach of windows under freestyle, and under all other rules, which depend on the cells beyond a five.
SHORT_REACH, LONG_REACH = 4, 5
TABLE_SIZE = 1 << (4 * LONG_REACH)  # number of window keys
GRADE_TABLE_SIZE = 1 << 16  # number of combinations of four patterns


def define_patterns(kernels):
    """Define the kernels that fill the pattern tables; return `fill_tables(state)`.

    The state's fields `rule` and `reach` must be set. Colours are 1 (black) and 2 (white), as in the windows.
    """

    @kernels.kernel("i64(i64, i64, i64)")
    def cell_at(key, reach, offset):
        """Return the content of the cell at an offset from the centre: -reach to reach, but not 0."""
        index = offset + reach if offset < 0 else offset + reach - 1
        return (key >> (2 * index)) & 3

    @kernels.kernel("i64(i64, i64, i64, i64)")
    def run_end(key, reach, colour, step):
        """Return the offset of the first cell from the centre along `step` (1 or -1) that is not `colour`'s."""
        offset = step
        while abs(offset) <= reach and cell_at(key, reach, offset) == colour:
            offset += step
        return offset

    @kernels.kernel("i64(i64, i64, i64, i64)")
    def five_pattern(key, reach, rule, colour):
        """Return FIVE or OVERLINE if a stone in the centre makes it, else NO_PATTERN."""
        left = run_end(key, reach, colour, -1)
        right = run_end(key, reach, colour, 1)
        length = right - left - 1
        if length < 5:
            return NO_PATTERN
        exact = rule & EXACT != 0 or (rule & RENJU != 0 and colour == 1)
        if length > 5:
            return OVERLINE if exact else FIVE
        if rule & CARO != 0:
            opponent = 3 - colour
            if cell_at(key, reach, left) == opponent and cell_at(key, reach, right) == opponent:
                return NO_PATTERN
        return FIVE

    @kernels.kernel("i64(Gomoku, i64, i64)")
    def table_pattern(s, key, colour):
        """Return the pattern of a window that is in the table already, for colour 1 (black) or 2 (white)."""
        return (np.int64(s.pattern_table[key]) >> (4 * (colour - 1))) & 15

    @kernels.kernel("i64(Gomoku, i64, i64, i64)")
    def four_pattern(s, key, reach, colour):
        """Return the kind of four if at least one cell of the window completes five, else NO_PATTERN.

        A four is open if no single stone of the opponent stops it: under caro, one stone may block both ends at once.
        """
        completions, first, last = 0, 0, 0  # number of completing cells; offsets of the first and the last
        survives = True
        for index in range(2 * reach):
            if (key >> (2 * index)) & 3 == 0 and table_pattern(s, key | (colour << (2 * index)), colour) == FIVE:
                offset = index - reach if index < reach else index - reach + 1
                first = offset if completions == 0 else first
                last = offset
                completions += 1
                stopped = table_pattern(s, key | ((3 - colour) << (2 * index)), colour)
                if stopped < FOUR or stopped == OVERLINE:
                    survives = False
        if completions == 0:
            return NO_PATTERN
        if completions == 1 or not survives:
            return FOUR
        return OPEN_FOUR if last - first == 5 else DOUBLE_FOUR

    @kernels.kernel("i64(Gomoku, i64, i64, i64)")
    def quiet_pattern(s, key, reach, colour):
        """Return the pattern of a window that holds no four, from the patterns after one more stone of its owner."""
        open_fours, open_threes, best = 0, 0, NO_PATTERN
        for index in range(2 * reach):
            if (key >> (2 * index)) & 3 != 0:
                continue
            pattern = table_pattern(s, key | (colour << (2 * index)), colour)
            if pattern == OPEN_FOUR:
                open_fours += 1
            elif pattern == OPEN_THREE or pattern == OPEN_THREE_2WAY:
                open_threes += 1
            elif pattern == FOUR or pattern == DOUBLE_FOUR:
                best = max(best, THREE)
            elif pattern == THREE:
                best = max(best, TWO)
            elif pattern == OPEN_TWO or pattern == OPEN_TWO_2WAY:
                best = max(best, OPEN_ONE)
            elif pattern == TWO:
                best = max(best, ONE)
        if open_fours > 0:
            return OPEN_THREE_2WAY if open_fours > 1 else OPEN_THREE
        if best == THREE:
            return THREE
        if open_threes > 0:
            return OPEN_TWO_2WAY if open_threes > 1 else OPEN_TWO
        return best

    @kernels.kernel("void(Gomoku, i64, i64)")
    def fill_pattern_table(s, reach, rule):
        """Fill the table of line patterns, from the highest key down.

        A stone of either colour in an empty cell makes the key higher, so the patterns after the next stone are known.
        """
        for key in range((1 << (4 * reach)) - 1, -1, -1):
            pair = 0
            for colour in range(1, 3):
                pattern = five_pattern(key, reach, rule, colour)
                if pattern == NO_PATTERN:
                    pattern = four_pattern(s, key, reach, colour)
                if pattern == NO_PATTERN:
                    pattern = quiet_pattern(s, key, reach, colour)
                pair |= pattern << (4 * (colour - 1))
            s.pattern_table[key] = pair

    @kernels.kernel("i64(i64, i64)")
    def grade_of(patterns, renju):
        """Return the grade of a cell from its four patterns, four bits each.

        `renju` is 1 for black under renju, who has forbidden moves, else 0.
        """
        fours, open_threes, threes, open_twos, open_fours, overlines, best = 0, 0, 0, 0, 0, 0, 0
        for line in range(4):
            pattern = (patterns >> (4 * line)) & 15
            if pattern == FIVE:
                return MAKES_FIVE
            if pattern == OVERLINE:
                overlines += 1
                continue
            best = max(best, pattern)
            if pattern == DOUBLE_FOUR:
                fours += 2
                open_fours += 1
            elif pattern == OPEN_FOUR:
                fours += 1
                open_fours += 1
            elif pattern == FOUR:
                fours += 1
            elif pattern >= OPEN_THREE:
                open_threes += 1
            elif pattern == THREE:
                threes += 1
            elif pattern >= OPEN_TWO:
                open_twos += 1
        if renju != 0:
            if overlines > 0 or fours > 1:
                return MAKES_FOUL
            if open_threes > 1:
                return MAYBE_FOUL
        if open_fours > 0 or fours > 1:
            return MAKES_OPEN_FOUR
        if fours == 1:
            if open_threes > 0:
                return MAKES_FOUR_THREE
            return MAKES_FOUR_PLUS if threes + open_twos > 0 else MAKES_FOUR
        if open_threes > 1:
            return MAKES_DOUBLE_THREE
        if open_threes == 1:
            return MAKES_OPEN_THREE_PLUS if threes + open_twos > 0 else MAKES_OPEN_THREE
        if threes + open_twos > 1:
            return MAKES_DOUBLE_TWO
        if threes > 0:
            return MAKES_THREE
        return MAKES_LITTLE if best > NO_PATTERN else MAKES_NOTHING

    @kernels.kernel("void(Gomoku)")
    def fill_tables(s):
        """Fill both tables for the rule of the state."""
        fill_pattern_table(s, s.reach, s.rule)
        for colour in range(2):
            renju = 1 if s.rule & RENJU != 0 and colour == 0 else 0
            for patterns in range(GRADE_TABLE_SIZE):
                s.grade_table[colour, patterns] = grade_of(patterns, renju)

    return fill_tables
