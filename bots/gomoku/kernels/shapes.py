"""Numbers the shapes of a line around an empty cell, which are the features of the evaluation network.

A window is the content of REACH cells on each side of an empty cell. Its key has two bits per cell (0 empty, 1 black, 2
white, 3 off the board), from the leftmost cell in the lowest bits. A window and its mirror image have the same shape.
Windows without a stone have shape 0, and so have windows that cannot occur, with board cells beyond the edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

REACH = 4
KEYS = 1 << (4 * REACH)  # number of window keys
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
    has_shape = _is_shape(digits)
    shape_keys = np.unique(canonical[has_shape])
    shape_of = np.zeros(KEYS, dtype=np.uint16)
    shape_of[has_shape] = 1 + np.searchsorted(shape_keys, canonical)[has_shape]
    recoloured = np.array([0, 2, 1, 3])[digits]  # black and white exchanged
    opposite = np.zeros(len(shape_keys) + 1, dtype=np.uint16)
    opposite[shape_of] = shape_of[_key_of(recoloured)]
    return shape_of, opposite


# SHAPE_OF: shape by window key, (KEYS,) u16. OPPOSITE: by shape, the shape with the colours exchanged, (SHAPES,) u16.
SHAPE_OF, OPPOSITE = _number_shapes()
SHAPES = len(OPPOSITE)  # number of shapes
