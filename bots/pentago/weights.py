"""The numbers of Pentago's evaluation, in its own units. Made by `python -m bots.pentago.fit`."""

OWN = (4, 15, 42)  # an open line of the side to move with 2, 3 and 4 marbles, none of the enemy's
THEIRS = (4, 17, 65)  # of the other side
CORNER, EDGE, CENTRE = 0, 0, 20  # a marble's square within its quadrant
TEMPO = 10  # of the side to move
THREAT = 60  # costs the side to move that the enemy would win at once if it could
