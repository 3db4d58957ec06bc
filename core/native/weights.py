"""Network weights in a kernel state. A weights file is the bytes of some fields of the state, one after the other."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any


def write_weights(state: Any, fields: Sequence[str], data: bytes) -> None:
    """Fill these fields of a state from the bytes of a weights file; raise ValueError if the size is wrong."""
    places = [getattr(type(state), name) for name in fields]
    wanted = sum(place.size for place in places)
    if len(data) != wanted:
        raise ValueError(f"a network has {wanted} bytes, not {len(data)}")
    for place in places:
        ctypes.memmove(ctypes.addressof(state) + place.offset, data[: place.size], place.size)
        data = data[place.size :]


def weight_bytes(dtype: Any, weights: dict[str, Any]) -> bytes:
    """Return the bytes of a weights file (little-endian) from arrays by field name, in the order of the file."""
    parts = []
    for name, values in weights.items():
        kind = dtype[name]
        parts.append(values.reshape(kind.shape).astype(kind.base.newbyteorder("<")).tobytes())
    return b"".join(parts)


def read_weights(dtype: Any, fields: Sequence[str], data: bytes) -> dict[str, Any]:
    """Return the arrays of a weights file by field name: the inverse of `weight_bytes`."""
    import numpy  # not at the top: executables do without numpy

    weights, begin = {}, 0
    for name in fields:
        kind = dtype[name]
        end = begin + kind.itemsize
        weights[name] = numpy.frombuffer(data[begin:end], kind.base.newbyteorder("<")).reshape(kind.shape).copy()
        begin = end
    return weights
