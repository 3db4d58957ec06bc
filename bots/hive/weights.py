"""Weights of Hive's evaluation. The module imports nothing, so that it can be read without numba.

160 units are about one unit of log-odds of winning. The weights were set by hand and then moved towards a fit to 44,000
positions from 1,100 self-play games at about 1,500 nodes per move (`python -m bots.hive.training.fit`). Against the
hand-set weights they scored 61.5 +- 8 % in 100 games at 4,000 nodes per move.
"""

from __future__ import annotations

# Per tile, by kind:
#              Q   S   B   G   A   M   L   P
MOBILE_TILE = (0, 12, 36, 16, 40, 36, 25, 30)  # in play, can move
IMMOBILE_TILE = (0, 0, 15, 5, 12, 12, 16, 15)  # in play, but pinned, shut in or covered
TILE_IN_HAND = (0, 20, 12, 17, 50, 40, 28, 10)

# The own queen, by the number of its occupied neighbours (0 to 6):
QUEEN_NEIGHBOURS = (0, 0, -20, -48, -95, -163, -400)
QUEEN_MOBILE = (0, 4, 18, 29, 56, 20, 0)  # added if the queen can move
QUEEN_COVERED = 93  # subtracted if an enemy tile is on top of the queen's stack
PILLBUG_RESCUE = 25  # added if an own pillbug beside the queen could throw it elsewhere

COVERS_ENEMY = 13  # per own tile on top of an enemy tile
# Per mobile beetle or mosquito, by its distance to the enemy queen: 0 (on top of it), 1, 2, 3 or more.
CLIMBER_DISTANCE = (3, 34, 22, -2)
PLACEMENT_SPOTS = 10  # per own tile beside which a tile could be placed, at most 5 of them
TEMPO = 9  # for the side to move
# Per tile that can reach a cell beside the enemy queen (no more tiles than empty cells there), by the number of the
# queen's occupied neighbours (0 to 6).
ATTACKERS = (2, 1, 4, 9, 21, 28, 0)
