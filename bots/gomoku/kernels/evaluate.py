"""The estimate of a Gomoku position: a weighted sum over the counts that `rules.apply` keeps.

Features are, for the side to move and for the other, how many empty cells make each code in a direction and each grade.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku import weights
from bots.gomoku.kernels.network import judge
from bots.gomoku.kernels.patterns import CODES, GRADES
from bots.gomoku.kernels.rules import KERNELS
from core.search.scores import MAX_EVALUATION

CODE_WEIGHTS = np.array(weights.CODE_WEIGHTS)
GRADE_WEIGHTS = np.array(weights.GRADE_WEIGHTS)
TEMPO, PARTS = weights.TEMPO, weights.PARTS


@KERNELS.kernel("i64(Gomoku)")
def weigh_counts(s):
    """Estimate for the side to move by the weighted sum."""
    us, them = s.side, 1 - s.side
    total = TEMPO
    for code in range(CODES):
        total += CODE_WEIGHTS[0, code] * s.code_count[us, code]
        total -= CODE_WEIGHTS[1, code] * s.code_count[them, code]
    for grade in range(GRADES):
        total += GRADE_WEIGHTS[0, grade] * s.grade_count[us, grade]
        total -= GRADE_WEIGHTS[1, grade] * s.grade_count[them, grade]
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, total // PARTS))


@KERNELS.export("i64(Gomoku)")
def evaluate(s):
    """Estimate for the side to move: the network's where one is loaded, else the weighted sum."""
    return judge(s) if s.network != 0 else weigh_counts(s)
