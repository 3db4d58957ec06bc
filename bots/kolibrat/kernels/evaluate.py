"""Kolibrat's static evaluation: eleven weighted terms of one side minus those of the other.

The terms are those of Aron Lindberg's bachelor's thesis "A.I. in board games" (DTU, 2007); bots/kolibrat/parameters.py
lists them in order. The weights are in the state's field `weights`.
"""

from __future__ import annotations

import numpy as np

from bots.kolibrat.kernels.rules import KERNELS, list_moves
from core.native.intrinsics import popcount
from core.search.kernels.game_kernels import MAX_PLY
from core.search.scores import MAX_EVALUATION

SCRATCH = MAX_PLY - 1  # move list that counting the moves overwrites; no search reaches this ply


@KERNELS.kernel("i64(Kolibrat, i64)")
def evaluate_side(s, side):
    """Return the weighted sum of the terms of one side."""
    us, them = side, 1 - side
    forward = 1 - 2 * side
    home = 0 if side == 0 else s.height - 1
    last = s.height - 1 - home
    full = (1 << s.width) - 1
    steps, exposed, pairs = 0, 0, 0
    row = home
    for step in range(s.height):
        own = s.rows[us, row]
        steps += step * popcount(own)
        pairs += popcount(own & (own >> 1))
        if row != last and s.side == them:
            exposed += popcount(own & s.rows[them, row + forward])
        row += forward
    on_home, on_last = popcount(s.rows[us, home]), popcount(s.rows[us, last])
    total = s.weights[0] * on_home + s.weights[1] * steps + s.weights[2] * (s.on_board[us] - on_home - on_last)
    total += s.weights[4] * pairs - s.weights[3] * exposed + s.weights[6] * s.points[us] + s.weights[9] * on_last
    if s.weights[5] != 0:
        total += s.weights[5] * list_moves(s, us, SCRATCH)
    if s.side == us:
        total += s.weights[7]
    if s.on_board[us] < s.pieces and (s.rows[0, home] | s.rows[1, home]) != full:
        total += s.weights[8]
    if s.on_board[us] > s.on_board[them]:
        total += s.weights[10]
    return total


@KERNELS.export("i64(Kolibrat)")
def evaluate(s):
    """Return the static evaluation for the side to move."""
    total = evaluate_side(s, s.side) - evaluate_side(s, 1 - s.side)
    return np.int64(max(-MAX_EVALUATION, min(MAX_EVALUATION, total)))
