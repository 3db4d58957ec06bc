"""Random numbers must be the same in every release: hashes, seeded players and measurements depend on them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from core.native.kernel import KernelSet
from core.search.kernels.randomness import make_keys, make_xorshift

FIRST_KEYS = [5006178160500655671, 2333387857245780459]  # of seed 20240817


def reference_xorshift(word: int) -> list[int]:
    """Return the four numbers after `word`, computed as in Marsaglia, "Xorshift RNGs" (2003)."""
    numbers = []
    for _ in range(4):
        word ^= word << 13 & 0xFFFFFFFFFFFFFFFF
        word ^= word >> 7
        word ^= word << 17 & 0xFFFFFFFFFFFFFFFF
        numbers.append(word)
    return numbers


@pytest.mark.parametrize("word", [1, 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF])
def test_xorshift_equals_the_reference(word: int) -> None:
    xorshift = make_xorshift(KernelSet("sample", ()))
    numbers, state = [], np.uint64(word)
    for _ in range(4):
        state = np.uint64(xorshift(state))
        numbers.append(int(state))
    assert numbers == reference_xorshift(word)


def test_keys_depend_only_on_the_seed() -> None:
    keys = make_keys(20240817, 2, 1024)
    assert keys.shape == (2, 1024)
    assert keys.dtype == np.uint64
    assert list(islice(map(int, keys.flat), 2)) == FIRST_KEYS
    assert len(set(map(int, keys.flat)) - {0}) == keys.size
    assert not np.array_equal(make_keys(20240818, 2, 1024), keys)
