"""Monte-Carlo tree search with rapid action values, the skeleton that games specialise by handing in their kernels.

The tree is one array of 32-bit words. Word 0 is the first free one; from TREE_START on lie blocks, one for each node:
HEADER words (number of moves, visits, 1 where it has been studied), then rows as long as there are moves: the moves,
their visits, their rewards, the same two of the rapid values, their children, and their shares. A child is the index of
a block, or NO_CHILD, PROVEN_WIN or PROVEN_LOSS for the side that makes the move, or CLAIMED while a thread expands it.
Rewards count in parts of a win, as many as `win` says. A visit counts when the move is tried, its reward when the
playout has ended, so that
several threads on one tree avoid each other (virtual loss, Chaslot, Winands and van den Herik 2008); words are shared
without locks, where now and then an update is lost (Enzenberger and Müller 2010).

Sums of rewards have 32 bits. No sum of a node exceeds `win` times its visits and prior visits, and no node has more
visits than the root, at which the search ends when `win` times the visits reach MAX_REWARDS. Below 2^31 that leaves
room for MAX_PRIOR_REWARDS, for a playout of each thread, and for visits of the root that threads lose.

Value of a move: its mean reward, mixed with the mean of the playouts in which its side made it at any later time (Gelly
and Silver 2007); the weight of the latter falls with the visits as in Silver's thesis (2009, section 8.5). What a game
knows beforehand comes as rapid visits and rewards, and as shares of a node's visits that its moves are likely to
deserve, which draw the search to a move until it has them (Rosin, "Multi-armed bandits with episode context", 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.native.intrinsics import compare_swap, square_root
from core.native.kernel import KernelSet
from core.native.state_type import StateField
from core.search.kernels.node_pool import make_node_pool
from core.search.kernels.polling import POLLING_FIELDS
from core.search.mcts_tree import (
    CLAIMED,
    FULL,
    HEADER_WORDS,
    LOST,
    MAX_PRIOR_REWARDS,
    MAX_REWARDS,
    MAX_TREE_DEPTH,
    MOVE_COUNT,
    NEEDS_SOLVER,
    NO_CHILD,
    PART_WORDS,
    PRIOR_SCALE,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_PRIOR,
    ROW_RAPID_REWARDS,
    ROW_RAPID_VISITS,
    ROW_REWARDS,
    ROW_VISITS,
    ROWS,
    SOLVER_CALLED,
    SPENT,
    STOPPED,
    TREE_START,
    UNKNOWN,
    VISITS,
    WON,
)


@dataclass(frozen=True)
class MctsKernels:
    """What a game hands in. All take the state; `turn` of the state is the side to move, 0 or 1.

    begin(state): put the root's position on the playout board.
    play(state, move): make a move on it.
    list_moves(state) -> count: fills `moves`, and `rave_prior_visits`, `rave_prior_rewards` and `prior` of each;
        prior visits are taken to be at least 1 and at most MAX_PRIOR_REWARDS / `win`,
        prior rewards from 0 to `win` per prior visit.
    playout(state) -> reward of side 0, 0 to `win`; leaves in `taken[move]` 1 + the side that made each move.
    count_node(state): from core/search/kernels/polling.py; counts playouts.
    """

    begin: Any
    play: Any
    list_moves: Any
    playout: Any
    count_node: Any


def mcts_fields(max_moves: int, max_move: int) -> tuple[StateField, ...]:
    """The fields that the skeleton needs in a game's record; a move is a number below `max_move`."""
    return (
        *POLLING_FIELDS,
        StateField("side", "i64", (), "side to move on the playout board: 0 or 1"),
        StateField("root", "i64", (), "index of the root's block, or 0"),
        StateField("win_reward", "i64", (), "reward of a win; half of it is a draw's"),
        StateField(
            "root_result", "i64", (), "WON or LOST where that is proven for the root's side to move, else UNKNOWN"
        ),
        StateField("rave_equivalence", "f64", (), "how soon the rapid values fade: larger is later"),
        StateField("c_puct", "f64", (), "weight of the shares"),
        StateField("expansion_threshold", "i64", (), "visits from which a move gets a node"),
        StateField("solver_threshold", "i64", (), "visits from which a node is to be studied; 0 for never"),
        StateField("moves", "i32", (max_moves,), "moves of a new node"),
        StateField("rave_prior_visits", "i32", (max_moves,), "rapid visits that each begins with"),
        StateField("rave_prior_rewards", "i32", (max_moves,), "rapid rewards that each begins with"),
        StateField("prior", "f32", (max_moves,), "part of the visits that each is likely to deserve; together 1"),
        StateField("values", "f32", (max_moves,), "values of a node's moves while one is selected"),
        StateField(
            "played_by", "u8", (max_move,), "1 + the side that has made a move in the playout, else another number"
        ),
        StateField("path", "i32", (MAX_TREE_DEPTH + 1,), "blocks from the root to the leaf"),
        StateField("path_move_index", "i32", (MAX_TREE_DEPTH + 1,), "place of the move chosen in each, -1 for none"),
        StateField("path_side", "i32", (MAX_TREE_DEPTH + 1,), "side to move in each"),
        StateField("depth", "i64", (), "moves made from the root to the leaf"),
        StateField("max_depth_reached", "i64", (), "most moves made in the tree since the search began"),
    )


