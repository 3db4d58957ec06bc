"""Random words for kernels: fixed ones that a hash is made of, and the stream of a player that plays by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.native.kernel import KernelSet


def make_keys(seed: int, *shape: int) -> np.ndarray:
    """The words of a Zobrist hash (Zobrist 1970), always the same for a seed, none of them 0."""
    return np.random.default_rng(seed).integers(1, 1 << 63, size=shape, dtype=np.uint64)


def make_xorshift(kernels: KernelSet) -> Any:
    """The kernel `xorshift(word) -> word`, the next of a stream whose words are never 0 (Marsaglia 2003)."""

    @kernels.kernel("u64(u64)")
    def xorshift(word):
        word ^= word << np.uint64(13)
        word ^= word >> np.uint64(7)
        return word ^ (word << np.uint64(17))

    return xorshift
