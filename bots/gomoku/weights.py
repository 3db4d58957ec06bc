"""Weights of Gomoku's linear evaluation, in a file that needs no numba. Fitted by `python -m bots.gomoku.training.fit`.

They were fitted to 153,000 quiet positions of 4,800 games of the engine against itself at 3,000 nodes per move. Two
thirds of the positions were not played, but are a few random moves away from the games.

The evaluation is the sum of counts times weights, for the side to move minus the opponent. Tables have 16 entries,
because the kernels store a pattern or grade in four bits; the last ones are unused.
"""

UNITS_PER_LOGIT = 190  # evaluation units per unit of log-odds of winning
WEIGHT_DIVISOR = 16  # the weights below are sixteenths of evaluation units

# By line pattern (bots/gomoku/kernels/patterns.py), for each empty cell and direction in which a stone would make it.
# First row for the side to move, second for the opponent. Columns: no pattern, one, open one, two, open two (1 way, 2
# ways), three, open three (1 way, 2 ways), four, open four, double four, five, overline.
PATTERN_WEIGHTS = (
    (0, 1, 15, 13, 0, 46, 57, 448, 469, 445, 0, 0, 0, 0, 0, 0),
    (0, -5, 16, 21, 0, 34, 99, 286, 299, 372, 0, 0, 0, 0, 0, 0),
)
# By grade, that is, what a stone on an empty cell would make in all directions together. A side that can make a five or
# an open four has usually won before the evaluation; forbidden cells count nothing. Columns: nothing, foul, perhaps
# foul, little, three, double two, open three, open three plus, double three, four, four plus, four and three, open
# four, five.
GRADE_WEIGHTS = (
    (0, 0, 0, -1, 60, 188, 88, 839, 4104, 168, 1017, 10285, 0, 0, 0, 0),
    (0, 0, 0, 0, 17, 127, 136, 361, 214, 227, 769, 2088, 0, 0, 0, 0),
)
TEMPO = 524  # bonus of the side to move
