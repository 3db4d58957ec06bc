"""The kernels of a node pool, and a kernel that fills a pool, for tests/core/search/kernels/test_node_pool.py."""

from __future__ import annotations

from core.native.kernel import KernelSet
from core.search.kernels.node_pool import make_node_pool

KERNELS = KernelSet("pool", ())
allocate = make_node_pool(KERNELS)[0]


@KERNELS.kernel("i64(i32[], i64)")
def fill(tree, size):
    """Allocate nodes of `size` words until the tree is full; return the number of nodes."""
    count = 0
    while allocate(tree, size) >= 0:
        count += 1
    return count
