"""The numbers of Pentago's evaluation, 100 for odds of e to 1: each as it is with KNOTS marbles on the board.

Between two knots a number changes evenly; before the first and after the last it stays. `bots/pentago/training/fit.py`
finds them by logistic regression over games of the engine, with earlier numbers, against itself.
"""

KNOTS = (4, 10, 16, 22)

# Parts of a quadrant with 1, 2 and 3 marbles, none of the enemy's: its edges, its two middle lines, its diagonals.
EDGES = ((24, 58, 163), (19, 58, 106), (11, 30, 51), (4, 11, 8))
MIDDLES = ((42, 68, 119), (24, 46, 49), (15, 28, 33), (4, 6, 7))
DIAGONALS = ((30, 78, 73), (8, 19, 12), (4, 7, 7), (4, 5, 6))

# A marble by its place in the quadrant.
CORNER = (53, 46, 51, -1)
EDGE = (87, 75, 68, 6)
CENTRE = (-10, 46, 55, 0)

# An open line of five with 2 and 3 marbles of the side to move, which wins with 4, and with 2 to 4 of the other one's.
OWN = ((14, 71), (12, -45), (11, -50), (10, -31))
THEIRS = ((3, 11, 23), (7, 30, 64), (9, 27, 69), (8, 16, 47))

TEMPO = (81, 77, 60, 24)  # of the side to move
THREAT = (0, 38, 45, 36)  # costs the side to move that the enemy would win at once if it could
TURNED = (3, 24, 24, 18)  # an open line of three of the side to move, once for each turn after which it is there
