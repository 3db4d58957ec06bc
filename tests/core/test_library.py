"""Arrays for kernels: a table that does not begin empty would answer with scores of nobody's search."""

from __future__ import annotations

import pytest

from core.library import new_array


@pytest.mark.parametrize("is_busy", [False, True])
def test_a_new_array_is_empty_and_takes_words(is_busy: bool) -> None:
    words = new_array("u64", 1 << 19, is_busy)  # two huge pages
    assert len(words) == 1 << 19
    assert not any(words[:: 1 << 9])
    words[0], words[-1] = 1, 2**64 - 1
    assert (words[0], words[1], words[-1]) == (1, 0, 2**64 - 1)
