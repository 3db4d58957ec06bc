"""Late move pruning and reductions stay within bounds for any depth and any parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY
from core.search.kernels.pruning import LMR_FACTOR_ONE, SearchParameters, make_pruning

STATE = StateType("Pruned", (StateField("static_eval", "i32", (MAX_PLY,), ""), StateField("full_width", "i64", (), "")))
# All moves but the first are pruned at every depth, and reductions would exceed the depth by far.
EXTREME = SearchParameters(
    rfp_max_depth=3,
    rfp_margin=10,
    lmp_base=1,
    lmp_factor=0.0,
    lmp_max_depth=63,
    lmr_divisor=0.05,
)


@pytest.fixture(scope="module")
def late_move_kernels() -> tuple[Any, Any]:
    """Return the compiled kernels `can_prune_late_move` and `lmr_reduction`."""
    kernels = KernelSet("pruned", (STATE,))
    _, _, can_prune_late_move, lmr_reduction = make_pruning(kernels, STATE.name, EXTREME)
    kernels.compile()
    return can_prune_late_move, lmr_reduction


def test_no_move_is_pruned_below_the_horizon(late_move_kernels: tuple[Any, Any]) -> None:
    """Regression: a negative depth used to be taken as an index from the end of the table of move counts."""
    can_prune_late_move, _ = late_move_kernels
    assert [can_prune_late_move(50, depth) for depth in (-64, -2, -1)] == [0, 0, 0]
    assert [can_prune_late_move(50, depth) for depth in (0, 1, 63, 100)] == [1, 1, 1, 1]
    assert can_prune_late_move(0, 0) == 0


@pytest.mark.parametrize("is_null_window", [0, 1])
@pytest.mark.parametrize("threat_factor", [0, 100, LMR_FACTOR_ONE])
def test_a_reduction_leaves_at_least_one_ply(
    late_move_kernels: tuple[Any, Any], is_null_window: int, threat_factor: int
) -> None:
    """Regression: at the root a reduction used to exceed the depth, so that the child got a negative depth."""
    _, lmr_reduction = late_move_kernels
    state = np.zeros(1, STATE.dtype())[0]
    reductions = {
        depth: {lmr_reduction(state, depth, index, is_null_window, threat_factor) for index in (0, 1, 2, 30, 500)}
        for depth in range(-3, 70)
    }
    assert all(0 <= reduction <= max(depth - 1, 0) for depth, of_depth in reductions.items() for reduction in of_depth)
    assert max(reductions[5]) == (4 if threat_factor else 0)
