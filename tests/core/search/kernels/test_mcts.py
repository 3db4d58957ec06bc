"""The tree search over a toy game: sums that stay in their words, and values that are numbers."""

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
from tests.core.kernels.tree_game import KERNELS, MOVES, RECORD

WIN = 1024


@pytest.fixture(scope="module")
def kernels() -> Any:
    """The compiled kernels by name."""
    KERNELS.compile()
    return SimpleNamespace(**{kernel.name: kernel.dispatcher for kernel in KERNELS.kernels})


def planted(kernels: Any, visits: int, rewards: int) -> tuple[Any, Any]:
    """A record and a tree whose root has these priors."""
    state = np.zeros(1, RECORD.dtype())[0]
    state["win_reward"], state["rave_equivalence"], state["c_puct"], state["expansion_threshold"] = WIN, 1000.0, 0.5, 2
    state["visits"], state["rewards"] = visits, rewards
    tree = np.zeros(1 << 14, np.int32)
    assert kernels.init_tree(state, tree)
    return state, tree


def row(state: Any, tree: Any, number: int) -> Any:
    """A row of the root, to read and to write."""
    first = int(state["root"]) + HEADER_WORDS + number * int(tree[state["root"] + MOVE_COUNT])
    return tree[first : first + MOVES]


def search(kernels: Any, state: Any, tree: Any, playouts: int) -> int:
    """Search so many playouts; why the search returned."""
    state["nodes"] = state["next_poll"] = state["aborted"] = 0
    state["node_limit"] = playouts
    return int(kernels.search_tree(state, tree))


def test_a_game_that_knows_nothing_beforehand(kernels: Any) -> None:
    """Without a prior visit every value was 0 divided by 0, and no move was chosen."""
    state, tree = planted(kernels, 0, 0)
    assert search(kernels, state, tree, 100) == STOPPED
    assert tree[state["root"] + VISITS] == 100
    assert sum(row(state, tree, ROW_VISITS)) == 100
    assert min(row(state, tree, ROW_VISITS)) > 0


@pytest.mark.parametrize(
    ("visits", "rewards", "of_both"),
    [
        (-5, -7, (1, 0)),
        (4, 5 * WIN, (4, 4 * WIN)),
        ((1 << 31) - 1, (1 << 31) - 1, (MAX_PRIOR_REWARDS // WIN, MAX_PRIOR_REWARDS)),
    ],
)
def test_priors_are_bounded(kernels: Any, visits: int, rewards: int, of_both: tuple[int, int]) -> None:
    state, tree = planted(kernels, visits, rewards)
    assert set(row(state, tree, ROW_RAVE_VISITS)) == {of_both[0]}
    assert set(row(state, tree, ROW_RAVE_REWARDS)) == {of_both[1]}


def test_the_search_ends_before_rewards_leave_their_words(kernels: Any) -> None:
    """Only Python looked, after each slice: a slice on a fast machine may be long."""
    assert MAX_REWARDS + MAX_PRIOR_REWARDS < 1 << 31
    state, tree = planted(kernels, 1, 0)
    tree[state["root"] + VISITS] = MAX_REWARDS // WIN - 10
    assert search(kernels, state, tree, 100) == FINISHED
    assert state["nodes"] == 10
    assert search(kernels, state, tree, 100) == FINISHED
    assert state["nodes"] == 0


def test_visits_that_threads_have_lost_make_no_infinite_value(kernels: Any) -> None:
    """Two threads that lose an update and then both take their visit back leave -1, and -1 + 1 divided the share."""
    state, tree = planted(kernels, 1, 0)
    state["expansion_threshold"] = 1000  # `values` are the root's
    assert search(kernels, state, tree, 50) == STOPPED
    row(state, tree, ROW_VISITS)[1] = -1
    assert search(kernels, state, tree, 1) == STOPPED
    assert np.isfinite(state["values"]).all()
