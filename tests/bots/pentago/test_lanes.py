"""Operations on lanes, four 64-bit words that the processor handles at once, against the same on single words."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from bots.pentago.kernels.lanes import (
    first_half,
    first_of,
    has_any,
    make_lanes,
    read_lanes,
    read_pair,
    second_half,
    swap_halves,
    swap_neighbours,
    third_of,
    write_lanes,
)

SEVEN = np.uint64(7)
FULL = (1 << 64) - 1

words = st.integers(0, FULL)


@njit
def mix_lanes(target: Any, words: Any, number: Any) -> None:
    """Use every operation on lanes, with the four words and the pair that start at the second word."""
    four: Any = read_lanes(words, 1)  # type: ignore[call-arg]  # numba passes the context itself
    pair: Any = read_pair(words, 1)
    other: Any = make_lanes(number, words[0], ~number, words[1])
    write_lanes(target, 0, four | other)
    write_lanes(target, 4, pair & ~other)
    write_lanes(target, 8, (swap_halves(four) >> SEVEN) & number)
    pair <<= SEVEN
    pair |= swap_neighbours(other)
    write_lanes(target, 12, pair)
    write_lanes(target, 16, four + other)
    write_lanes(target, 20, first_half(other))
    write_lanes(target, 24, second_half(other))


@njit
def read_words(words: Any) -> tuple[int, int, bool]:
    """Return the first and the third word, and whether any word is not 0."""
    four: Any = read_lanes(words, 0)  # type: ignore[call-arg]
    return first_of(four), third_of(four), has_any(four)


@given(st.lists(words, min_size=5, max_size=5), words)
def test_lanes_equal_single_words(five: list[int], number: int) -> None:
    first, *four = five
    pair, other = 2 * four[:2], [number, first, FULL ^ number, four[0]]
    expected = [a | b for a, b in zip(four, other, strict=True)]
    expected += [a & ~b for a, b in zip(pair, other, strict=True)]
    expected += [a >> 7 & number for a in four[2:] + four[:2]]
    expected += [(a << 7 | other[index ^ 1]) & FULL for index, a in enumerate(pair)]
    expected += [(a + b) & FULL for a, b in zip(four, other, strict=True)]
    expected += 2 * other[:2] + 2 * other[2:]
    target = np.full(29, 5, dtype=np.uint64)
    mix_lanes(target, np.array(five, dtype=np.uint64), np.uint64(number))
    assert target.tolist() == [*expected, 5]


@given(st.integers(0, 3), st.integers(0, 63))
def test_has_any_finds_every_bit(index: int, bit: int) -> None:
    """An open four that only the second or fourth word holds must not be missed."""
    words = np.zeros(4, dtype=np.uint64)
    assert read_words(words) == (0, 0, False)
    words[index] = np.uint64(1 << bit)
    first, third, is_any = read_words(words)
    assert (first & FULL, third & FULL, is_any) == (int(words[0]), int(words[2]), True)
