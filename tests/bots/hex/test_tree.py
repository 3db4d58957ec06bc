"""The generic Monte-Carlo tree search (core/search/mcts_search.py), tested with Hex.

The tests check the statistics of the moves, pruning, reuse of a subtree, proofs and limits. The tree is an array of
32-bit words; core/search/mcts_tree.py describes the words of a node. Word 0 is the number of words in use.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bots.hex.notation import MAX_SIZE
from bots.hex.position import format_cell
from bots.hex.prior import load_weights
from core.native.library import KernelLibrary, new_array
from core.play.player import Limits, ignore_progress
from core.play.stop import StopToken
from core.search.mcts_search import CERTAIN_WIN_SCORE, MctsSearch, probability_to_score
from core.search.mcts_tree import (
    HEADER_WORDS,
    LOST,
    MAX_REWARDS,
    MOVE_COUNT,
    PRIOR_SCALE,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_PRIOR,
    ROWS,
    TREE_START,
    UNKNOWN,
    VISITS,
    WON,
)
from core.search.time_budget import TimeBudget
from tests.bots.hex.boards import position_after
from tests.manual_clock import ManualClock

NO_CLOCK = TimeBudget(None, None)  # neither a soft nor a hard limit

# Fraction of visits that may be lost when two threads update the tree without locks. Measured: up to 0.9 % on an idle
# and on a busy machine, and once 5.5 % in CI, perhaps because a virtual processor was stopped during an update.
MAX_LOST_FRACTION = 0.2


def search_of(size: int, moves: str = "", threads: int = 1, tree_bytes: int = 1 << 24) -> MctsSearch[Any]:
    """Return a search by playouts, without the network, whose root is the position after some moves."""
    position = position_after(size, moves.split())
    search: MctsSearch[Any] = MctsSearch(
        position.library, "HexPlayout", lambda line: [format_cell(move) for move in line]
    )
    search.resize(tree_bytes, threads)
    state = search.states[0]
    load_weights(state)
    position.library.set_root(position.state, state)
    state.random, state.win_reward = 1, 2
    state.rave_equivalence, state.c_puct, state.expansion_threshold = 1000.0, 0.2, 5
    assert search.init_tree()
    return search


def run(search: MctsSearch[Any], playouts: int) -> None:
    """Search without a time limit and without the solver (the argument None)."""
    search.run(Limits(nodes=playouts), NO_CLOCK, None, ignore_progress)


def list_nodes(search: MctsSearch[Any]) -> Iterator[int]:
    """Yield all nodes of the tree, from the root."""
    queue = [search.states[0].root]
    while queue:
        node = queue.pop()
        yield node
        queue += [entry.child for entry in search.move_statistics(node) if entry.child > 0]


def test_visits_and_rewards_add_up() -> None:
    """A node has as many visits as its moves together, and fewer than the move that leads to it."""
    search = search_of(6)
    run(search, 5000)
    root = search.states[0].root
    assert search.tree[root + VISITS] == 5000
    for node in list_nodes(search):
        entries = search.move_statistics(node)
        assert sum(entry.visits for entry in entries) == search.tree[node + VISITS]
        for entry in entries:
            assert 0 <= entry.rewards <= 2 * entry.visits
            if entry.child > 0:
                assert search.tree[entry.child + VISITS] < entry.visits
    assert sum(1 for _ in list_nodes(search)) > 100


def test_best_child_matches_sorted_statistics() -> None:
    """`_best_move` finds the best move without sorting the statistics of all moves, also if moves are proven."""
    search = search_of(5, "c3")
    run(search, 20_000)
    proofs = 0
    for node in list_nodes(search):
        best = search.move_statistics(node)[0]
        assert search._best_move(node) == (best.move, best.child)
        children = [entry.child for entry in search.move_statistics(node)]
        for index, proof in ((0, PROVEN_LOSS), (len(children) - 1, PROVEN_WIN)):
            entry = search.move_statistics(node)[index]
            count = search.tree[node + MOVE_COUNT]
            moves = search.tree[node + HEADER_WORDS : node + HEADER_WORDS + count]
            word = node + HEADER_WORDS + ROW_CHILD * count + moves.index(entry.move)
            old_child, search.tree[word] = search.tree[word], proof
            best = search.move_statistics(node)[0]
            assert search._best_move(node) == (best.move, best.child)
            search.tree[word] = old_child
            proofs += 1
    assert proofs > 100


@pytest.mark.parametrize("moves", ["", "f6", "f6 d7 e3"])
def test_first_playout_tries_the_move_with_the_largest_prior(moves: str) -> None:
    """Regression: the first playout used to begin with the corner a1.

    A busy machine may leave time for a single playout, and games were lost by this move.
    """
    search = search_of(11, moves)
    run(search, 1)
    root = search.states[0].root
    count = search.tree[root + MOVE_COUNT]
    first = root + HEADER_WORDS
    priors = list(search.tree[first + ROW_PRIOR * count : first + (ROW_PRIOR + 1) * count])
    best = search.tree[first + priors.index(max(priors))]
    assert search.move_statistics(root)[0].move == best


def test_threads_share_one_tree() -> None:
    """Two threads may lose some updates, but must not damage the tree."""
    search = search_of(7, threads=2)
    run(search, 20_000)
    visits = sum(entry.visits for entry in search.move_statistics(search.states[0].root))
    assert sum(state.nodes for state in search.states) == pytest.approx(visits, rel=MAX_LOST_FRACTION)
    for node in list_nodes(search):
        assert TREE_START <= node < search.tree[0]


def test_full_tree_is_pruned() -> None:
    """The smallest tree has room for some hundred nodes; the search continues when it is full."""
    search = search_of(9, tree_bytes=0)
    run(search, 30_000)
    root = search.states[0].root
    assert search.tree[0] <= len(search.tree)
    assert sum(entry.visits for entry in search.move_statistics(root)) == 30_000
    assert len(list(list_nodes(search))) > 20


def run_before_calls(search: MctsSearch[Any], kernel: str, act: Callable[[int], None]) -> None:
    """Call `act` before each call of a kernel, with the number of the call, from 1."""
    library: Any = search._library
    calls = 0

    def call(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        act(calls)
        return library.kernels[kernel](*arguments)

    patched: Any = KernelLibrary(library.name, library._records, library.kernels | {kernel: call})
    search._library = patched


@pytest.mark.parametrize("threads", [1, 2])
def test_tree_can_be_pruned_many_times(threads: int) -> None:
    """Regression: the minimum of visits for a node to be kept used to grow without bound.

    After the tree had been pruned 60 times, nothing was dropped any more.
    """
    search = search_of(9, threads=threads, tree_bytes=0)
    copies: list[int] = []  # number of each copy that pruning makes
    run_before_calls(search, "copy_subtree", copies.append)
    thinker = threading.Thread(target=run, args=(search, 120_000), daemon=True)
    thinker.start()
    thinker.join(120)
    assert not thinker.is_alive()
    assert len(copies) > 80
    assert search._min_visits < 10_000  # far fewer than the 120,000 playouts
    assert len(list(list_nodes(search))) > 20
    playouts = sum(state.nodes for state in search.states)
    max_lost = MAX_LOST_FRACTION if threads > 1 else 0
    assert search.tree[search.states[0].root + VISITS] == pytest.approx(playouts, rel=max_lost)


def fill_tree(search: MctsSearch[Any]) -> tuple[list[int], int]:
    """Search until the tree is full; return the visits of the root's moves and the number of words in use."""
    library = search._library
    run_before_calls(search, "copy_subtree", lambda _: search._stop.set())
    run(search, 10_000_000)
    search._library = library
    search._stop = StopToken()
    return [entry.visits for entry in search.move_statistics(search.states[0].root)], int(search.tree[0])


