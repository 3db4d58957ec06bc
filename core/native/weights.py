"""Weights of a network in a record: a file is the bytes of some of its fields, one after the other."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any


def write_weights(state: Any, fields: Sequence[str], data: bytes) -> None:
    """Fill these fields of a record from the bytes of a file; raise ValueError where there are more or fewer."""
    places = [getattr(type(state), name) for name in fields]
    wanted = sum(place.size for place in places)
    if len(data) != wanted:
        raise ValueError(f"a network has {wanted} bytes, not {len(data)}")
    for place in places:
        ctypes.memmove(ctypes.addressof(state) + place.offset, data[: place.size], place.size)
        data = data[place.size :]


def weight_bytes(dtype: Any, weights: dict[str, Any]) -> bytes:
    """The bytes of such a file: arrays by field, in the order of the file, little-endian as the record holds them."""
    parts = []
    for name, values in weights.items():
        kind = dtype[name]
        parts.append(values.reshape(kind.shape).astype(kind.base.newbyteorder("<")).tobytes())
    return b"".join(parts)


def read_weights(dtype: Any, fields: Sequence[str], data: bytes) -> dict[str, Any]:
    """The inverse: arrays by field, shaped as in the record (numpy is imported here: executables carry none)."""
    import numpy

    weights, begin = {}, 0
    for name in fields:
        kind = dtype[name]
        end = begin + kind.itemsize
        weights[name] = numpy.frombuffer(data[begin:end], kind.base.newbyteorder("<")).reshape(kind.shape).copy()
        begin = end
    return weights
