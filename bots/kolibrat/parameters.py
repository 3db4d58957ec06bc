"""The eleven terms of Kolibrat's evaluation, in the order of the weights.

They are those of Aron Lindberg's bachelor's thesis "A.I. in board games" (DTU, 2007).
"""

from __future__ import annotations

WEIGHT_NAMES = (  # they are keys of weights.json
    "insertion_line",  # per piece on the own home row
    "step",  # per row that a piece has advanced
    "middle",  # per piece outside both home rows
    "exposed",  # if the enemy is to move: per piece that it can attack; subtracted
    "pair",  # per two neighbouring pieces in the same row
    "mobility",  # per legal move
    "point",  # per point scored
    "turn",  # if it is the side's turn
    "can_insert",  # if a piece in hand can be inserted on the home row
    "enemy_line",  # per piece on the enemy's home row
    "majority",  # if the side has more pieces on the board than the enemy
)
WEIGHT_COUNT = len(WEIGHT_NAMES)
