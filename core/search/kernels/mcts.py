"""Monte-Carlo tree search with RAVE, priors and proofs, generic over the game.

`make_mcts` takes a game's kernels (`MctsKernels`) and compiles a search of its own for that game.
core/search/mcts_search.py drives it from Python. `s` is the game's state; the layout of the tree, which threads
share, is in core/search/mcts_tree.py. The four phases of a playout:

    select_and_expand   follow the moves with the greatest value from the root; at the end add a node
    playout             play a random game from there, or ask a network (a kernel of the game)
    backpropagate       add the reward to the moves of the path, and to the RAVE counts of their siblings
    backup_proof        if the game's solver decides a node: pass the result on to its ancestors (MCTS-Solver)

Value of a move with n visits and mean reward Q, at a node with N visits (rewards scaled to 0..1):

    value = (1 - beta) Q + beta AMAF + c_puct P sqrt(N) / (n + 1)
    beta  = r / (r + n + r n / rave_equivalence)

r and AMAF are the number and mean reward of the playouts in which the same side made the move at any later time. The
game's knowledge enters as initial RAVE counts and as prior probabilities P.

Sources: RAVE, Gelly and Silver (2007); beta, Silver's thesis (2009), section 8.5, where 4 b^2 stands for
1 / rave_equivalence; the prior term, Rosin, "Multi-armed bandits with episode context" (2011), in AlphaGo's form;
virtual loss, Chaslot, Winands and van den Herik (2008); a tree without locks, Enzenberger and Müller (2010).

Visits are added during selection and rewards in backpropagation, so a playout under way counts as a loss and other
threads choose other moves (virtual loss). Threads occasionally lose each other's updates; that is accepted.

Overflow: rewards are integers from 0 to `win_reward`, summed in 32 bits. No sum of a node exceeds `win_reward` times
its visits and prior visits, and no node has more visits than the root, where the search ends when `win_reward` times
the visits reach MAX_REWARDS. Below 2^31 this leaves room for MAX_PRIOR_REWARDS, for one playout of each thread, and for
visits of the root that threads lose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from core.native.intrinsics import compare_swap, square_root
from core.native.kernel import KernelSet
from core.native.state_type import StateField
from core.search import mcts_tree
from core.search.kernels.node_pool import make_node_pool
from core.search.kernels.polling import POLLING_FIELDS
from core.search.mcts_tree import (
    CONTINUE,
    COPY_STEP_WORDS,
    EXPANDING,
    FINISHED,
    HEADER_WORDS,
    LOST,
    MAX_PRIOR_REWARDS,
    MAX_REWARDS,
    MAX_TREE_DEPTH,
    MOVE_COUNT,
    NEEDS_SOLVER,
    NO_CHILD,
    PRIOR_SCALE,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROW_CHILD,
    ROW_MOVE,
    ROW_PRIOR,
    ROW_RAVE_REWARDS,
    ROW_RAVE_VISITS,
    ROW_REWARDS,
    ROW_VISITS,
    ROWS,
    SOLVER_CALLED,
    STOPPED,
    TREE_FULL,
    TREE_START,
    UNKNOWN,
    VISITS,
    WON,
)

row_start = njit(inline="always")(mcts_tree.row_start)


@dataclass(frozen=True)
class MctsKernels:
    """Kernels that a game supplies to the Monte-Carlo tree search.

    All take the state first. The state has a working position, on which moves of the tree and of the playout are made;
    `state.side` is its side to move, 0 or 1.

    begin(state): set the working position to the root's.
    play(state, move): make a move on it.
    list_moves(state) -> count: fill `moves`, and for each move `rave_prior_visits`, `rave_prior_rewards` and `prior`.
        Prior visits are clamped to 1 .. MAX_PRIOR_REWARDS / `win_reward`, prior rewards to 0 .. `win_reward` for each.
    playout(state) -> reward of side 0, from 0 to `win_reward`. Also sets `played_by[move]` to 1 + side for each move
        that was made on the working position, in the tree or in the playout.
    count_node(state): the kernel of core/search/kernels/polling.py, called once for each playout.
    """

    begin: Any
    play: Any
    list_moves: Any
    playout: Any
    count_node: Any


def mcts_fields(max_moves: int, max_move: int) -> tuple[StateField, ...]:
    """Return the state fields that the search needs.

    `max_moves` bounds the moves of one position; a move is an integer below `max_move`.
    """
    return (
        *POLLING_FIELDS,
        StateField("side", "i64", (), "side to move of the working position: 0 or 1"),
        StateField("root", "i64", (), "index of the root node in the tree, or 0"),
        StateField("win_reward", "i64", (), "reward of a win; a draw has half of it"),
        StateField("root_result", "i64", (), "WON or LOST if proven for the root's side to move, else UNKNOWN"),
        StateField("rave_equivalence", "f64", (), "a larger value keeps the weight of RAVE for more visits"),
        StateField("c_puct", "f64", (), "weight of the prior probabilities"),
        StateField("expansion_threshold", "i64", (), "visits at which a move gets a node"),
        StateField("solver_threshold", "i64", (), "visits at which the solver is called for a node; 0: never"),
        # Filled by `list_moves` for a new node
        StateField("moves", "i32", (max_moves,), "moves of a new node"),
        StateField("rave_prior_visits", "i32", (max_moves,), "initial RAVE visits, by index into `moves`"),
        StateField("rave_prior_rewards", "i32", (max_moves,), "initial RAVE rewards, by index into `moves`"),
        StateField("prior", "f32", (max_moves,), "prior probabilities, by index into `moves`; their sum is 1"),
        # Working memory of one playout
        StateField("values", "f32", (max_moves,), "during selection: values of a node's moves"),
        StateField("played_by", "u8", (max_move,), "by move: 1 + side that made it; any other value: not played"),
        StateField("path", "i32", (MAX_TREE_DEPTH + 1,), "nodes from the root to the leaf, by depth"),
        StateField("path_move_index", "i32", (MAX_TREE_DEPTH + 1,), "index of the move chosen in each node of `path`"),
        StateField("path_side", "i32", (MAX_TREE_DEPTH + 1,), "side to move in each node of `path`"),
        StateField("depth", "i64", (), "moves from the root to the leaf"),
        StateField("max_depth_reached", "i64", (), "greatest depth since the search began"),
        StateField("random", "u64", (), "state of the random numbers of playouts; each thread has its own"),
    )


def make_mcts(kernels: KernelSet, state_name: str, game: MctsKernels) -> Any:
    """Define the Monte-Carlo tree search of a game and return its kernel `backup_proof`, for the game's solver.

    Exports `init_tree`, `search_tree`, `backup_proof` and `copy_subtree`.
    """
    begin, play, list_moves, playout = game.begin, game.play, game.list_moves, game.playout
    count_node = game.count_node
    allocate, claim_child, publish_child, release_child = make_node_pool(kernels)

    @kernels.kernel(f"i64({state_name}, i32[], i64)")
    def select_move(s, tree, node):
        """Return the index of the node's move with the greatest value, or -1 if all are proven losses."""
        count = np.int64(tree[node + MOVE_COUNT])
        visits = tree[row_start(tree, node, ROW_VISITS) :]
        rewards = tree[row_start(tree, node, ROW_REWARDS) :]
        rave_visits = tree[row_start(tree, node, ROW_RAVE_VISITS) :]
        rave_rewards = tree[row_start(tree, node, ROW_RAVE_REWARDS) :]
        children = tree[row_start(tree, node, ROW_CHILD) :]
        priors = tree[row_start(tree, node, ROW_PRIOR) :]
        rave_decay = np.float32(1.0 / s.rave_equivalence)
        parent_visits = max(tree[node + VISITS], 1)  # so that the priors alone choose the first move
        prior_weight = np.float32(s.c_puct / PRIOR_SCALE * square_root(np.float64(parent_visits)))
        one, reward_scale = np.float32(1.0), np.float32(1.0 / s.win_reward)
        for index in range(count):
            # Lost updates of threads can leave -1 visits; n + 1 must not be 0.
            n, rave_n = max(np.float32(visits[index]), np.float32(0.0)), np.float32(rave_visits[index])
            beta = rave_n / (rave_n + n + rave_n * n * rave_decay)
            mean = reward_scale * np.float32(rewards[index]) / max(n, one)
            amaf = reward_scale * np.float32(rave_rewards[index]) / rave_n
            value = mean + beta * (amaf - mean) + prior_weight * np.float32(priors[index]) / (n + one)
            s.values[index] = np.float32(-1.0) if children[index] == PROVEN_LOSS else value
        best, best_value = -1, np.float32(-0.5)  # above the value of a proven loss
        for index in range(count):
            if s.values[index] > best_value:
                best, best_value = index, s.values[index]
        return best

    @kernels.kernel(f"i64({state_name}, i32[], i64)")
    def expand(s, tree, slot):
        """Make a node of the working position and write its index into a child slot; return the index.

        Return -1 if the tree is full, and 0 if there is no move, another thread makes the node, or the move has been
        proven meanwhile.
        """
        count = list_moves(s)
        if count == 0:
            return 0
        size = HEADER_WORDS + ROWS * count
        if claim_child(tree, slot) == 0:
            return 0
        node = allocate(tree, size)
        if node < 0:
            release_child(tree, slot)
            return -1
        tree[node + MOVE_COUNT], tree[node + VISITS], tree[node + SOLVER_CALLED] = count, 0, 0
        moves, children = row_start(tree, node, ROW_MOVE), row_start(tree, node, ROW_CHILD)
        visits, rewards = row_start(tree, node, ROW_VISITS), row_start(tree, node, ROW_REWARDS)
        rave_visits, rave_rewards = row_start(tree, node, ROW_RAVE_VISITS), row_start(tree, node, ROW_RAVE_REWARDS)
        priors = row_start(tree, node, ROW_PRIOR)
        for index in range(count):
            tree[moves + index] = s.moves[index]
            tree[visits + index], tree[rewards + index] = 0, 0
            # RAVE visits are a divisor: 0 would make the move's value NaN.
            prior_visits = min(max(s.rave_prior_visits[index], 1), MAX_PRIOR_REWARDS // s.win_reward)
            tree[rave_visits + index] = prior_visits
            tree[rave_rewards + index] = min(max(s.rave_prior_rewards[index], 0), prior_visits * s.win_reward)
            tree[children + index] = NO_CHILD
            tree[priors + index] = np.int32(s.prior[index] * PRIOR_SCALE)
        return publish_child(tree, slot, node)

    @kernels.kernel(f"i64({state_name}, i32[])")
    def select_and_expand(s, tree):
        """Follow the tree from the root and expand its end. Return CONTINUE, or why the search must return."""
        node = s.root
        s.depth = 0
        while True:
            if s.solver_threshold > 0 and tree[node + VISITS] >= s.solver_threshold and tree[node + SOLVER_CALLED] == 0:
                if compare_swap(tree, node + SOLVER_CALLED, np.int32(0), np.int32(1)) == 0:
                    s.path[s.depth] = node
                    return NEEDS_SOLVER
            index = select_move(s, tree, node)
            s.path[s.depth], s.path_move_index[s.depth], s.path_side[s.depth] = node, index, s.side
            if index < 0:  # all moves are proven losses; another thread is just backing that up
                return CONTINUE
            visits = row_start(tree, node, ROW_VISITS) + index
            child_slot = row_start(tree, node, ROW_CHILD) + index
            tree[node + VISITS] += 1
            tree[visits] += 1
            play(s, np.int64(tree[row_start(tree, node, ROW_MOVE) + index]))
            s.depth += 1
            child = np.int64(tree[child_slot])
            if child == NO_CHILD and tree[visits] >= s.expansion_threshold and s.depth < MAX_TREE_DEPTH:
                new_node = expand(s, tree, child_slot)
                if new_node < 0:
                    return TREE_FULL
                s.path[s.depth], s.path_move_index[s.depth], s.path_side[s.depth] = new_node, -1, s.side
                return CONTINUE
            if child <= 0:
                s.path[s.depth] = 0
                return CONTINUE
            node = child

    @kernels.kernel(f"void({state_name}, i32[])")
    def undo_virtual_loss(s, tree):
        """Take back the visits of a path for which no playout is made."""
        for depth in range(s.depth):
            node = np.int64(s.path[depth])
            tree[node + VISITS] -= 1
            tree[row_start(tree, node, ROW_VISITS) + s.path_move_index[depth]] -= 1

    @kernels.kernel(f"void({state_name}, i32[], i64)")
    def backpropagate(s, tree, reward):
        """Add the reward (of side 0) to the moves of the path, and to the RAVE counts of all moves made later."""
        for depth in range(s.depth + 1):
            node = np.int64(s.path[depth])
            if node == 0:
                return
            count = np.int64(tree[node + MOVE_COUNT])
            side = np.int64(s.path_side[depth])
            mover_reward = reward if side == 0 else s.win_reward - reward
            if depth < s.depth:
                tree[row_start(tree, node, ROW_REWARDS) + s.path_move_index[depth]] += mover_reward
            moves = tree[row_start(tree, node, ROW_MOVE) :]
            rave_visits = tree[row_start(tree, node, ROW_RAVE_VISITS) :]
            rave_rewards = tree[row_start(tree, node, ROW_RAVE_REWARDS) :]
            for index in range(count):
                was_played = np.int64(s.played_by[np.uint32(moves[index])] == side + 1)
                rave_visits[index] += was_played
                rave_rewards[index] += was_played * mover_reward

    @kernels.export(f"i64({state_name}, i32[])")
    def search_tree(s, tree):
        """Run playouts and return why the search ended (the constants of core/search/mcts_tree.py).

        The root must have a node. After NEEDS_SOLVER the node in question is `path[depth]`, and the working position is
        its position.
        """
        while True:
            if s.root_result != UNKNOWN or np.int64(tree[s.root + VISITS]) * s.win_reward >= MAX_REWARDS:
                return FINISHED
            begin(s)
            reason = select_and_expand(s, tree)
            if reason != CONTINUE:
                undo_virtual_loss(s, tree)
                return reason
            backpropagate(s, tree, playout(s))
            s.max_depth_reached = max(s.max_depth_reached, s.depth)
            count_node(s)
            if s.aborted != 0:
                return STOPPED

    @kernels.export(f"i64({state_name}, i32[])")
    def init_tree(s, tree):
        """Empty the tree and make the root node. Return its index, or 0 if the root has no move."""
        tree[0], tree[1] = TREE_START, NO_CHILD
        begin(s)
        s.root = expand(s, tree, 1)
        return s.root

    @kernels.export(f"void({state_name}, i32[], i64)")
    def backup_proof(s, tree, result):
        """Pass a proven result, WON or LOST for the side to move at the end of the path, on to its ancestors.

        A lost child is a winning move. A node is lost if all its moves are proven losses. A proof that reaches the root
        sets `root_result`.
        """
        depth = s.depth
        while depth > 0:
            depth -= 1
            node, index = np.int64(s.path[depth]), np.int64(s.path_move_index[depth])
            count = np.int64(tree[node + MOVE_COUNT])
            children = row_start(tree, node, ROW_CHILD)
            if result == LOST:
                tree[children + index] = PROVEN_WIN
                result = WON
                continue
            tree[children + index] = PROVEN_LOSS
            for sibling in range(count):
                if tree[children + sibling] != PROVEN_LOSS:
                    return
            result = LOST
        s.root_result = result

    @kernels.kernel("i64(i32[], i64, i32[], i64)")
    def copy_node(tree, node, target, max_words):
        """Append a node to another tree. Return its index there, or -1 if the target would exceed `max_words`."""
        size = HEADER_WORDS + ROWS * np.int64(tree[node + MOVE_COUNT])
        new_node = np.int64(target[0])
        if new_node + size > max_words:
            return -1
        for word in range(size):
            target[new_node + word] = tree[node + word]
        target[0] = new_node + size
        return new_node

    @kernels.export("i64(i32[], i32[], i64, i64, i64, i64)")
    def copy_subtree(tree, target, root, cursor, min_visits, max_words):
        """Copy the subtree of node `root` into `target`, without nodes of fewer than `min_visits` visits.

        The copy is breadth-first and in steps: pass `cursor` 0 first, then the value returned, which is a node of
        `target`. Returns 0 when the copy is complete, and -1 if it needs more than `max_words`. The new root is at
        TREE_START. A step handles about COPY_STEP_WORDS, so that the caller can watch the time.
        """
        if cursor == 0:
            target[0] = TREE_START
            cursor = copy_node(tree, root, target, max_words)
        scan_limit, copy_limit = cursor + COPY_STEP_WORDS, np.int64(target[0]) + COPY_STEP_WORDS
        while 0 < cursor < target[0]:
            if cursor >= scan_limit or target[0] >= copy_limit:
                return cursor
            count = np.int64(target[cursor + MOVE_COUNT])
            # The copied child slots still hold indices of the source tree.
            children = row_start(target, cursor, ROW_CHILD)
            for slot in range(children, children + count):
                child = np.int64(target[slot])
                if child == EXPANDING:
                    target[slot] = NO_CHILD
                if child > 0:
                    has_visits = tree[child + VISITS] >= min_visits
                    new_node = copy_node(tree, child, target, max_words) if has_visits else NO_CHILD
                    if new_node < 0:
                        return -1
                    target[slot] = new_node
            cursor += HEADER_WORDS + ROWS * count
        return min(cursor, 0)

    return backup_proof
