"""Monte-Carlo tree search of a toy game: sums do not overflow, and values are never NaN or infinite."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.search.mcts_tree import (
    FINISHED,
    HEADER_WORDS,
    MAX_PRIOR_REWARDS,
    MAX_REWARDS,
    MOVE_COUNT,
    ROW_RAVE_REWARDS,
    ROW_RAVE_VISITS,
    ROW_VISITS,
    STOPPED,
    VISITS,
)
from tests.core.kernels import tree_game
from tests.core.kernels.tree_game import KERNELS, STATE

WIN = 1024  # reward of a win


@pytest.fixture(scope="module")
def kernels() -> Any:
    """Return the compiled kernels by name."""
    KERNELS.compile()
    return SimpleNamespace(**{kernel.name: kernel.dispatcher for kernel in KERNELS.kernels})


def new_tree(kernels: Any, visits: int, rewards: int) -> tuple[Any, Any]:
    """Return a state and a tree whose root moves have these RAVE priors."""
    state = np.zeros(1, STATE.dtype())[0]
    state["win_reward"], state["rave_equivalence"], state["c_puct"], state["expansion_threshold"] = WIN, 1000.0, 0.5, 2
    state["visits"], state["rewards"] = visits, rewards
    tree = np.zeros(1 << 14, np.int32)
    assert kernels.init_tree(state, tree)
    return state, tree


def root_row(state: Any, tree: Any, row: int) -> Any:
    """Return a writable view of a row of the root (see core/search/mcts_tree.py), such as ROW_VISITS."""
    start = int(state["root"]) + HEADER_WORDS + row * int(tree[state["root"] + MOVE_COUNT])
    return tree[start : start + tree_game.MOVE_COUNT]


def search(kernels: Any, state: Any, tree: Any, playouts: int) -> int:
    """Search for some playouts and return why the search ended."""
    state["nodes"] = state["next_poll"] = state["aborted"] = 0
    state["node_limit"] = playouts
    return int(kernels.search_tree(state, tree))


def test_a_game_without_rave_priors_is_searched(kernels: Any) -> None:
    """Regression: without a RAVE prior visit every value used to be 0 / 0, and no move was selected."""
    state, tree = new_tree(kernels, 0, 0)
    assert search(kernels, state, tree, 100) == STOPPED
    assert tree[state["root"] + VISITS] == 100
    assert sum(root_row(state, tree, ROW_VISITS)) == 100
    assert min(root_row(state, tree, ROW_VISITS)) > 0


@pytest.mark.parametrize(
    ("visits", "rewards", "expected"),
    [
        (-5, -7, (1, 0)),
        (4, 5 * WIN, (4, 4 * WIN)),
        ((1 << 31) - 1, (1 << 31) - 1, (MAX_PRIOR_REWARDS // WIN, MAX_PRIOR_REWARDS)),
    ],
)
def test_priors_are_bounded(kernels: Any, visits: int, rewards: int, expected: tuple[int, int]) -> None:
    state, tree = new_tree(kernels, visits, rewards)
    assert set(root_row(state, tree, ROW_RAVE_VISITS)) == {expected[0]}
    assert set(root_row(state, tree, ROW_RAVE_REWARDS)) == {expected[1]}


def test_the_search_ends_before_rewards_overflow(kernels: Any) -> None:
    """Regression: only Python used to check this, once per slice of the search."""
    assert MAX_REWARDS + MAX_PRIOR_REWARDS < 1 << 31
    state, tree = new_tree(kernels, 1, 0)
    tree[state["root"] + VISITS] = MAX_REWARDS // WIN - 10
    assert search(kernels, state, tree, 100) == FINISHED
    assert state["nodes"] == 10
    assert search(kernels, state, tree, 100) == FINISHED
    assert state["nodes"] == 0


def test_lost_updates_make_no_infinite_value(kernels: Any) -> None:
    """Regression: two threads that lose an update and both undo their virtual loss leave -1 visits.

    The term n + 1 of the value (core/search/kernels/mcts.py) used to be 0 then.
    """
    state, tree = new_tree(kernels, 1, 0)
    state["expansion_threshold"] = 1000  # `values` are the root's
    assert search(kernels, state, tree, 50) == STOPPED
    root_row(state, tree, ROW_VISITS)[1] = -1
    assert search(kernels, state, tree, 1) == STOPPED
    assert np.isfinite(state["values"]).all()
