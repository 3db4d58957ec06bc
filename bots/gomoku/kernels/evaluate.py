"""Static evaluation of a Gomoku position: the network's if one is loaded, else a linear one.

The linear evaluation has two kinds of features, for the side to move and for the opponent (kernels/patterns.py). The
first counts, for each line pattern, the empty cells and directions in which a stone would make it; a cell counts once
for each direction. The second counts the empty cells of each grade, which combines the patterns of the four directions.
`rules.apply` keeps both counts up to date. bots/gomoku/weights.py has the weights.

With a network, the lazy evaluation takes the place of the linear one where a rough value will do. It is a weighted sum
of the same features, fitted to the network (training/fit_lazy.py), with weights that change with the number of stones.
"""

from __future__ import annotations

import numpy as np

from bots.gomoku import weights
from bots.gomoku.kernels.network import network_evaluation
from bots.gomoku.kernels.network_record import COUNTS, FEW_STONES, MANY_STONES, REFERENCE_CELLS
from bots.gomoku.kernels.network_vectors import weigh_counts
from bots.gomoku.kernels.patterns import GRADES, PATTERNS
from bots.gomoku.kernels.rules import KERNELS
from core.search.scores import MAX_EVALUATION

PATTERN_WEIGHTS = np.array(weights.PATTERN_WEIGHTS)
GRADE_WEIGHTS = np.array(weights.GRADE_WEIGHTS)
TEMPO, WEIGHT_DIVISOR = weights.TEMPO, weights.WEIGHT_DIVISOR


@KERNELS.kernel("i64(Gomoku)")
def linear_evaluation(s):
    """Return the linear evaluation for the side to move, limited to -MAX_EVALUATION..MAX_EVALUATION."""
    us, them = s.side, 1 - s.side
    total = TEMPO
    for pattern in range(PATTERNS):
        total += PATTERN_WEIGHTS[0, pattern] * s.pattern_count[us, pattern]
        total -= PATTERN_WEIGHTS[1, pattern] * s.pattern_count[them, pattern]
    for grade in range(GRADES):
        total += GRADE_WEIGHTS[0, grade] * s.grade_count[us, grade]
        total -= GRADE_WEIGHTS[1, grade] * s.grade_count[them, grade]
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, total // WEIGHT_DIVISOR))


@KERNELS.kernel("i64(Gomoku, i64)")
def lazy_sum(s, row):
    """Return the features weighted by one row of `lazy_weights`."""
    counted = weigh_counts(s.lazy_weights, row, s.pattern_count, s.grade_count, s.side)
    return counted + np.int64(s.lazy_weights[row, COUNTS])


@KERNELS.export("i64(Gomoku)")
def lazy_evaluation(s):
    """Return the lazy evaluation for the side to move, limited to -MAX_EVALUATION..MAX_EVALUATION.

    Up to FEW_STONES stones it has the first row of weights, from MANY_STONES on the second; between, a mixture.
    """
    cells = s.width * s.height
    span = (MANY_STONES - FEW_STONES) * cells
    share = max(0, min(span, REFERENCE_CELLS * s.stones - FEW_STONES * cells))  # of the second row
    total = (lazy_sum(s, 0) * (span - share) + lazy_sum(s, 1) * share) // (span * WEIGHT_DIVISOR)
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, total))


@KERNELS.export("i64(Gomoku)")
def evaluate(s):
    """Return the static evaluation for the side to move: the network's if one is loaded, else the linear one."""
    return network_evaluation(s) if s.network != 0 else linear_evaluation(s)
