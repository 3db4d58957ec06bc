"""The numbers of Pentago's evaluation, in its own units. Made by `python -m bots.pentago.fit`."""

OWN = ((4, 14, 40), (5, 16, 46))  # lines of the side to move with 2, 3 and 4 marbles, no enemy's: edges, then special
THEIRS = ((4, 16, 60), (5, 18, 70))  # the other side's
TEMPO = 10  # of the side to move
CORNER, EDGE, CENTRE = 0, 0, 20
