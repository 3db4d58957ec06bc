"""The estimate of a Gomoku position: a weighted sum over the counts that `rules.apply` keeps.

Features are, for the side to move and for the other, how many empty cells make each code in a direction and each grade.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku.patterns import CODES, GRADES
from bots.gomoku.rules import KERNELS
from core.scores import MAX_EVALUATION

#                        -  1  1o  2  2o 2oo  3  3o 3oo  4   4o  4d  5  L
CODE_WEIGHTS = np.array(
    [
        [0, 0, 1, 1, 0, 4, 6, 17, 33, 21, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 2, 6, 14, 19, 17, 0, 0, 0, 0, 0, 0],
    ]
)
GRADE_WEIGHTS = np.array(
    [
        [0, 0, 0, 0, 0, 6, 8, 40, 52, 12, 25, 100, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 4, 7, 19, 22, 9, 31, 71, 0, 0, 0, 0],
    ]
)
TEMPO = 20  # having the move


@KERNELS.export("i64(Gomoku)")
def evaluate(s):
    """Estimate for the side to move."""
    us, them = s.side, 1 - s.side
    total = TEMPO
    for code in range(CODES):
        total += CODE_WEIGHTS[0, code] * s.code_count[us, code] - CODE_WEIGHTS[1, code] * s.code_count[them, code]
    for grade in range(GRADES):
        total += GRADE_WEIGHTS[0, grade] * s.grade_count[us, grade] - GRADE_WEIGHTS[1, grade] * s.grade_count[them, grade]
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, total))
