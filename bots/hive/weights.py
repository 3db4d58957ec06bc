"""The numbers of Hive's evaluation, in a file that needs no numba. Units: a hundred is about a good tile's worth."""

from __future__ import annotations

#        Q   S   B   G   A   M   L   P
FREE = (0, 14, 34, 18, 48, 40, 34, 26)  # uncovered and able to move
HELD = (0, 3, 12, 5, 8, 10, 10, 14)  # pinned, shut in or covered
HAND = (0, 10, 26, 14, 38, 32, 26, 20)  # not yet placed

CROWDED = (0, -8, -22, -45, -85, -150, -400)  # by occupied cells round one's queen
QUEEN_FREE = (0, 0, 4, 8, 14, 20, 0)  # it can slide away, by the same count
QUEEN_COVERED = 90  # the enemy stands on one's queen
ESCAPE = 24  # an own pillbug beside the queen may throw it
ON_ENEMY = 16  # a tile of one's own stands on one of the enemy's
NEAR_QUEEN = (0, 24, 12, 4)  # a climber's distance from the enemy queen, from 0
FREEDOM = 4  # each own tile, up to five, beside which something may be placed
TEMPO = 12  # having the move
ATTACK = (2, 3, 5, 8, 14, 24, 0)  # a tile that can come to a free cell beside the enemy queen, by cells occupied there
