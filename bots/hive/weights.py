"""The numbers of Hive's evaluation, in a file that needs no numba. Units: 160 are about one of log-odds of winning.

Set by hand, then drawn towards a fit to 44,000 positions of 1,100 games that the engine played against itself at about
1,500 nodes a move (`python -m bots.hive.training.fit`). Against the hand-set ones: 61.5 +- 8 % of 100 games at 4,000
nodes.
"""

from __future__ import annotations

#        Q   S   B   G   A   M   L   P
FREE = (0, 12, 36, 16, 40, 36, 25, 30)  # uncovered and able to move
HELD = (0, 0, 15, 5, 12, 12, 16, 15)  # pinned, shut in or covered
HAND = (0, 20, 12, 17, 50, 40, 28, 10)  # not yet placed

CROWDED = (0, 0, -20, -48, -95, -163, -400)  # by occupied cells round one's queen
QUEEN_FREE = (0, 4, 18, 29, 56, 20, 0)  # it can slide away, by the same count
QUEEN_COVERED = 93  # the enemy stands on one's queen
ESCAPE = 25  # an own pillbug beside the queen may throw it
ON_ENEMY = 13  # a tile of one's own stands on one of the enemy's
NEAR_QUEEN = (3, 34, 22, -2)  # a climber's distance from the enemy queen, from 0
FREEDOM = 10  # each own tile, up to five, beside which something may be placed
TEMPO = 9  # having the move
ATTACK = (2, 1, 4, 9, 21, 28, 0)  # a tile that can come to a free cell beside the enemy queen, by cells occupied there