def test_stop_interrupts_pruning() -> None:
    """Copying a large tree takes seconds. After a stop the old tree remains, and the next search does not reuse it."""
    search = search_of(9)
    copies: list[int] = []
    visits, size = fill_tree(search)
    run_before_calls(search, "copy_subtree", copies.append)
    run_before_calls(search, "copy_subtree", lambda number: search._stop.set() if number == 2 else None)
    search._prune_tree()
    assert len(copies) == 2
    assert ([entry.visits for entry in search.move_statistics(search.states[0].root)], search.tree[0]) == (
        visits,
        size,
    )
    assert search.multi_pv(1)[0].pv
    assert not search.find_node([])
    search.init_tree()
    assert search.find_node([])


def test_deadline_interrupts_pruning() -> None:
    search = search_of(9)
    fill_tree(search)
    copies: list[int] = []
    run_before_calls(search, "copy_subtree", copies.append)
    search._deadline = 1  # in the past
    search._prune_tree()
    assert not copies
    search._deadline = 0  # none
    search._prune_tree()
    assert search.tree[0] <= len(search.tree) // 2


def test_the_smallest_tree_has_room_on_the_largest_board() -> None:
    """If the root left no room for another node, pruning could not make any."""
    search = search_of(MAX_SIZE, tree_bytes=0)
    assert len(search.tree) >= 2 * (TREE_START + HEADER_WORDS + ROWS * MAX_SIZE**2)
    run(search, 20_000)
    assert sum(entry.visits for entry in search.move_statistics(search.states[0].root)) == 20_000
    assert len(list(list_nodes(search))) > 2


