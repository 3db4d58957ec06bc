"""Random words: the same in every release, or hashes, seeded players and what was measured with them would change."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from core.native.kernel import KernelSet
from core.search.kernels.randomness import make_keys, make_xorshift

FIRST_KEYS = [5006178160500655671, 2333387857245780459]  # of seed 20240817


def list_words(word: int) -> list[int]:
    """The first words after one, as Marsaglia's paper has them."""
    found = []
    for _ in range(4):
        word ^= word << 13 & 0xFFFFFFFFFFFFFFFF
        word ^= word >> 7
        word ^= word << 17 & 0xFFFFFFFFFFFFFFFF
        found.append(word)
    return found


@pytest.mark.parametrize("word", [1, 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF])
def test_xorshift_goes_through_its_stream(word: int) -> None:
    xorshift = make_xorshift(KernelSet("sample", ()))
    found, state = [], np.uint64(word)
    for _ in range(4):
        state = np.uint64(xorshift(state))
        found.append(int(state))
    assert found == list_words(word)


def test_keys_follow_their_seed() -> None:
    keys = make_keys(20240817, 2, 1024)
    assert keys.shape == (2, 1024)
    assert keys.dtype == np.uint64
    assert list(islice(map(int, keys.flat), 2)) == FIRST_KEYS
    assert len(set(map(int, keys.flat)) - {0}) == keys.size
    assert not np.array_equal(make_keys(20240818, 2, 1024), keys)
