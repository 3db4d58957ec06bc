"""Kolibrat's static evaluation: eleven weighted terms of one side minus those of the other.

The terms are those of Aron Lindberg's bachelor's thesis "A.I. in board games" (DTU, 2007); bots/kolibrat/parameters.py
lists them in order. The weights are in the state's field `weights`.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.kernels.rules import KERNELS, list_moves
from bots.kolibrat.parameters import WEIGHT_COUNT
from core.native.intrinsics import popcount
from core.search.kernels.game_kernels import MAX_PLY
from core.search.scores import MAX_EVALUATION

# Indexes of `weights`, in the order of WEIGHT_NAMES.
INSERTION_LINE, STEP, MIDDLE, EXPOSED, PAIR, MOBILITY, POINT, TURN, CAN_INSERT, ENEMY_LINE, MAJORITY = range(
    WEIGHT_COUNT
)
SCRATCH = MAX_PLY - 1  # ply whose move list is overwritten when moves are counted; no search gets that far


@KERNELS.kernel("i64(Kolibrat, i64)")
def evaluate_side(s, side):
    """Return the weighted sum of the terms of one side."""
    us, them = side, 1 - side
    forward = 1 - 2 * side
    home_row = 0 if side == 0 else s.height - 1
    last_row = s.height - 1 - home_row
    full_row = (1 << s.width) - 1
    steps, exposed, pairs = 0, 0, 0
    row = home_row
    for advance in range(s.height):
        own = s.rows[us, row]
        steps += advance * popcount(own)
        pairs += popcount(own & (own >> 1))
        if row != last_row and s.side == them:
            exposed += popcount(own & s.rows[them, row + forward])
        row += forward
    on_home, on_last = popcount(s.rows[us, home_row]), popcount(s.rows[us, last_row])
    total = s.weights[INSERTION_LINE] * on_home + s.weights[STEP] * steps + s.weights[ENEMY_LINE] * on_last
    total += s.weights[MIDDLE] * (s.on_board[us] - on_home - on_last) + s.weights[PAIR] * pairs
    total += s.weights[POINT] * s.points[us] - s.weights[EXPOSED] * exposed
    if s.weights[MOBILITY] != 0:
        total += s.weights[MOBILITY] * list_moves(s, us, SCRATCH)
    if s.side == us:
        total += s.weights[TURN]
    if s.on_board[us] < s.pieces and (s.rows[0, home_row] | s.rows[1, home_row]) != full_row:
        total += s.weights[CAN_INSERT]
    if s.on_board[us] > s.on_board[them]:
        total += s.weights[MAJORITY]
    return total


@KERNELS.export("i64(Kolibrat)")
def evaluate(s):
    """Return the static evaluation for the side to move."""
    total = evaluate_side(s, s.side) - evaluate_side(s, 1 - s.side)
    return np.int64(max(-MAX_EVALUATION, min(MAX_EVALUATION, total)))
