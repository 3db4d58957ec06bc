"""The shapes of a line around an empty cell that the network tells apart, numbered.

A shape is a window of four cells on each side of an empty one, two bits a cell as in patterns.py. A shape and its
mirror image are one; those without a stone are number 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

REACH = 4
KEYS = 1 << (4 * REACH)
OFF_BOARD = 3


def _digits() -> Any:
    """Contents of the eight cells of every key, (KEYS, 8), leftmost first."""
    return np.arange(KEYS)[:, None] >> 2 * np.arange(2 * REACH) & 3


def _key_of(digits: Any) -> Any:
    return (digits << 2 * np.arange(2 * REACH)).sum(axis=1)


def _is_shape(digits: Any) -> Any:
    """True where the board ends once on either side, if at all, and there is a stone."""
    off = digits == OFF_BOARD
    left, right = off[:, :REACH], off[:, REACH:]
    ends_once = (left[:, :-1] >= left[:, 1:]).all(axis=1) & (right[:, :-1] <= right[:, 1:]).all(axis=1)
    return ends_once & ((digits == 1) | (digits == 2)).any(axis=1)


def _number_shapes() -> tuple[Any, Any]:
    digits = _digits()
    canonical = np.minimum(np.arange(KEYS), _key_of(digits[:, ::-1]))
    kept = np.unique(canonical[_is_shape(digits)])
    shape_of = np.zeros(KEYS, dtype=np.uint16)
    for_key = np.searchsorted(kept, canonical)
    found = _is_shape(digits)
    shape_of[found] = 1 + for_key[found]
    swapped = np.array([0, 2, 1, 3])[digits]
    opposite = np.zeros(len(kept) + 1, dtype=np.uint16)
    opposite[shape_of] = shape_of[_key_of(swapped)]
    return shape_of, opposite


# Number of the shape of each key, (KEYS,) u16, and of each shape with the colours changed, (SHAPES,) u16.
SHAPE_OF, OPPOSITE = _number_shapes()
SHAPES = len(OPPOSITE)
