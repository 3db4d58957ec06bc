"""Kernels of the node pool, and one that fills a pool."""

from __future__ import annotations

from core.native.kernel import KernelSet
from core.search.kernels.node_pool import make_node_pool

KERNELS = KernelSet("pool", ())
allocate = make_node_pool(KERNELS)[0]


@KERNELS.kernel("i64(i32[], i64)")
def fill(tree, size):
    """Allocate until there is no room; return the number of blocks."""
    blocks = 0
    while allocate(tree, size) >= 0:
        blocks += 1
    return blocks
