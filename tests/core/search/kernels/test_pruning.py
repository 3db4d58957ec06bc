"""Late move pruning and reductions stay within bounds for any depth and any parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY, parameter_fields
from core.search.kernels.pruning import CompiledParameters, PruningKernels, make_pruning
from core.search.parameters import FACTOR_ONE, game_parameters

# All moves but the first are pruned at every depth, and reductions exceed the depth by far
EXTREME = game_parameters(lmp_base=1, lmp_factor=0, lmp_max_depth=63, lmr_divisor=0.5, lmr_alpha_raised=4)
STATE = StateType(
    "Pruned",
    (
        StateField("static_eval", "i32", (MAX_PLY,), ""),
        StateField("full_width", "i64", (), ""),
        *parameter_fields(EXTREME),
    ),
)


@pytest.fixture(scope="module")
def pruning() -> PruningKernels:
    """Return the compiled kernels."""
    kernels = KernelSet("pruned", (STATE,))
    compiled = make_pruning(kernels, STATE.name, CompiledParameters())
    kernels.compile()
    return compiled


def extreme_state() -> Any:
    """Return a state with the parameters EXTREME."""
    state = np.zeros(1, STATE.dtype())[0]
    for parameter in EXTREME:
        if parameter.name in STATE.dtype().names:
            state[parameter.name] = parameter.default
    return state


def test_no_move_is_pruned_below_the_horizon(pruning: PruningKernels) -> None:
    """Regression: a negative depth used to be taken as an index from the end of the table of move counts."""
    can_prune_late_move, state = pruning.can_prune_late_move, extreme_state()
    assert [can_prune_late_move(state, 50, depth) for depth in (-64, -2, -1)] == [0, 0, 0]
    assert [can_prune_late_move(state, 50, depth) for depth in (0, 1, 63)] == [1, 1, 1]
    assert can_prune_late_move(state, 50, 64) == 0  # beyond `lmp_max_depth`
    assert can_prune_late_move(state, 0, 0) == 0


@pytest.mark.parametrize("is_null_window", [0, 1])
@pytest.mark.parametrize("threat_factor", [0, 100, FACTOR_ONE])
def test_a_reduction_leaves_at_least_one_ply(pruning: PruningKernels, is_null_window: int, threat_factor: int) -> None:
    """Regression: at the root a reduction used to exceed the depth, so that the child got a negative depth."""
    state = extreme_state()
    reductions = {
        depth: {
            pruning.lmr_reduction(state, depth, index, is_null_window, is_alpha_raised, threat_factor)
            for index in (0, 1, 2, 30, 500)
            for is_alpha_raised in (0, 1)
        }
        for depth in range(-3, 70)
    }
    assert all(0 <= reduction <= max(depth - 1, 0) for depth, of_depth in reductions.items() for reduction in of_depth)
    assert max(reductions[5]) == (4 if threat_factor else 0)


def test_a_later_move_is_reduced_more_once_a_move_has_raised_alpha(pruning: PruningKernels) -> None:
    """The first reduction of a PV node is smaller, so that the best move is not missed."""
    state = extreme_state()
    state["lmr_divisor"], state["lmr_alpha_raised"] = 2, 1
    before, after = (pruning.lmr_reduction(state, 12, 20, 0, raised, FACTOR_ONE) for raised in (0, 1))
    assert before + 1 == after == pruning.lmr_reduction(state, 12, 20, 1, 0, FACTOR_ONE)


def test_razoring_and_fail_high_reductions_keep_their_margins_and_depths(pruning: PruningKernels) -> None:
    """A wrong sign would prune nodes near the window, where the search decides."""
    state = extreme_state()
    state["razor_max_depth"], state["razor_margin"], state["fhr_min_depth"], state["fhr_margin"] = 2, 100, 3, 50
    assert [pruning.can_razor(state, -201, 0, depth) for depth in (1, 2, 3)] == [1, 1, 0]
    assert [pruning.can_razor(state, evaluation, 0, 2) for evaluation in (-200, -199, 0, 500)] == [1, 0, 0, 0]
    assert [pruning.is_far_above_beta(state, 51, 0, depth) for depth in (2, 3, 9)] == [0, 1, 1]
    assert [pruning.is_far_above_beta(state, evaluation, 0, 3) for evaluation in (50, 49, -500)] == [1, 0, 0]
    state["razor_max_depth"] = 0
    assert pruning.can_razor(state, -30_000, 0, 1) == 0
