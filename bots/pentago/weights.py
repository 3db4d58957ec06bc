"""Weights of Pentago's evaluation. 100 units are one unit of the log-odds of winning.

Each weight is given at KNOTS marbles on the board; between two knots it is interpolated, before the first and after the
last it is constant (tapered evaluation). They were fitted by `python -m bots.pentago.training.fit` to games of the
engine against itself with earlier weights.
"""

KNOTS = (4, 10, 16, 22)  # marbles on the board

# Each tuple below has an entry per knot. Parts and marbles of the opponent count with the opposite sign.
# Parts of a quadrant with 1, 2 or 3 marbles of one side and none of the other: edges, middle lines, diagonals.
EDGES = ((23, 61, 172), (19, 56, 99), (9, 26, 55), (1, 11, 18))
MIDDLES = ((45, 76, 94), (24, 47, 59), (14, 23, 37), (3, 7, 13))
DIAGONALS = ((27, 67, 62), (10, 26, 19), (4, 7, 11), (2, 1, 3))

# A marble by its position in the quadrant: corner, middle of an edge, or centre.
CORNER = (69, 43, 56, 20)
EDGE = (95, 72, 74, 30)
CENTRE = (-1, 39, 60, 24)

# An open line of five with 2 or 3 marbles of the side to move (with 4 it wins at once), or with 2 to 4 of the opponent.
OWN_LINE = ((14, 31), (10, -53), (9, -53), (8, -34))
OPPONENT_LINE = ((2, 15, 86), (7, 30, 97), (9, 29, 126), (9, 21, 125))

TEMPO = (84, 81, 75, 54)  # of the side to move
THREAT = (0, 32, 48, 52)  # subtracted if the opponent would win at once after a pass
# Bonus per rotation and open line of three that the side to move has after it.
ROTATED_THREE = (11, 25, 24, 18)
