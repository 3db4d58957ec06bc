"""The numbers of Pentago's evaluation, 100 for odds of e to 1: each as it is with KNOTS marbles on the board.

Between two knots a number changes evenly; before the first and after the last it stays. `bots/pentago/training/fit.py`
finds them by logistic regression over games of the engine, with earlier numbers, against itself.
"""

KNOTS = (4, 10, 16, 22)

# Parts of a quadrant with 1, 2 and 3 marbles, none of the enemy's: its edges, its two middle lines, its diagonals.
EDGES = ((23, 61, 172), (19, 56, 99), (9, 26, 55), (1, 11, 18))
MIDDLES = ((45, 76, 94), (24, 47, 59), (14, 23, 37), (3, 7, 13))
DIAGONALS = ((27, 67, 62), (10, 26, 19), (4, 7, 11), (2, 1, 3))

# A marble by its place in the quadrant.
CORNER = (69, 43, 56, 20)
EDGE = (95, 72, 74, 30)
CENTRE = (-1, 39, 60, 24)

# An open line of five with 2 and 3 marbles of the side to move, which wins with 4, and with 2 to 4 of the other one's.
OWN = ((14, 31), (10, -53), (9, -53), (8, -34))
THEIRS = ((2, 15, 86), (7, 30, 97), (9, 29, 126), (9, 21, 125))

TEMPO = (84, 81, 75, 54)  # of the side to move
THREAT = (0, 32, 48, 52)  # costs the side to move that the enemy would win at once if it could
TURNED = (11, 25, 24, 18)  # an open line of three of the side to move, once for each turn after which it is there
