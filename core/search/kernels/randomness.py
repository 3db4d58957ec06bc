"""Random numbers: fixed keys for Zobrist hashing, and a random number generator for kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.native.kernel import KernelSet


def make_keys(seed: int, *shape: int) -> np.ndarray:
    """Return keys for Zobrist hashing (Zobrist 1970): uint64 of 63 bits, not 0, the same for a seed and shape."""
    return np.random.default_rng(seed).integers(1, 1 << 63, size=shape, dtype=np.uint64)


def make_xorshift(kernels: KernelSet) -> Any:
    """Return the kernel `xorshift(word) -> word`: the next number of a random sequence (Marsaglia 2003).

    Start with any number but 0; the sequence never reaches 0.
    """

    @kernels.kernel("u64(u64)")
    def xorshift(word):
        word ^= word << np.uint64(13)
        word ^= word >> np.uint64(7)
        return word ^ (word << np.uint64(17))

    return xorshift
