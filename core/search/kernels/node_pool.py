"""Lock-free allocation of the nodes of a search tree that several threads share. Used by core/search/kernels/mcts.py.

The layout of the tree is in core/search/mcts_tree.py. A child slot goes from NO_CHILD to EXPANDING when a thread claims
it, and to the index of the node when the node is complete. A thread that proves the move may write PROVEN_WIN or
PROVEN_LOSS in between; a proof is final and is never overwritten.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.native.intrinsics import compare_swap
from core.native.kernel import KernelSet
from core.search.mcts_tree import EXPANDING, NO_CHILD


def make_node_pool(kernels: KernelSet) -> tuple[Any, Any, Any, Any]:
    """Return the kernels `allocate`, `claim_child`, `publish_child` and `release_child`."""

    @kernels.kernel("i64(i32[], i64)")
    def allocate(tree, size):
        """Return the index of `size` free words and mark them as used, or -1 if the tree has too few left.

        tree[0] is the index of the first free word. A failed call changes nothing, so tree[0] never exceeds the size
        of the tree.
        """
        while True:
            free = np.int64(tree[0])
            if free + size > tree.size:
                return -1
            if compare_swap(tree, 0, np.int32(free), np.int32(free + size)) == free:
                return free

    @kernels.kernel("i64(i32[], i64)")
    def claim_child(tree, slot):
        """Return 1 if this thread may make the node of an empty child slot, else 0."""
        return 1 if compare_swap(tree, slot, np.int32(NO_CHILD), np.int32(EXPANDING)) == NO_CHILD else 0

    @kernels.kernel("i64(i32[], i64, i64)")
    def publish_child(tree, slot, node):
        """Make a complete node visible to other threads. Return its index, or 0 if the move has been proven meanwhile.

        The exchange has release semantics: a thread that reads the index also sees the contents of the node. On ARM
        this holds because its reads depend on that index.
        """
        return node if compare_swap(tree, slot, np.int32(EXPANDING), np.int32(node)) == EXPANDING else 0

    @kernels.kernel("void(i32[], i64)")
    def release_child(tree, slot):
        """Give up a claim when there is no memory for the node; a proof written meanwhile is kept."""
        compare_swap(tree, slot, np.int32(EXPANDING), np.int32(NO_CHILD))

    return allocate, claim_child, publish_child, release_child
