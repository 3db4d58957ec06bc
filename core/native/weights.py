"""Network weights in a kernel state. A weights file is the bytes of some fields of the state, one after the other."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

_read_bytes = cache(Path.read_bytes)


def load_weights(state: Any, fields: Sequence[str], path: Path) -> None:
    """Fill these fields of a state from a weights file, which is read once; raise ValueError if its size is wrong."""
    try:
        write_weights(state, fields, _read_bytes(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_weights(state: Any, fields: Sequence[str], data: bytes) -> None:
    """Fill these fields of a state from the bytes of a weights file; raise ValueError if the size is wrong."""
    descriptors = [getattr(type(state), name) for name in fields]  # ctypes' offset and size of each field
    expected_size = sum(descriptor.size for descriptor in descriptors)
    if len(data) != expected_size:
        raise ValueError(f"a network has {expected_size} bytes, not {len(data)}")
    for descriptor in descriptors:
        ctypes.memmove(ctypes.addressof(state) + descriptor.offset, data[: descriptor.size], descriptor.size)
        data = data[descriptor.size :]


def weight_bytes(dtype: Any, weights: dict[str, Any]) -> bytes:
    """Return the bytes of a weights file (little-endian) from arrays by field name, in the order of the file.

    `dtype` is numpy's type of the state; the arrays are converted to the shapes and scalar types of its fields.
    """
    parts = []
    for name, values in weights.items():
        field_type = dtype[name]
        parts.append(values.reshape(field_type.shape).astype(field_type.base.newbyteorder("<")).tobytes())
    return b"".join(parts)


def read_weights(dtype: Any, fields: Sequence[str], data: bytes) -> dict[str, Any]:
    """Return the arrays of a weights file by field name: the inverse of `weight_bytes`. `fields` is in file order."""
    import numpy  # not at the top: executables do without numpy

    weights, begin = {}, 0
    for name in fields:
        field_type = dtype[name]
        end = begin + field_type.itemsize
        values = numpy.frombuffer(data[begin:end], field_type.base.newbyteorder("<"))
        weights[name] = values.reshape(field_type.shape).copy()
        begin = end
    return weights
