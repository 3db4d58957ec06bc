"""Numbers the shapes of a line around an empty cell, by which the network tells cells apart.

A shape is the content of four cells on each side of an empty cell, two bits each as in kernels/patterns.py (0 empty, 1
black, 2 white, 3 off the board). A shape and its mirror image have the same number. Windows without a stone have number
0, and so have windows that cannot occur, with board cells beyond the edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

REACH = 4
KEYS = 1 << (4 * REACH)
OFF_BOARD = 3


def _digits() -> Any:
    """Return the eight contents of every window key, shape (KEYS, 8), leftmost cell first."""
    return np.arange(KEYS)[:, None] >> 2 * np.arange(2 * REACH) & 3


def _key_of(digits: Any) -> Any:
    """Return the window keys of rows of eight contents."""
    return (digits << 2 * np.arange(2 * REACH)).sum(axis=1)


def _is_shape(digits: Any) -> Any:
    """Return whether each window can occur, with cells off the board only at its ends, and has a stone."""
    off = digits == OFF_BOARD
    left, right = off[:, :REACH], off[:, REACH:]
    ends_once = (left[:, :-1] >= left[:, 1:]).all(axis=1) & (right[:, :-1] <= right[:, 1:]).all(axis=1)
    return ends_once & ((digits == 1) | (digits == 2)).any(axis=1)


def _number_shapes() -> tuple[Any, Any]:
    """Return SHAPE_OF and OPPOSITE."""
    digits = _digits()
    canonical = np.minimum(np.arange(KEYS), _key_of(digits[:, ::-1]))
    kept = np.unique(canonical[_is_shape(digits)])
    shape_of = np.zeros(KEYS, dtype=np.uint16)
    for_key = np.searchsorted(kept, canonical)
    found = _is_shape(digits)
    shape_of[found] = 1 + for_key[found]
    recoloured = np.array([0, 2, 1, 3])[digits]
    opposite = np.zeros(len(kept) + 1, dtype=np.uint16)
    opposite[shape_of] = shape_of[_key_of(recoloured)]
    return shape_of, opposite


# SHAPE_OF: shape number by window key, (KEYS,) u16. OPPOSITE: number of a shape with colours exchanged, (SHAPES,) u16.
SHAPE_OF, OPPOSITE = _number_shapes()
SHAPES = len(OPPOSITE)
