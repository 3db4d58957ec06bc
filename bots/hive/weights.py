"""Weights of Hive's evaluation. The module imports nothing, so that it can be read without numba.

`python -m bots.hive.training.fit` printed them; bots/hive/README.md says from which games. 150 units are one unit of
log-odds of winning. The evaluation is the sum of these terms for one side minus their sum for the other:

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
TILE_IN_HAND = ((0, 0), (20, -9), (27, -32), (19, -16), (34, -27), (29, -21), (17, -12), (37, -55))
COVERED_TILE = ((0, 0), (-23, 9), (-16, -2), (-20, 20), (-28, 12), (-26, 19), (-18, 12), (-22, 9))
MOBILE_TO_ENEMY_QUEEN = (
    ((0, 0), (15, -122), (12, -40), (12, 9), (20, 6), (4, 80), (0, 0)),
    ((3, 7), (12, 89), (9, 27), (7, 22), (2, 26), (3, 5), (3, 7)),
    ((49, 107), (57, 91), (30, 18), (9, 32), (6, 17), (-2, 7), (12, 23)),
    ((5, 8), (18, 51), (8, 17), (9, 13), (6, 14), (3, 25), (5, 8)),
    ((7, 21), (15, 26), (9, 0), (6, 12), (7, 20), (10, 3), (7, 21)),
    ((43, 56), (38, 4), (21, -5), (-1, 26), (3, 17), (-10, 36), (13, 4)),
    ((9, 4), (21, 19), (16, -13), (15, -13), (13, -18), (5, 6), (9, 4)),
    ((16, 20), (29, 71), (12, 51), (25, 12), (26, 5), (24, -5), (16, 20)),
)
MOBILE_TO_OWN_QUEEN = (
    ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    ((0, 0), (7, -20), (2, 15), (5, -13), (0, -3), (1, -24), (0, 0)),
    ((4, -97), (-8, 19), (12, -9), (11, -9), (10, -3), (7, 26), (0, 0)),
    ((0, 0), (8, -19), (6, -5), (2, -1), (2, -11), (2, 1), (0, 0)),
    ((0, 0), (0, 47), (7, 27), (7, 22), (5, 19), (7, 19), (0, 0)),
    ((23, -181), (-16, 67), (14, 19), (16, 16), (16, 23), (9, 34), (0, 0)),
    ((0, 0), (15, -28), (8, 8), (7, 0), (6, 2), (4, 3), (0, 0)),
    ((0, 0), (8, 4), (8, -5), (8, -36), (0, -15), (10, -96), (0, 0)),
)
IMMOBILE_TO_ENEMY_QUEEN = (
    ((0, 0), (25, -154), (5, -53), (8, -15), (21, -29), (10, 45), (0, 0)),
    ((-23, 9), (-1, 42), (-19, 19), (-19, 29), (-20, 32), (-19, 34), (-23, 9)),
    ((-16, -2), (1, 78), (-11, 40), (-13, 21), (-13, 5), (-9, -32), (-16, -2)),
    ((-20, 20), (6, 19), (-13, 38), (-16, 41), (-15, 39), (-16, 60), (-20, 20)),
    ((-28, 12), (-12, 43), (-25, 23), (-27, 32), (-22, 43), (-20, 46), (-28, 12)),
    ((-26, 19), (-4, 73), (-15, 40), (-22, 36), (-17, 27), (-21, 13), (-26, 19)),
    ((-18, 12), (9, 19), (-3, 12), (-5, 14), (-10, 31), (-10, 3), (-18, 12)),
    ((-22, 9), (10, 36), (3, 3), (-11, 12), (-13, 31), (-11, 24), (-22, 9)),
)
IMMOBILE_TO_OWN_QUEEN = (
    ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    ((0, 0), (-11, 32), (10, 2), (7, -5), (10, -8), (10, 4), (0, 0)),
    ((0, 0), (-9, 39), (8, 10), (11, -5), (2, 12), (12, 3), (0, 0)),
    ((0, 0), (-5, 11), (12, -9), (10, -24), (10, -26), (7, 3), (0, 0)),
    ((0, 0), (-20, 29), (7, 11), (5, 18), (6, 14), (10, 23), (0, 0)),
    ((0, 0), (9, 13), (17, -7), (12, -26), (1, 11), (8, -17), (0, 0)),
    ((0, 0), (0, 10), (19, -11), (13, -27), (11, -24), (12, 3), (0, 0)),
    ((0, 0), (10, 46), (24, 13), (23, -3), (24, -26), (24, 71), (0, 0)),
)
QUEEN_NEIGHBOURS = ((0, 0), (38, -20), (14, 12), (-2, 6), (-37, 13), (-82, -31), (0, 0))
QUEEN_MOBILE = ((0, 0), (-7, 29), (19, -14), (33, -5), (56, -12), (0, 0), (0, 0))
QUEEN_COVERED = (39, 88)
PILLBUG_RESCUE = (12, -29)
COVERS_ENEMY = (4, 0)
PLACEMENT_SPOTS = (5, 8)
TEMPO = (2, 32)
COVERS_OWN = ((44, 49), (38, -4), (20, 73), (51, -19), (44, 22), (63, -19), (46, 10), (61, 7))
ATTACKERS = ((0, 0), (-1, 16), (3, 15), (9, 14), (16, 3), (22, 0), (0, 0))
