"""Room for the nodes of a tree that threads share: who makes a child, where it stands, and when others see it.

A child word goes from NO_CHILD to CLAIMED when a thread begins to make the child, then to the index of its block. A
thread that proves the move may write PROVEN_WIN or PROVEN_LOSS at any time between; that is final, and stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.native.intrinsics import compare_swap
from core.native.kernel import KernelSet
from core.search.mcts_tree import CLAIMED, NO_CHILD


def make_node_pool(kernels: KernelSet) -> tuple[Any, Any, Any, Any]:
    """Return the kernels `allocate`, `claim_child`, `publish_child` and `release_child` over the words of a tree."""

    @kernels.kernel("i64(i32[], i64)")
    def allocate(tree, size):
        """Take words from the pool and return the index of the first, or -1 if there are not so many.

        The first free word never passes the end of the pool, also when several threads ask for the last words.
        """
        while True:
            free = np.int64(tree[0])
            if free + size > tree.size:
                return -1
            if compare_swap(tree, 0, np.int32(free), np.int32(free + size)) == free:
                return free

    @kernels.kernel("i64(i32[], i64)")
    def claim_child(tree, word):
        """Return 1 if this thread may make the child of a child word, else 0."""
        return 1 if compare_swap(tree, word, np.int32(NO_CHILD), np.int32(CLAIMED)) == NO_CHILD else 0

    @kernels.kernel("i64(i32[], i64, i64)")
    def publish_child(tree, word, node):
        """Let others see a finished block, and return its index; 0 if the move has been proven meanwhile.

        The exchange has release semantics: what was written to the block is visible to a thread that reads its index,
        also on ARM, where the reads that follow depend on that index and so come after it.
        """
        return node if compare_swap(tree, word, np.int32(CLAIMED), np.int32(node)) == CLAIMED else 0

    @kernels.kernel("void(i32[], i64)")
    def release_child(tree, word):
        """Give a claim up, as there is no room for the child; a proof that has come meanwhile stands."""
        compare_swap(tree, word, np.int32(CLAIMED), np.int32(NO_CHILD))

    return allocate, claim_child, publish_child, release_child