def make_mcts(kernels: KernelSet, record: str, game: MctsKernels) -> Any:
    """Add `init_tree`, `search_tree`, `backup_proof` and `copy_subtree` for a game to its kernel set.

    Returns the kernel `backup_proof`, for what a game does when a node is to be studied."""
    begin, play, list_moves, playout = game.begin, game.play, game.list_moves, game.playout
    count_node = game.count_node
    allocate, claim_child, publish_child, release_child = make_node_pool(kernels)

    @kernels.kernel(f"i64({record}, i32[], i64)")
    def select_move(s, tree, node):
        """Place of the move with the greatest value, or -1 where all are lost."""
        count = np.int64(tree[node + MOVE_COUNT])
        first = node + HEADER_WORDS
        visits = tree[first + ROW_VISITS * count :]
        rewards = tree[first + ROW_REWARDS * count :]
        rapid_visits = tree[first + ROW_RAPID_VISITS * count :]
        rapid_rewards = tree[first + ROW_RAPID_REWARDS * count :]
        children = tree[first + ROW_CHILD * count :]
        shares = tree[first + ROW_PRIOR * count :]
        fade = np.float32(1.0 / s.rave_equivalence)
        tried = max(tree[node + VISITS], 1)  # the shares alone choose the first move; a search may end with it
        c_puct = np.float32(s.c_puct / PRIOR_SCALE * square_root(np.float64(tried)))
        one, part = np.float32(1.0), np.float32(1.0 / s.win_reward)
        for index in range(count):
            # Threads that lose each other's updates may leave a visit less than none.
            n, rapid = max(np.float32(visits[index]), np.float32(0.0)), np.float32(rapid_visits[index])
            weight = rapid / (rapid + n + rapid * n * fade)
            mean = part * np.float32(rewards[index]) / max(n, one)
            rapid_mean = part * np.float32(rapid_rewards[index]) / rapid
            value = mean + weight * (rapid_mean - mean) + c_puct * np.float32(shares[index]) / (n + one)
            s.values[index] = np.float32(-1.0) if children[index] == PROVEN_LOSS else value
        best, most = -1, np.float32(-0.5)
        for index in range(count):
            if s.values[index] > most:
                best, most = index, s.values[index]
        return best

    @kernels.kernel(f"i64({record}, i32[], i64)")
    def add_block(s, tree, word):
        """Make a block of the playout board's position and write its index into a child word; return the index.

        -1 if there is no room; 0 if there is no move, another thread makes the block, or the move has been proven.
        """
        count = list_moves(s)
        if count == 0:
            return 0
        size = HEADER_WORDS + ROWS * count
        if claim_child(tree, word) == 0:
            return 0
        node = allocate(tree, size)
        if node < 0:
            release_child(tree, word)
            return -1
        tree[node + MOVE_COUNT], tree[node + VISITS], tree[node + SOLVER_CALLED] = count, 0, 0
        first = node + HEADER_WORDS
        for index in range(count):
            tree[first + index] = s.moves[index]
            tree[first + ROW_VISITS * count + index], tree[first + ROW_REWARDS * count + index] = 0, 0
            # Rapid visits are a divisor, and one of 0 would make the move's value no number.
            visits = min(max(s.rave_prior_visits[index], 1), MAX_PRIOR_REWARDS // s.win_reward)
            tree[first + ROW_RAPID_VISITS * count + index] = visits
            tree[first + ROW_RAPID_REWARDS * count + index] = min(
                max(s.rave_prior_rewards[index], 0), visits * s.win_reward
            )
            tree[first + ROW_CHILD * count + index] = NO_CHILD
            tree[first + ROW_PRIOR * count + index] = np.int32(s.prior[index] * PRIOR_SCALE)
        return publish_child(tree, word, node)

    @kernels.kernel(f"void({record}, i32[])")
    def take_visits_back(s, tree):
        """Undo the visits of a path whose playout is not made."""
        for depth in range(s.depth):
            node = np.int64(s.path[depth])
            tree[node + VISITS] -= 1
            tree[node + HEADER_WORDS + ROW_VISITS * np.int64(tree[node + MOVE_COUNT]) + s.path_move_index[depth]] -= 1

    @kernels.kernel(f"i64({record}, i32[])")
    def descend(s, tree):
        """Follow the tree from the root and add a node at its end; a reason to return to the caller, or UNKNOWN."""
        node = s.root
        s.depth = 0
        while True:
            if s.solver_threshold > 0 and tree[node + VISITS] >= s.solver_threshold and tree[node + SOLVER_CALLED] == 0:
                if compare_swap(tree, node + SOLVER_CALLED, np.int32(0), np.int32(1)) == 0:
                    s.path[s.depth] = node
                    return NEEDS_SOLVER
            index = select_move(s, tree, node)
            s.path[s.depth], s.path_move_index[s.depth], s.path_side[s.depth] = node, index, s.side
            if index < 0:  # all moves are lost: another thread is about to say so above
                return UNKNOWN
            count = np.int64(tree[node + MOVE_COUNT])
            word = node + HEADER_WORDS + index
            tree[node + VISITS] += 1
            tree[word + ROW_VISITS * count] += 1
            play(s, np.int64(tree[word]))
            s.depth += 1
            child = np.int64(tree[word + ROW_CHILD * count])
            if (
                child == NO_CHILD
                and tree[word + ROW_VISITS * count] >= s.expansion_threshold
                and s.depth < MAX_TREE_DEPTH
            ):
                made = add_block(s, tree, word + ROW_CHILD * count)
                if made < 0:
                    return FULL
                s.path[s.depth], s.path_move_index[s.depth], s.path_side[s.depth] = made, -1, s.side
                return UNKNOWN
            if child <= 0:
                s.path[s.depth] = 0
                return UNKNOWN
            node = child

    @kernels.kernel(f"void({record}, i32[], i64)")
    def back_up(s, tree, reward):
        """Give the path its reward, and every move that its side made later in the playout its rapid one."""
        for depth in range(s.depth + 1):
            node = np.int64(s.path[depth])
            if node == 0:
                return
            count = np.int64(tree[node + MOVE_COUNT])
            side = np.int64(s.path_side[depth])
            gain = reward if side == 0 else s.win_reward - reward
            first = node + HEADER_WORDS
            if depth < s.depth:
                tree[first + ROW_REWARDS * count + s.path_move_index[depth]] += gain
            moves = tree[first:]
            rapid_visits = tree[first + ROW_RAPID_VISITS * count :]
            rapid_rewards = tree[first + ROW_RAPID_REWARDS * count :]
            for index in range(count):
                made = np.int64(s.played_by[np.uint32(moves[index])] == side + 1)
                rapid_visits[index] += made
                rapid_rewards[index] += made * gain

    @kernels.export(f"i64({record}, i32[])")
    def search_tree(s, tree):
        """Grow the tree until there is a reason to return: core/search/mcts_tree.py names them. The root needs a block.

        STUDY leaves the node in question at `path[depth]` and its position on the playout board.
        """
        while True:
            if s.root_result != UNKNOWN or np.int64(tree[s.root + VISITS]) * s.win_reward >= MAX_REWARDS:
                return SPENT
            begin(s)
            reason = descend(s, tree)
            if reason != UNKNOWN:
                take_visits_back(s, tree)
                return reason
            back_up(s, tree, playout(s))
            s.max_depth_reached = max(s.max_depth_reached, s.depth)
            count_node(s)
            if s.aborted != 0:
                return STOPPED

    @kernels.export(f"i64({record}, i32[])")
    def init_tree(s, tree):
        """Empty the tree and give the root a block; its index, or 0 where there is no move."""
        tree[0], tree[1] = TREE_START, NO_CHILD
        begin(s)
        s.root = add_block(s, tree, 1)
        return s.root

    @kernels.export(f"void({record}, i32[], i64)")
    def backup_proof(s, tree, result):
        """The side to move at the end of the path has WON or LOST: tell its ancestors."""
        depth = s.depth
        while depth > 0:
            depth -= 1
            node, index = np.int64(s.path[depth]), np.int64(s.path_move_index[depth])
            count = np.int64(tree[node + MOVE_COUNT])
            children = node + HEADER_WORDS + ROW_CHILD * count
            if result == LOST:
                tree[children + index] = PROVEN_WIN
                result = WON
                continue
            tree[children + index] = PROVEN_LOSS
            for other in range(count):
                if tree[children + other] != PROVEN_LOSS:
                    return
            result = LOST
        s.root_result = result

    @kernels.kernel("i64(i32[], i64, i32[], i64)")
    def copy_block(tree, node, other, most):
        """Append a block to another tree; its index there, or -1 where that would have more than `most` words."""
        size = HEADER_WORDS + ROWS * np.int64(tree[node + MOVE_COUNT])
        made = np.int64(other[0])
        if made + size > most:
            return -1
        for word in range(size):
            other[made + word] = tree[node + word]
        other[0] = made + size
        return made

    @kernels.export("i64(i32[], i32[], i64, i64, i64, i64)")
    def copy_subtree(tree, other, root, node, least, most):
        """Copy what hangs at a block into another tree, but nodes with less than `least` visits, a part at each call.

        The copy's root is its first block. Called with `node` 0 at first, then with the last answer until that is 0, or
        -1 where the copy would have more than `most` words, which are no more than the other tree has.
        """
        if node == 0:
            other[0] = TREE_START
            node = copy_block(tree, root, other, most)
        scanned, copied = node + PART_WORDS, np.int64(other[0]) + PART_WORDS
        while 0 < node < other[0]:
            if node >= scanned or other[0] >= copied:
                return node
            count = np.int64(other[node + MOVE_COUNT])
            for word in range(node + HEADER_WORDS + ROW_CHILD * count, node + HEADER_WORDS + (ROW_CHILD + 1) * count):
                child = np.int64(other[word])
                if child == CLAIMED:
                    other[word] = NO_CHILD
                if child > 0:
                    made = copy_block(tree, child, other, most) if tree[child + VISITS] >= least else NO_CHILD
                    if made < 0:
                        return -1
                    other[word] = made
            node += HEADER_WORDS + ROWS * count
        return min(node, 0)

    return backup_proof
