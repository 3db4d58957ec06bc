"""Weights of Hive's evaluation. The module imports nothing, so that it can be read without numba.

`python -m bots.hive.training.fit` printed them; bots/hive/README.md says from which games. 150 units are one unit of
log-odds of winning. Terms of a side, of which the other side's are subtracted:

    TILE_IN_HAND           per tile, by kind
    COVERED_TILE           per tile below another one, by kind
    MOBILE_TO_ENEMY_QUEEN  per top tile that can move, by kind and steps to the enemy queen: 0 (on top of it) to 5 (or
                           more), 6 if the queen is in hand
    MOBILE_TO_OWN_QUEEN    the same tiles again, by the steps to the own queen
    IMMOBILE_TO_...        the same for top tiles that are pinned or shut in
    QUEEN_NEIGHBOURS       by the number of occupied neighbours of the own queen (0 to 6)
    QUEEN_MOBILE           added if the queen can move, by the same number
    QUEEN_COVERED          subtracted if an enemy tile is on top of the queen's stack
    PILLBUG_RESCUE         added if an own pillbug beside the queen could throw it elsewhere
    COVERS_ENEMY           per own tile on top of an enemy tile
    PLACEMENT_SPOTS        per own tile beside which a tile could be placed, at most 5 of them
    TEMPO                  for the side to move
    COVERS_OWN             per own tile on top of an own tile, by the lower tile's kind
    ATTACKERS              per tile that can reach a cell beside the enemy queen (no more tiles than empty cells there),
                           by the number of the queen's occupied neighbours (0 to 6)

Kinds are in the order of bots/hive/tiles.py: Q, S, B, G, A, M, L, P.
"""

from __future__ import annotations

# Each weight is a pair: the value with empty hands, and its change per HAND_UNIT tiles in both hands.
HAND_UNIT = 32
TILE_IN_HAND = ((0, 0), (15, 1), (10, -12), (15, -8), (28, -15), (20, -5), (12, 0), (7, -10))
COVERED_TILE = ((0, 0), (-17, -5), (-12, -12), (-15, 7), (-23, 2), (-21, 4), (-14, 0), (-16, -12))
MOBILE_TO_ENEMY_QUEEN = (
    ((0, 0), (10, -75), (17, -29), (17, -3), (20, -3), (6, 60), (0, 0)),
    ((2, 5), (10, 80), (6, 25), (5, 17), (0, 21), (2, -8), (2, 5)),
    ((46, 95), (54, 73), (29, 10), (7, 27), (4, 11), (-1, 1), (11, 18)),
    ((4, 6), (15, 48), (5, 11), (7, 7), (5, 4), (2, 17), (4, 6)),
    ((6, 16), (14, 25), (8, 7), (6, 13), (6, 26), (9, 7), (6, 16)),
    ((45, 49), (37, 10), (21, 0), (0, 21), (2, 15), (-7, 28), (12, 2)),
    ((8, 0), (21, 18), (15, -5), (14, -5), (14, -22), (4, 0), (8, 0)),
    ((15, 17), (27, 50), (12, 36), (24, 7), (26, 0), (22, 0), (15, 17)),
)
MOBILE_TO_OWN_QUEEN = (
    ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    ((0, 0), (10, -22), (1, 26), (5, -9), (-1, 1), (2, -11), (0, 0)),
    ((5, -73), (-8, 14), (10, -7), (9, -1), (9, 4), (8, 15), (0, 0)),
    ((0, 0), (8, -18), (5, 2), (4, 4), (2, -4), (1, 20), (0, 0)),
    ((0, 0), (-2, 35), (5, 26), (7, 17), (4, 15), (6, 19), (0, 0)),
    ((37, -123), (-9, 39), (15, 9), (14, 13), (12, 24), (8, 30), (0, 0)),
    ((0, 0), (16, -38), (8, 7), (7, -6), (3, 18), (4, 1), (0, 0)),
    ((0, 0), (8, -11), (9, -9), (6, -30), (0, -7), (7, -78), (0, 0)),
)
IMMOBILE_TO_ENEMY_QUEEN = (
    ((0, 0), (21, -128), (6, -38), (11, -21), (18, -21), (7, 47), (0, 0)),
    ((-17, -5), (0, 33), (-18, 12), (-17, 24), (-15, 23), (-14, 17), (-17, -5)),
    ((-12, -12), (-1, 75), (-10, 25), (-13, 13), (-13, -2), (-7, -38), (-12, -12)),
    ((-15, 7), (3, 33), (-12, 24), (-13, 27), (-12, 21), (-16, 56), (-15, 7)),
    ((-23, 2), (-11, 32), (-23, 19), (-24, 15), (-21, 40), (-20, 36), (-23, 2)),
    ((-21, 4), (-4, 54), (-15, 21), (-26, 31), (-13, 12), (-20, 2), (-21, 4)),
    ((-14, 0), (10, 0), (-4, 13), (-6, 4), (-8, 6), (-7, -17), (-14, 0)),
    ((-16, -12), (13, 12), (3, -19), (-8, -7), (-9, 5), (-7, 2), (-16, -12)),
)
IMMOBILE_TO_OWN_QUEEN = (
    ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    ((0, 0), (-12, 35), (6, 12), (4, -3), (5, 11), (6, 25), (0, 0)),
    ((0, 0), (-10, 32), (5, 16), (3, 12), (0, 19), (9, -3), (0, 0)),
    ((0, 0), (-5, 9), (7, 7), (7, -16), (5, -17), (4, 20), (0, 0)),
    ((0, 0), (-20, 32), (5, 14), (2, 23), (3, 16), (6, 32), (0, 0)),
    ((0, 0), (1, 29), (17, -2), (8, -1), (-2, 35), (4, 5), (0, 0)),
    ((0, 0), (-2, 12), (17, 0), (13, -15), (7, 23), (10, 10), (0, 0)),
    ((0, 0), (9, 43), (18, 26), (15, 31), (17, -20), (18, 38), (0, 0)),
)
QUEEN_NEIGHBOURS = ((0, 0), (30, -8), (16, 3), (1, -4), (-35, 13), (-76, -27), (0, 0))
QUEEN_MOBILE = ((0, 0), (-2, 12), (15, -9), (30, 1), (50, -18), (0, 0), (0, 0))
QUEEN_COVERED = (37, 80)
PILLBUG_RESCUE = (10, -14)
COVERS_ENEMY = (7, -2)
PLACEMENT_SPOTS = (6, 6)
TEMPO = (3, 28)
COVERS_OWN = ((32, 45), (37, 5), (32, 55), (44, -13), (33, 6), (42, 26), (48, 10), (42, 36))
ATTACKERS = ((0, 0), (-3, 19), (3, 11), (8, 11), (16, 1), (22, -16), (0, 0))
