"""The search tree of core/mcts.py over Hex: statistics add up, also with threads, when thinned out and when kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bots.hex.position import HexPosition, format_cell
from bots.hex.prior import load_weights
from core.deepening import Schedule
from core.player import Limits, Setup, ignore_progress
from core.tree import (
    COUNT,
    HEADER,
    LOST,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_SHARE,
    TREE_START,
    UNKNOWN,
    VISITS,
    WON,
)
from core.tree_search import CERTAIN, TreeSearch, score_of

NO_CLOCK = Schedule(None, None)


def search_of(size: int, moves: str = "", threads: int = 1, tree_bytes: int = 1 << 24) -> TreeSearch:
    """A tree planted at a position."""
    position = HexPosition(Setup(size, size, "standard"))
    position.replay(moves.split())
    search = TreeSearch(position.library, "HexPlayout", lambda line: [format_cell(move) for move in line])
    search.fit(tree_bytes, threads)
    state = search.states[0]
    load_weights(state)
    position.library.set_root(position.state, state)
    state.random, state.rave_bias, state.explore, state.expand_visits = 1, 1000.0, 0.2, 5
    assert search.plant()
    return search


def run(search: TreeSearch, playouts: int) -> None:
    """Search without studies."""
    search.run(Limits(nodes=playouts), NO_CLOCK, None, ignore_progress)


def blocks(search: TreeSearch) -> Iterator[int]:
    """All blocks that hang at the root."""
    waiting = [search.states[0].root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [branch.child for branch in search.branches(node) if branch.child > 0]


def test_visits_and_rewards_add_up() -> None:
    """A lost or doubled update would show: a node's visits are its moves', and no more than of the move to it."""
    search = search_of(6)
    run(search, 5000)
    root = search.states[0].root
    assert search.tree[root + VISITS] == 5000
    for node in blocks(search):
        branches = search.branches(node)
        assert sum(branch.visits for branch in branches) == search.tree[node + VISITS]
        for branch in branches:
            assert 0 <= branch.rewards <= 2 * branch.visits
            if branch.child > 0:
                assert search.tree[branch.child + VISITS] < branch.visits
    assert sum(1 for _ in blocks(search)) > 100


@pytest.mark.parametrize("moves", ["", "f6", "f6 d7 e3"])
def test_first_playout_tries_the_likeliest_move(moves: str) -> None:
    """A busy machine may leave time for no other; the corner a1 that it began with lost games."""
    search = search_of(11, moves)
    run(search, 1)
    root = search.states[0].root
    count = search.tree[root + COUNT]
    first = root + HEADER
    shares = list(search.tree[first + ROW_SHARE * count : first + (ROW_SHARE + 1) * count])
    likeliest = search.tree[first + shares.index(max(shares))]
    assert search.branches(root)[0].move == likeliest


def test_threads_share_one_tree() -> None:
    """Two threads may lose an update now and then, not the tree."""
    search = search_of(7, threads=2)
    run(search, 20_000)
    visits = sum(branch.visits for branch in search.branches(search.states[0].root))
    assert sum(state.nodes for state in search.states) == pytest.approx(visits, rel=0.02)
    for node in blocks(search):
        assert TREE_START <= node < search.tree[0]


def test_a_full_tree_is_thinned_out() -> None:
    """The smallest tree holds some hundred nodes; the search must go on when they are used up."""
    search = search_of(9, tree_bytes=0)
    run(search, 30_000)
    root = search.states[0].root
    assert search.tree[0] <= len(search.tree)
    assert sum(branch.visits for branch in search.branches(root)) == 30_000
    assert len(list(blocks(search))) > 20


def test_a_kept_subtree_is_the_same() -> None:
    search = search_of(6)
    run(search, 5000)
    best = search.branches(search.states[0].root)[0]
    reply = search.branches(best.child)[0]
    node = search.follow([best.move, reply.move])
    assert node == reply.child
    before = [(branch.move, branch.visits, branch.rewards) for branch in search.branches(node)]
    size = search.tree[0]
    search.keep(node)
    kept = search.branches(search.states[0].root)
    assert [(branch.move, branch.visits, branch.rewards) for branch in kept] == before
    assert search.tree[0] < size


@pytest.mark.parametrize(("result", "of_move"), [(LOST, PROVEN_WIN), (WON, PROVEN_LOSS)])
def test_results_climb_to_the_root(result: int, of_move: int) -> None:
    """A lost node is a won move, which wins the node above; a won node only takes one move away."""
    search = search_of(5)
    run(search, 500)
    state, root = search.states[0], search.states[0].root
    state.depth, state.path[0], state.path_index[0] = 1, root, 3
    search.states[0].root_result = UNKNOWN
    search._library.settle_path(state, search.tree, result)
    count = search.tree[root + COUNT]
    assert search.tree[root + HEADER + ROW_CHILD * count + 3] == of_move
    assert state.root_result == (WON if result == LOST else UNKNOWN)
    for index in range(count):
        state.path_index[0] = index
        search._library.settle_path(state, search.tree, WON)
    assert state.root_result in (LOST, WON)


def test_scores_are_chances() -> None:
    assert [score_of(chance) for chance in (0, 0.5, 0.75, 1)] == [-CERTAIN, 0, CERTAIN // 2, CERTAIN]