def test_tree_that_cannot_be_pruned_is_replaced() -> None:
    """With room for a single node, playouts continue and the limit is obeyed."""
    search = search_of(9)
    size = TREE_START + HEADER_WORDS + ROWS * 9 * 9  # words
    search.tree, search._spare = (new_array("i32", size) for _ in range(2))
    assert search.init_tree()
    run(search, 2000)
    assert search.states[0].nodes == 2000
    assert search.multi_pv(1)[0].pv


def test_visits_do_not_overflow() -> None:
    """A search without limits, which may run for days, ends before its visits overflow: they are int32."""
    search = search_of(5)
    run(search, 1000)
    search.tree[search.states[0].root + VISITS] = MAX_REWARDS // 2
    search.run(Limits(), NO_CLOCK, None, ignore_progress)
    assert sum(entry.visits for entry in search.move_statistics(search.states[0].root)) < MAX_REWARDS // 4


def test_large_depth_limit_does_not_overflow() -> None:
    """Regression: from 58 plies on, the number of playouts used to overflow, so that there was no limit.

    The number doubles with each ply of the depth limit.
    """
    search = search_of(5)
    search._prepare(Limits(depth=100))
    assert search.states[0].node_limit > 1 << 40


def test_reused_subtree_keeps_its_statistics() -> None:
    """A node that becomes the root keeps its statistics and those below it, also when the rest is dropped."""
    search = search_of(6)
    run(search, 5000)
    best = search.move_statistics(search.states[0].root)[0]
    reply = search.move_statistics(best.child)[0]
    node = search.find_node([best.move, reply.move])
    assert node == reply.child

    def statistics() -> list[tuple[int, int, int]]:
        """Return move, visits and rewards of all moves in the tree that have been tried."""
        entries = (entry for node in list_nodes(search) for entry in search.move_statistics(node))
        return sorted((entry.move, entry.visits, entry.rewards) for entry in entries if entry.visits)

    size = search.tree[0]
    search.make_root(node)
    expected = statistics()
    assert [(entry.move, entry.visits) for entry in search.move_statistics(search.states[0].root)] == [
        (entry.move, entry.visits) for entry in search.move_statistics(node)
    ]
    search._prune_tree()
    assert statistics() == expected
    assert search.tree[0] < size


