"""The numbers of Gomoku's evaluation, in a file that needs no numba. `python -m bots.gomoku.training.fit` makes them.

Fitted to 63,000 quiet positions of 5,700 games that the engine played against itself at about 3,000 nodes a move; UNITS
are one unit of log-odds of winning. Against the hand-set weights before: 55.6 % of 90 games at 60,000 nodes a move.
"""

UNITS = 190

# By code (bots/gomoku/kernels/patterns.py): first row for the side to move, second for the other.
#    -  1  1o 2  2o 2oo 3  3o  3oo 4   4o 4d 5  L
CODE_WEIGHTS = (
    (0, 0, 1, 1, 0, 4, 6, 17, 33, 21, 0, 0, 0, 0, 0, 0),
    (0, 0, 1, 1, 0, 2, 6, 14, 19, 17, 0, 0, 0, 0, 0, 0),
)
# By grade. A four that makes an open three is too rare among quiet positions to fit; its own weight is set by hand.
#    -  F  F3 q  3  22 3o 3o+ 33  4   4+  43   4o 5
GRADE_WEIGHTS = (
    (0, 0, 0, 0, 0, 6, 8, 40, 52, 12, 25, 100, 0, 0, 0, 0),
    (0, 0, 0, 0, 1, 4, 7, 19, 22, 9, 31, 71, 0, 0, 0, 0),
)
TEMPO = 20  # having the move
