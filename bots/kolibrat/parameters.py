"""The eleven parameters of Kolibrat's evaluation, in the order of the weights (Lindberg, DTU 2007)."""

from __future__ import annotations

WEIGHT_NAMES = (
    "insertion_line",  # a piece on one's own home row
    "step",  # each row that a piece has come forward
    "middle",  # a piece in neither home row
    "exposed",  # a piece in front of an enemy whose turn it is; counts against its owner
    "pair",  # two pieces side by side in a row
    "mobility",  # each legal move
    "point",  # each point scored
    "turn",  # being to move
    "can_insert",  # a piece in hand and room on the home row
    "enemy_line",  # a piece on the enemy's home row
    "majority",  # more pieces on the board than the enemy
)
WEIGHT_COUNT = len(WEIGHT_NAMES)
