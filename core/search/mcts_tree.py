"""The memory layout of a Monte-Carlo search tree, shared by the kernels and by Python code that reads trees.

A tree is one array of 32-bit integers. `node` is the index at which a node's storage begins:

    tree[0]                     index of the first free word
    tree[1]                     child slot of the root
    tree[TREE_START ...]        nodes, one after the other

    node + MOVE_COUNT           number of moves, n
    node + VISITS               visits of the node
    node + SOLVER_CALLED        1 after the game's solver was called for the node
    node + HEADER_WORDS         seven rows of n words each, one word per move:
        ROW_MOVE                the move
        ROW_VISITS              visits of the move
        ROW_REWARDS             sum of its rewards, for the side that makes it
        ROW_RAVE_VISITS         the same two for RAVE (AMAF): playouts in which that side
        ROW_RAVE_REWARDS            made the move at any later time, plus the prior counts
        ROW_CHILD               child slot: index of the child node or one of the values below
        ROW_PRIOR               prior probability of the move times PRIOR_SCALE

A child slot that is not the index of a node holds a value <= 0: NO_CHILD, EXPANDING (a thread is making the node), or
PROVEN_WIN or PROVEN_LOSS for the side that makes the move.
"""

from __future__ import annotations

from typing import Any

TREE_START = 8  # index of the first node
MOVE_COUNT, VISITS, SOLVER_CALLED, HEADER_WORDS = 0, 1, 2, 4
ROWS = 7
ROW_MOVE, ROW_VISITS, ROW_REWARDS, ROW_RAVE_VISITS, ROW_RAVE_REWARDS, ROW_CHILD, ROW_PRIOR = range(ROWS)
PRIOR_SCALE = 1 << 20  # fixed-point scale of priors
NO_CHILD, PROVEN_WIN, PROVEN_LOSS, EXPANDING = 0, -1, -2, -3
UNKNOWN, WON, LOST = 0, 1, 2  # results for the side to move
# Why `search_tree` returns. NEEDS_SOLVER: a node has enough visits for the game's solver. FINISHED: the root is proven,
# or its rewards reach MAX_REWARDS. STOPPED: time, node limit or stop request.
CONTINUE, NEEDS_SOLVER, TREE_FULL, FINISHED, STOPPED = 0, 1, 2, 3, 4
MAX_TREE_DEPTH = 400  # moves from the root; more than the cells of any board here
MAX_REWARDS = 1 << 30  # sum of a node's rewards; sums have 32 bits
MAX_PRIOR_REWARDS = 1 << 29  # of a move, on top of that
MAX_TREE_WORDS = (1 << 31) - 1  # an index into the tree has 32 bits
COPY_STEP_WORDS = 1 << 16  # read or copied by one call of `copy_subtree`, so that it returns within about a millisecond


def row_start(tree: Any, node: int, row: int) -> int:
    """Return the index in `tree` of the first word of a node's row. Kernels inline this function."""
    return node + HEADER_WORDS + row * tree[node + MOVE_COUNT]  # type: ignore[no-any-return]


def read_row(tree: Any, node: int, row: int) -> list[int]:
    """Return a node's row, one value per move. Only for Python, because kernels cannot create lists."""
    start = row_start(tree, node, row)
    return tree[start : start + tree[node + MOVE_COUNT]]  # type: ignore[no-any-return]
