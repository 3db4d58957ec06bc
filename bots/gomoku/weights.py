"""The numbers of Gomoku's evaluation, in a file that needs no numba. `python -m bots.gomoku.training.fit` makes them.

Fitted to 153,000 quiet positions, two thirds of them not played but a few odd moves away from 4,800 games that the
engine played against itself at 3,000 nodes a move.
"""

UNITS_PER_LOGIT = 190  # of the evaluation are one unit of log-odds of winning
UNITS_PER_WEIGHT = 16  # of the weights below are one unit of the evaluation

# By code (bots/gomoku/kernels/patterns.py): first row for the side to move, second for the other.
#    -  1  1o 2  2o 2oo 3  3o  3oo 4   4o 4d 5  L
PATTERN_WEIGHTS = (
    (0, 1, 15, 13, 0, 46, 57, 448, 469, 445, 0, 0, 0, 0, 0, 0),
    (0, -5, 16, 21, 0, 34, 99, 286, 299, 372, 0, 0, 0, 0, 0, 0),
)
# By grade. Fives and open fours end the search, forbidden points count nothing.
#    -  F  F3 q  3  22 3o 3o+ 33  4   4+  43   4o 5
GRADE_WEIGHTS = (
    (0, 0, 0, -1, 60, 188, 88, 839, 4104, 168, 1017, 10285, 0, 0, 0, 0),
    (0, 0, 0, 0, 17, 127, 136, 361, 214, 227, 769, 2088, 0, 0, 0, 0),
)
TEMPO = 524  # having the move
