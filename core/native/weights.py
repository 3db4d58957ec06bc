"""Network weights in a kernel state.

A weights file is a checksum, then the bytes of some fields of the state, one after the other. The checksum is the
CRC-32 of the fields' names and the bytes, little-endian. A damaged file, or one with other fields, is refused.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

CHECKSUM_SIZE = 4  # bytes

_read_bytes = cache(Path.read_bytes)


def load_weights(state: Any, fields: Sequence[str], path: Path) -> None:
    """Fill these fields of a state from a weights file, which is read once.

    Raise OSError if it cannot be read, ValueError if `write_weights` refuses it; both name the file.
    """
    try:
        write_weights(state, fields, _read_bytes(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def load_or_warn(load: Callable[[], None], warn: Callable[[str], None]) -> bool:
    """Load weights and return True; if that raises OSError or ValueError, pass a warning to `warn` and return False."""
    try:
        load()
    except (OSError, ValueError) as error:
        warn(f"cannot load the network, so the engine plays weaker: {error}")
        return False
    return True


def write_weights(state: Any, fields: Sequence[str], data: bytes) -> None:
    """Fill these fields of a state from the bytes of a weights file.

    Raise ValueError if its size or checksum is wrong; the state is then the same as before.
    """
    descriptors = [getattr(type(state), name) for name in fields]  # ctypes' offset and size of each field
    data = _without_checksum(fields, data, sum(descriptor.size for descriptor in descriptors))
    for descriptor in descriptors:
        ctypes.memmove(ctypes.addressof(state) + descriptor.offset, data[: descriptor.size], descriptor.size)
        data = data[descriptor.size :]


def _without_checksum(fields: Sequence[str], data: bytes, size: int) -> bytes:
    """Return the bytes of a weights file after its checksum; raise ValueError if that or their number is wrong."""
    if len(data) != CHECKSUM_SIZE + size:
        raise ValueError(f"the file has {len(data)} bytes instead of {CHECKSUM_SIZE + size}")
    checksum, data = data[:CHECKSUM_SIZE], data[CHECKSUM_SIZE:]
    if checksum != _checksum(fields, data):
        raise ValueError("the checksum is wrong: the file is damaged or of another network")
    return data


def _checksum(fields: Iterable[str], data: bytes) -> bytes:
    return zlib.crc32(data, zlib.crc32(" ".join(fields).encode())).to_bytes(CHECKSUM_SIZE, "little")


def weight_bytes(dtype: Any, weights: dict[str, Any]) -> bytes:
    """Return the bytes of a weights file (little-endian) from arrays by field name, in the order of the file.

    `dtype` is numpy's type of the state; the arrays are converted to the shapes and scalar types of its fields.
    """
    parts = []
    for name, values in weights.items():
        field_type = dtype[name]
        parts.append(values.reshape(field_type.shape).astype(field_type.base.newbyteorder("<")).tobytes())
    data = b"".join(parts)
    return _checksum(weights, data) + data


def read_weights(dtype: Any, fields: Sequence[str], data: bytes) -> dict[str, Any]:
    """Return the arrays of a weights file by field name: the inverse of `weight_bytes`. `fields` is in file order.

    Raise ValueError if its size or checksum is wrong.
    """
    import numpy  # not at the top: executables do without numpy

    data = _without_checksum(fields, data, sum(dtype[name].itemsize for name in fields))
    weights, begin = {}, 0
    for name in fields:
        field_type = dtype[name]
        end = begin + field_type.itemsize
        values = numpy.frombuffer(data[begin:end], field_type.base.newbyteorder("<"))
        weights[name] = values.reshape(field_type.shape).copy()
        begin = end
    return weights
