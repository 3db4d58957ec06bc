"""Fields of Hive's state that hold the evaluation network: its weights, and the features of the evaluated position.

A feature is a number that says something of one side's tiles, such as "a pinned ant, two steps from its own queen". It
has a row of weights: CHANNELS for the side that has it, CHANNELS for the other side. There is no bias, because a side
always has exactly one feature of the group SPOTS. kernels/network.py explains the network.
"""

from __future__ import annotations

from bots.hive.tiles import SIDE_TILES
from core.native.state_type import StateField

STEP_COUNT = 7  # steps to a queen: 0 to 5 (or more), 6 if the queen is in hand
# States of a tile in play
COVERED, PINNED, SHUT_IN, MOBILE, ON_ENEMY, ON_OWN = range(6)
STATE_COUNT = 6
HAND_COUNT = 3  # tiles of a kind in hand: 1 to 3
SHAPES = 13  # arrangements of occupied neighbours around a cell, apart from rotations and reflections
COVERS = 3  # of a queen: uncovered, under an own tile, under an enemy tile
ATTACKER_COUNT = 7  # attackers of a queen: 0 to 6
SPOT_COUNT = 6  # placement spots: 0 to 5
NEIGHBOUR_COUNT = 4  # own or enemy neighbours of a tile: 0 to 3 (or more)

# First feature of each group; the comment is the index within the group.
TO_OWN_QUEEN = 0  # (kind * STATE_COUNT + state) * STEP_COUNT + steps
TO_ENEMY_QUEEN = TO_OWN_QUEEN + 8 * STATE_COUNT * STEP_COUNT  # the same
IN_HAND = TO_ENEMY_QUEEN + 8 * STATE_COUNT * STEP_COUNT  # kind * HAND_COUNT + tiles - 1
QUEEN_SHAPE = IN_HAND + 8 * HAND_COUNT  # (shape * 2 + can move) * COVERS + cover
ATTACKED = QUEEN_SHAPE + SHAPES * 2 * COVERS  # occupied neighbours of the enemy queen * ATTACKER_COUNT + attackers
SPOTS = ATTACKED + 7 * ATTACKER_COUNT  # placement spots
RESCUE = SPOTS + SPOT_COUNT  # a pillbug could throw the queen elsewhere
TILE_NEIGHBOURS = RESCUE + 1  # (kind * NEIGHBOUR_COUNT + own) * NEIGHBOUR_COUNT + enemy
FEATURES = TILE_NEIGHBOURS + 8 * NEIGHBOUR_COUNT**2

CHANNELS = 16  # of the first layer, per side
HIDDEN = 16  # units of the second layer
# Features of a side in a position: three per tile, and queen, attackers, placement spots, rescue.
MAX_FEATURES = 3 * SIDE_TILES + 4


def network_fields() -> tuple[StateField, ...]:
    """Return the fields."""
    return (
        StateField("network", "i64", (), "1 if the weights below are loaded and evaluate positions, else 0"),
        StateField(
            "feature_weights",
            "i16",
            (FEATURES, 2 * CHANNELS),
            "what a feature adds to the channels of its side, then to those of the other side",
        ),
        StateField("hidden_weights", "f32", (2 * CHANNELS, HIDDEN), "weights of the second layer"),
        StateField("hidden_bias", "f32", (2 * SIDE_TILES + 1, HIDDEN), "its bias, by the tiles in both hands"),
        StateField("output_weights", "f32", (HIDDEN,), "weights of the output, in evaluation units"),
        StateField("output_bias", "f32", (), "bias of the output"),
        StateField("features", "i16", (2 * MAX_FEATURES,), "features of white, then from MAX_FEATURES on of black"),
        StateField("feature_count", "i64", (2,), "number of features by side"),
        StateField("channel_sums", "i16", (2, 2 * CHANNELS), "by side: sum of the weights of its features"),
    )
