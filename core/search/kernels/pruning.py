"""What a search leaves out, and how deep it looks at the rest: the numbers of a game, and the decisions they make."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.search.scores import INFINITE, MAX_EVALUATION

WHOLE_REDUCTION = 256  # parts that a share of a reduction counts in


@dataclass(frozen=True)
class SearchParameters:
    """The numbers that fit a game. Margins are in its evaluation units, a ply of depth each."""

    rfp_max_depth: int  # up to here a node far above beta is not searched
    rfp_margin: int
    lmp_base: int  # beyond base + factor * depth^power moves a null-window node looks no further
    lmp_factor: float
    lmp_max_depth: int
    lmr_divisor: float  # of ln(depth) ln(index): larger reduces less
    lmr_threat_factor: float = 0.0  # share of it where a move makes a threat or answers one
    lmp_exponent: float = 2.0
    max_threat_plies: int = 0  # beyond the depth to which answers to threats are followed; 0 for all there is room for
    one_reply_extension: bool = False  # a lone answer is searched a ply deeper than its node, so a four costs nothing
    rfp_uses_improving: bool = False  # a ply's margin less where the estimate is better than two plies before
    table_refines_eval: bool = False  # for the estimate, where it bounds the value better
    history_shift: int = 3  # by which the history of a move is shifted right, to be added to the game's ordering value


def _reductions(divisor: float) -> Any:
    table = np.zeros((64, 64), dtype=np.int64)
    for depth in range(1, 64):
        for index in range(1, 64):
            table[depth, index] = int(0.5 + math.log(depth) * math.log(index) / divisor)
    return table


def _late_limits(pruning: SearchParameters) -> Any:
    """By depth, how many moves a node looks at."""
    depths = np.arange(64) ** pruning.lmp_exponent
    limits = (pruning.lmp_base + pruning.lmp_factor * depths).astype(np.int64)
    limits[pruning.lmp_max_depth + 1 :] = np.iinfo(np.int64).max
    return limits


def make_pruning(kernels: KernelSet, record: str, pruning: SearchParameters) -> tuple[Any, Any, Any, Any]:
    """The kernels `far_above`, `is_far_above`, `is_too_late`, `late_reduction` over a record with search fields."""
    reductions = _reductions(pruning.lmr_divisor)
    rfp_max_depth, rfp_margin = pruning.rfp_max_depth, pruning.rfp_margin
    rfp_uses_improving = pruning.rfp_uses_improving
    late_limits = _late_limits(pruning)

    @kernels.kernel(f"i64({record}, i64)")
    def is_improving(s, ply):
        """Whether the side to move at a ply is estimated better than two plies before."""
        return 1 if ply >= 2 and s.static_eval[ply] > s.static_eval[ply - 2] else 0

    @kernels.kernel("i64(i64, i64)")
    def far_above(beta, depth):
        """An estimate for which `is_far_above` says yes wherever it may."""
        return beta + rfp_margin * depth if depth <= rfp_max_depth else INFINITE

    @kernels.kernel(f"i64({record}, i64, i64, i64, i64)")
    def is_far_above(s, estimate, beta, depth, ply):
        """Whether a quiet node of little depth is so good already that its moves need not be looked at (futility)."""
        if depth > rfp_max_depth or estimate > MAX_EVALUATION:
            return 0
        plies = depth - is_improving(s, ply) if rfp_uses_improving else depth
        return 1 if estimate - rfp_margin * plies >= beta else 0

    @kernels.kernel("i64(i64, i64)")
    def is_too_late(index, depth):
        """Whether a null-window node skips the moves from `index` on; below the horizon answers to threats are not."""
        return 1 if depth >= 0 and index >= late_limits[min(depth, 63)] else 0

    @kernels.kernel(f"i64({record}, i64, i64, i64, i64)")
    def late_reduction(s, depth, index, null_window, share):
        """Plies that a move so late in the order is searched less, from 0 to depth - 1.

        One less in the principal variation; of that `share` parts in WHOLE_REDUCTION.
        """
        if index < 2 or depth < 2 or s.full_width != 0:
            return 0
        reduction = reductions[min(depth, 63), min(index, 63)]
        if null_window == 0:
            reduction = max(reduction - 1, 0)
        return min(reduction * share // WHOLE_REDUCTION, depth - 1)

    return far_above, is_far_above, is_too_late, late_reduction
