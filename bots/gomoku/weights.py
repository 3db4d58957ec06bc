"""Weights of Gomoku's linear evaluation, in a file that needs no numba. Fitted by `python -m bots.gomoku.training.fit`.

They were fitted to 153,000 quiet positions of 4,800 games of the engine against itself at 3,000 nodes per move; two
thirds of the positions were not played, but are a few unusual moves away from the games.
"""

UNITS_PER_LOGIT = 190  # evaluation units per unit of log-odds of winning
WEIGHT_DIVISOR = 16  # the weights below are sixteenths of evaluation units

# By line pattern (bots/gomoku/kernels/patterns.py); first row for the side to move, second for the opponent.
#    no pattern, one, open one, two, open two (1 way, 2 ways), three, open three (1 way, 2 ways), four, ...
PATTERN_WEIGHTS = (
    (0, 1, 15, 13, 0, 46, 57, 448, 469, 445, 0, 0, 0, 0, 0, 0),
    (0, -5, 16, 21, 0, 34, 99, 286, 299, 372, 0, 0, 0, 0, 0, 0),
)
# By grade. Fives and open fours end the search before the evaluation; forbidden cells count nothing.
#    nothing, foul, perhaps foul, little, three, double two, open three, the same plus, double three, four, ...
GRADE_WEIGHTS = (
    (0, 0, 0, -1, 60, 188, 88, 839, 4104, 168, 1017, 10285, 0, 0, 0, 0),
    (0, 0, 0, 0, 17, 127, 136, 361, 214, 227, 769, 2088, 0, 0, 0, 0),
)
TEMPO = 524  # bonus of the side to move
