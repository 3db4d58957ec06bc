"""Constants of Hive's search that are hidden options; core/search/parameters.py describes most of them.

All were chosen by hand when the engine was written.
"""

from __future__ import annotations

from core.search.parameters import game_parameters, integer_parameter, without

MOVE_ORDERING = (  # weights of `score_move` in bots/hive/kernels/search.py
    integer_parameter("order_own_queen", 60, 0, 500, 8, "move ordering: neighbour that the own queen loses"),
    integer_parameter("order_enemy_queen", 90, 0, 500, 10, "move ordering: neighbour that the enemy queen gets"),
    integer_parameter("order_pin", 15, -200, 400, 8, "move ordering: pin of an enemy tile, besides its mobility"),
    integer_parameter("order_cover_queen", 250, -200, 2000, 25, "move ordering: climb onto the enemy queen"),
    integer_parameter("order_cover_own", -20, -500, 500, 10, "move ordering: climb onto an own tile"),
    integer_parameter("order_placement", 20, -300, 500, 10, "move ordering: placement, besides half the tile's value"),
    integer_parameter("order_queen_placement", 60, -300, 1000, 15, "move ordering: placement of the own queen"),
)
# Values of tiles for move ordering, by kind: Q, S, B, G, A, M, L, P
MOBILE_TILE_ORDER = (0, 12, 36, 16, 40, 36, 25, 30)  # in play; gained by a pin or by covering an enemy tile
TILE_IN_HAND_ORDER = (0, 20, 12, 17, 50, 40, 28, 10)  # half of it is gained by a placement
PARAMETERS = (
    *game_parameters(rfp_max_depth=3, rfp_margin=60, lmp_base=8, lmp_factor=3, lmp_max_depth=5, lmr_divisor=1.7),
    *MOVE_ORDERING,
)
TUNABLE = without(PARAMETERS, "max_threat_plies")  # 0: Hive has the limit MAX_THREAT_EXTENSION
