"""Kernels for pruning and reductions of the alpha-beta search, and the features that a game compiles into it.

Reverse futility pruning (static null-move pruning), late move pruning (move-count pruning) and late move reductions
are described on chessprogramming.org under these names. core/search/kernels/alphabeta.py calls the kernels; `s` is the
state, whose fields hold the constants (core/search/parameters.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.kernel import KernelSet
from core.search.parameters import FACTOR_BITS
from core.search.scores import INFINITE, MAX_EVALUATION

# By depth or move index below 64. Kernels have no logarithm.
LOGARITHMS = np.array([0.0, *(math.log(number) for number in range(1, 64))])


@dataclass(frozen=True)
class CompiledParameters:
    """Features of a game's search that are compiled into its kernels, so that options cannot change them."""

    # Late move pruning: a null-window node searches at most base + factor * depth^exponent moves. The exponent is here
    # because kernels have no powers.
    lmp_exponent: float = 2.0
    one_reply_extension: bool = False  # search an only move at depth + 1, so that the move that forced it is free, too
    rfp_uses_improving: bool = False  # one ply less of margin if the side to move is improving
    table_refines_eval: bool = False  # use the table's score as static evaluation if its bound is tighter


def make_pruning(kernels: KernelSet, state_name: str, parameters: CompiledParameters) -> tuple[Any, Any, Any, Any]:
    """Return the kernels `rfp_threshold`, `can_prune_rfp`, `can_prune_late_move` and `lmr_reduction`.

    The caller decides whether pruning is allowed at the node; only `lmr_reduction` checks `full_width` itself.
    """
    rfp_uses_improving = parameters.rfp_uses_improving
    lmp_powers = np.arange(64) ** parameters.lmp_exponent

    @kernels.kernel(f"i64({state_name}, i64)")
    def is_improving(s, ply):
        """Return 1 if the static evaluation is better than two plies before, when the same side was to move."""
        return 1 if ply >= 2 and s.static_eval[ply] > s.static_eval[ply - 2] else 0

    @kernels.kernel(f"i64({state_name}, i64, i64)")
    def rfp_threshold(s, beta, depth):
        """Return an evaluation that is sure to be pruned by `can_prune_rfp`; INFINITE beyond its depth."""
        return beta + s.rfp_margin * depth if depth <= s.rfp_max_depth else INFINITE

    @kernels.kernel(f"i64({state_name}, i64, i64, i64, i64)")
    def can_prune_rfp(s, evaluation, beta, depth, ply):
        """Reverse futility pruning: return 1 if the evaluation less a margin still reaches beta at low depth."""
        if depth > s.rfp_max_depth or evaluation > MAX_EVALUATION:
            return 0
        plies = depth - is_improving(s, ply) if rfp_uses_improving else depth
        return 1 if evaluation - s.rfp_margin * plies >= beta else 0

    @kernels.kernel(f"i64({state_name}, i64, i64, i64)")
    def can_prune_late_move(s, index, depth, is_forced):
        """Late move pruning: return 1 if a null-window node may skip the moves from `index` on.

        If the moves answer a threat (`is_forced`), a number of them is kept that does not grow with the depth. This
        includes depths below the horizon (negative), where all moves answer a threat.
        """
        if is_forced != 0:
            return 1 if index >= s.lmp_threat_base and depth <= s.lmp_threat_max_depth else 0
        if index < s.lmp_base or depth < 0 or depth > s.lmp_max_depth:
            return 0
        return 1 if index >= np.int64(s.lmp_base + s.lmp_factor * lmp_powers[min(depth, 63)]) else 0

    @kernels.kernel(f"i64({state_name}, i64, i64, i64, i64, i64)")
    def lmr_reduction(s, depth, index, is_null_window, is_alpha_raised, threat_factor):
        """Late move reduction, ln(depth) * ln(index) / `lmr_divisor` plies, from 0 to depth - 1; one less at PV nodes.

        Once a move has raised alpha at a PV node, it is more by `lmr_alpha_raised`: another move is hardly ever better.
        `threat_factor`, in parts of FACTOR_ONE, scales it down for moves that make or answer a threat.
        """
        if index < 2 or depth < 2 or s.full_width != 0:
            return 0
        reduction = np.int64(0.5 + LOGARITHMS[min(depth, 63)] * LOGARITHMS[min(index, 63)] / s.lmr_divisor)
        if is_null_window == 0:
            reduction = max(reduction - 1, 0)
        if is_alpha_raised != 0:
            reduction += s.lmr_alpha_raised
        return min(reduction * threat_factor >> FACTOR_BITS, depth - 1)

    return rfp_threshold, can_prune_rfp, can_prune_late_move, lmr_reduction
