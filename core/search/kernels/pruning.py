"""Parameters of the alpha-beta search that a game tunes, and the kernels that apply those on pruning and reductions.

Reverse futility pruning (static null-move pruning), late move pruning (move-count pruning) and late move reductions
are described on chessprogramming.org under these names. core/search/kernels/alphabeta.py calls the kernels; `s` is the
state.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.search.scores import INFINITE, MAX_EVALUATION

LMR_FACTOR_ONE = 256  # fixed-point scale of `threat_factor` in `lmr_reduction`


@dataclass(frozen=True)
class SearchParameters:
    """Search parameters tuned for one game. Depths are remaining depths in plies."""

    # Reverse futility pruning; used in this module
    rfp_max_depth: int
    rfp_margin: int  # evaluation units per ply of depth
    # Late move pruning: a null-window node searches at most base + factor * depth^exponent moves
    lmp_base: int
    lmp_factor: float
    lmp_max_depth: int  # no limit beyond this depth
    # Late move reductions: ln(depth) * ln(move index) / divisor plies
    lmr_divisor: float
    lmr_threat_factor: float = 0.0  # fraction of the reduction kept for moves that make or answer a threat
    lmp_exponent: float = 2.0
    # Used in alphabeta.py
    max_threat_plies: int = 0  # plies below the horizon at which threats are still answered; 0: no fixed limit
    one_reply_extension: bool = False  # search an only move at depth + 1, so that the move that forced it is free, too
    rfp_uses_improving: bool = False  # one ply less of margin if the side to move is improving
    table_refines_eval: bool = False  # use the table's score as static evaluation if its bound is tighter
    history_shift: int = 3  # weight of the history in move ordering, see `make_ordering`


def _lmr_table(divisor: float) -> Any:
    """Return the reduction by depth and move index, both below 64."""
    table = np.zeros((64, 64), dtype=np.int64)
    for depth in range(1, 64):
        for index in range(1, 64):
            table[depth, index] = int(0.5 + math.log(depth) * math.log(index) / divisor)
    return table


def _lmp_limits(parameters: SearchParameters) -> Any:
    """Return the number of moves that late move pruning keeps, by depth below 64."""
    depths = np.arange(64) ** parameters.lmp_exponent
    limits = (parameters.lmp_base + parameters.lmp_factor * depths).astype(np.int64)
    limits[parameters.lmp_max_depth + 1 :] = np.iinfo(np.int64).max
    return limits


def make_pruning(kernels: KernelSet, state_name: str, parameters: SearchParameters) -> tuple[Any, Any, Any, Any]:
    """Return the kernels `rfp_threshold`, `can_prune_rfp`, `can_prune_late_move` and `lmr_reduction`.

    The caller decides whether pruning is allowed at the node; only `lmr_reduction` checks `full_width` itself.
    """
    lmr_table = _lmr_table(parameters.lmr_divisor)
    rfp_max_depth, rfp_margin = parameters.rfp_max_depth, parameters.rfp_margin
    rfp_uses_improving = parameters.rfp_uses_improving
    lmp_limits = _lmp_limits(parameters)

    @kernels.kernel(f"i64({state_name}, i64)")
    def is_improving(s, ply):
        """Return 1 if the static evaluation is better than two plies before, when the same side was to move."""
        return 1 if ply >= 2 and s.static_eval[ply] > s.static_eval[ply - 2] else 0

    @kernels.kernel("i64(i64, i64)")
    def rfp_threshold(beta, depth):
        """Return an evaluation that is sure to be pruned by `can_prune_rfp`; INFINITE beyond its depth."""
        return beta + rfp_margin * depth if depth <= rfp_max_depth else INFINITE

    @kernels.kernel(f"i64({state_name}, i64, i64, i64, i64)")
    def can_prune_rfp(s, evaluation, beta, depth, ply):
        """Reverse futility pruning: return 1 if the evaluation less a margin still reaches beta at low depth."""
        if depth > rfp_max_depth or evaluation > MAX_EVALUATION:
            return 0
        plies = depth - is_improving(s, ply) if rfp_uses_improving else depth
        return 1 if evaluation - rfp_margin * plies >= beta else 0

    @kernels.kernel("i64(i64, i64)")
    def can_prune_late_move(index, depth):
        """Late move pruning: return 1 if a null-window node may skip the moves from `index` on.

        Never below the horizon (negative depth), where all moves answer a threat.
        """
        return 1 if depth >= 0 and index >= lmp_limits[min(depth, 63)] else 0

    @kernels.kernel(f"i64({state_name}, i64, i64, i64, i64)")
    def lmr_reduction(s, depth, index, is_null_window, threat_factor):
        """Late move reduction in plies, from 0 to depth - 1; one less at PV nodes.

        `threat_factor`, in parts of LMR_FACTOR_ONE, scales it down for moves that make or answer a threat.
        """
        if index < 2 or depth < 2 or s.full_width != 0:
            return 0
        reduction = lmr_table[min(depth, 63), min(index, 63)]
        if is_null_window == 0:
            reduction = max(reduction - 1, 0)
        return min(reduction * threat_factor // LMR_FACTOR_ONE, depth - 1)

    return rfp_threshold, can_prune_rfp, can_prune_late_move, lmr_reduction