@pytest.mark.parametrize(("node_result", "move_result"), [(LOST, PROVEN_WIN), (WON, PROVEN_LOSS)])
def test_proofs_are_backed_up_to_the_root(node_result: int, move_result: int) -> None:
    """If a node is lost for its side to move, the move that leads to it wins; if the node is won, the move loses."""
    search = search_of(5)
    library: Any = search._library
    run(search, 500)
    state, root = search.states[0], search.states[0].root
    state.depth, state.path[0], state.path_move_index[0] = 1, root, 3  # the path to the node: the root's move number 3
    search.states[0].root_result = UNKNOWN
    library.backup_proof(state, search.tree, node_result)
    count = search.tree[root + MOVE_COUNT]
    assert search.tree[root + HEADER_WORDS + ROW_CHILD * count + 3] == move_result
    assert state.root_result == (WON if node_result == LOST else UNKNOWN)
    for index in range(count):
        state.path_move_index[0] = index
        library.backup_proof(state, search.tree, WON)
    assert state.root_result in (LOST, WON)


def test_scores_are_scaled_probabilities() -> None:
    assert [probability_to_score(probability) for probability in (0, 0.5, 0.75, 1)] == [
        -CERTAIN_WIN_SCORE,
        0,
        CERTAIN_WIN_SCORE // 2,
        CERTAIN_WIN_SCORE,
    ]


@pytest.mark.parametrize("weight", [0.0, 0.25, 1.0])
def test_root_noise_has_its_weight_in_the_priors(weight: float) -> None:
    """The priors still add up to one, and no move loses more than the weight of the noise, which the seed changes."""
    noisy_priors = []
    for seed in (1, 2):
        search = search_of(5)
        root = search.states[0].root
        count = search.tree[root + MOVE_COUNT]
        rows = slice(root + HEADER_WORDS + ROW_PRIOR * count, root + HEADER_WORDS + (ROW_PRIOR + 1) * count)
        priors = search.tree[rows]
        search.add_root_noise(weight, 10.0, random.Random(seed))  # 10: sum of the Dirichlet parameters
        noisy = search.tree[rows]
        assert sum(noisy) == pytest.approx(sum(priors), abs=count)
        assert sum(priors) == pytest.approx(PRIOR_SCALE, rel=1e-3)
        assert all(new >= (1 - weight) * old - 1 for old, new in zip(priors, noisy, strict=True))
        assert (noisy == priors) == (weight == 0)
        noisy_priors.append(noisy)
    assert (noisy_priors[0] == noisy_priors[1]) == (weight == 0)  # of the two seeds


@pytest.mark.parametrize(
    ("budget", "min_ms", "max_ms"), [(TimeBudget(None, 100), 95, 105), (TimeBudget(50, 1000), 0, 60)]
)
def test_soft_limit_ends_a_search_before_the_hard_one(
    budget: TimeBudget, min_ms: int, max_ms: int, clock: ManualClock
) -> None:
    """The numbers of a budget are its soft and its hard limit, in ms. Without a soft limit all of the time is used."""
    search = search_of(5)
    clock.step_ms = 1
    search.run(Limits(), budget, None, ignore_progress)
    assert min_ms <= clock.now_ms <= max_ms


def test_search_reports_when_its_nodes_have_grown_by_half(monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of(5)
    run(search, 100)  # so that there are lines to report
    counts = iter([100, 149, 150, 224, 225, 226])
    reported: list[int] = []
    state = search.states[0]
    monkeypatch.setattr(search, "_run_slice", lambda _: setattr(state, "nodes", next(counts)))
    monkeypatch.setattr(search, "_is_over", lambda *_: state.nodes == 226)
    search.run(Limits(), NO_CLOCK, None, lambda progress: reported.append(progress.nodes))
    assert reported == [100, 150, 225, 226]
