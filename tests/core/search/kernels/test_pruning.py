"""Late moves: skipped and reduced within bounds, whatever the depth and the numbers of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.native.kernel import KernelSet
from core.native.state_type import StateField, StateType
from core.search.kernels.game_kernels import MAX_PLY
from core.search.kernels.pruning import LMR_FACTOR_ONE, SearchParameters, make_pruning

RECORD = StateType(
    "Pruned", (StateField("static_eval", "i32", (MAX_PLY,), ""), StateField("full_width", "i64", (), ""))
)
# Every move from the first on is late at every depth, and reductions are far longer than the depth.
EXTREME = SearchParameters(
    rfp_max_depth=3,
    rfp_margin=10,
    lmp_base=1,
    lmp_factor=0.0,
    lmp_max_depth=63,
    lmr_divisor=0.05,
)


@pytest.fixture(scope="module")
def late() -> tuple[Any, Any]:
    """The kernels `is_too_late` and `late_reduction`."""
    kernels = KernelSet("pruned", (RECORD,))
    _, _, is_too_late, late_reduction = make_pruning(kernels, RECORD.name, EXTREME)
    kernels.compile()
    return is_too_late, late_reduction


def test_no_move_is_late_below_the_horizon(late: tuple[Any, Any]) -> None:
    """A negative depth read the table from its end: the limit of the greatest depths."""
    is_too_late, _ = late
    assert [is_too_late(50, depth) for depth in (-64, -2, -1)] == [0, 0, 0]
    assert [is_too_late(50, depth) for depth in (0, 1, 63, 100)] == [1, 1, 1, 1]
    assert is_too_late(0, 0) == 0


@pytest.mark.parametrize("null_window", [0, 1])
@pytest.mark.parametrize("share", [0, 100, LMR_FACTOR_ONE])
def test_a_reduction_leaves_a_ply(late: tuple[Any, Any], null_window: int, share: int) -> None:
    """At the root it could exceed the depth, and the child was searched to a negative one."""
    _, late_reduction = late
    state = np.zeros(1, RECORD.dtype())[0]
    found = {
        depth: {late_reduction(state, depth, index, null_window, share) for index in (0, 1, 2, 30, 500)}
        for depth in range(-3, 70)
    }
    assert all(0 <= reduction <= max(depth - 1, 0) for depth, all_of in found.items() for reduction in all_of)
    assert max(found[5]) == (4 if share else 0)
