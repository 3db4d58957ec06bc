"""The numbers of Pentago's evaluation, 100 for odds of e to 1.

Found by logistic regression over 50,000 positions of games of the engine, with earlier numbers, against itself: a few
random moves, searches of 12,000 nodes, and the solver's word on the result at 24 marbles.
`bots/pentago/training/fit.py` plays and fits so. From the present numbers it finds others, most of all for EDGES (3, 5,
32) and CORNER (85), which share what they count; nobody has measured which play better. THREAT was not fitted.
"""

EDGES = (5, 33, 78)  # an edge of a quadrant with 1, 2 and 3 marbles, none of the enemy's
MIDDLES = (5, 16, 17)  # one of its two middle lines
DIAGONALS = (2, 4, 8)  # one of its diagonals
SLANT = 6  # two adjacent edge squares, part of the short diagonals
CORNER, EDGE, CENTRE = 58, 86, 74  # a marble by its place in the quadrant
OWN = (15, 29, 300)  # an open line of the side to move with 2, 3 and 4 marbles, none of the enemy's
THEIRS = (9, 20, 60)  # of the other side
TEMPO = 66  # of the side to move
THREAT = 80  # costs the side to move that the enemy would win at once if it could
