"""Late move pruning and reductions stay within bounds for any depth and any parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY, parameter_fields
from core.search.kernels.pruning import CompiledParameters, make_pruning
from core.search.parameters import FACTOR_ONE, game_parameters

# All moves but the first are pruned at every depth, and reductions exceed the depth by far
EXTREME = game_parameters(
    lmp_base=1, lmp_factor=0, lmp_max_depth=63, lmp_threat_base=1, lmr_divisor=0.5, lmr_alpha_raised=4
)
STATE = StateType(
    "Pruned",
    (
        StateField("static_eval", "i32", (MAX_PLY,), ""),
        StateField("full_width", "i64", (), ""),
        *parameter_fields(EXTREME),
    ),
)


@pytest.fixture(scope="module")
def late_move_kernels() -> tuple[Any, Any]:
    """Return the compiled kernels `can_prune_late_move` and `lmr_reduction`."""
    kernels = KernelSet("pruned", (STATE,))
    _, _, can_prune_late_move, lmr_reduction = make_pruning(kernels, STATE.name, CompiledParameters())
    kernels.compile()
    return can_prune_late_move, lmr_reduction


def extreme_state() -> Any:
    """Return a state with the parameters EXTREME."""
    state = np.zeros(1, STATE.dtype())[0]
    for parameter in EXTREME:
        if parameter.name in STATE.dtype().names:
            state[parameter.name] = parameter.default
    return state


def test_only_answers_to_a_threat_are_pruned_below_the_horizon(late_move_kernels: tuple[Any, Any]) -> None:
    """Regression: a negative depth used to be taken as an index from the end of the table of move counts."""
    can_prune_late_move, _ = late_move_kernels
    state = extreme_state()
    assert [can_prune_late_move(state, 50, depth, 0) for depth in (-64, -2, -1)] == [0, 0, 0]
    assert [can_prune_late_move(state, 50, depth, 0) for depth in (0, 1, 63)] == [1, 1, 1]
    assert can_prune_late_move(state, 50, 64, 0) == 0  # beyond `lmp_max_depth`
    assert can_prune_late_move(state, 0, 0, 0) == 0
    assert [can_prune_late_move(state, 1, depth, 1) for depth in (-64, -1, 0, 3)] == [1, 1, 1, 1]
    assert can_prune_late_move(state, 50, 4, 1) == 0  # beyond `lmp_threat_max_depth`
    assert can_prune_late_move(state, 0, 0, 1) == 0


@pytest.mark.parametrize("is_null_window", [0, 1])
@pytest.mark.parametrize("threat_factor", [0, 100, FACTOR_ONE])
def test_a_reduction_leaves_at_least_one_ply(
    late_move_kernels: tuple[Any, Any], is_null_window: int, threat_factor: int
) -> None:
    """Regression: at the root a reduction used to exceed the depth, so that the child got a negative depth."""
    _, lmr_reduction = late_move_kernels
    state = extreme_state()
    reductions = {
        depth: {
            lmr_reduction(state, depth, index, is_null_window, is_alpha_raised, threat_factor)
            for index in (0, 1, 2, 30, 500)
            for is_alpha_raised in (0, 1)
        }
        for depth in range(-3, 70)
    }
    assert all(0 <= reduction <= max(depth - 1, 0) for depth, of_depth in reductions.items() for reduction in of_depth)
    assert max(reductions[5]) == (4 if threat_factor else 0)


def test_a_later_move_is_reduced_more_once_a_move_has_raised_alpha(late_move_kernels: tuple[Any, Any]) -> None:
    """The first reductions of a PV node are smaller, so that the best move is not missed."""
    _, lmr_reduction = late_move_kernels
    state = extreme_state()
    state["lmr_divisor"], state["lmr_alpha_raised"] = 2, 1
    before, after = (lmr_reduction(state, 12, 20, 0, raised, FACTOR_ONE) for raised in (0, 1))
    assert before + 1 == after == lmr_reduction(state, 12, 20, 1, 0, FACTOR_ONE)
