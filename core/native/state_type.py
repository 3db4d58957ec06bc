"""Layout of the states that kernels work on, declared once and identical in numba, ctypes and the native library.

    TOY = StateType("Toy", (StateField("side", "i64", (), "to move"), StateField("cells", "u8", (9,), "stones")))

    side (8 bytes) | cells[0] ... cells[8] | padding to 24 bytes

A state is one flat block of memory with fixed-size arrays inside, so a kernel takes one pointer. The layout is that of
a C struct, but longer arrays begin at a cache line; numpy's aligned dtype and a ctypes Structure agree on it, which
tests/core/native/test_state_type.py checks. In error messages and in the manifest of a library, a state is called a
record.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SCALARS: dict[str, type[Any]] = {
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}
_NUMPY_NAMES = {"i": "int", "u": "uint", "f": "float"}
# In bytes. Arrays of this size or more begin at a multiple of it: a vector that crosses two lines costs two accesses.
CACHE_LINE = 64


@dataclass(frozen=True)
class StateField:
    """One field of a state."""

    name: str
    type: str  # scalar type, a key of SCALARS
    shape: tuple[int, ...]  # array lengths, outermost first; empty for a scalar
    meaning: str  # description, copied into the generated stubs (core/native/boundary.py)
    initial: float = 0  # value of a scalar in a new state; `KernelLibrary.new` sets it


@dataclass(frozen=True)
class StateType:
    """A named, ordered list of fields.

    `like` names another state type of the kernel set that has the same fields with arrays of other lengths. Kernels
    that are declared for that one are compiled for this one as well.
    """

    name: str
    fields: tuple[StateField, ...]
    like: str = ""

    def __post_init__(self) -> None:
        names = [field.name for field in self.fields]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"record {self.name} declares {', '.join(sorted(twice))} twice")
        arrays = [field.name for field in self.fields if field.initial and field.shape]
        if arrays:
            raise ValueError(f"record {self.name}: only scalars have an initial value, not {', '.join(arrays)}")

    def structure(self) -> type[ctypes.Structure]:
        """Return the ctypes Structure class. Its `initial_values` are those of new states, by field, unless 0."""
        members = []
        for name, scalar, shape in self._members():
            member_type = SCALARS[scalar]
            for length in reversed(shape):
                member_type = member_type * length
            members.append((name, member_type))
        initial_values = {field.name: field.initial for field in self.fields if field.initial}
        return type(self.name, (ctypes.Structure,), {"_fields_": members, "initial_values": initial_values})

    def dtype(self) -> Any:
        """Return the aligned numpy dtype."""
        import numpy  # not at the top: executables do without numpy

        return numpy.dtype([(name, numpy_name(scalar), shape) for name, scalar, shape in self._members()], align=True)

    def _members(self) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Yield the name, scalar type and shape of each field, and of the padding before it, if there is any."""
        offset = 0
        for field in self.fields:
            scalar_size = ctypes.sizeof(SCALARS[field.type])
            size = scalar_size * math.prod(field.shape)
            padding = -offset % (CACHE_LINE if size >= CACHE_LINE else scalar_size)
            if padding:
                yield f"padding_before_{field.name}", "u8", (padding,)
            yield field.name, field.type, field.shape
            offset += padding + size

    def to_json(self) -> list[list[object]]:
        """Return the layout as the library's manifest stores it."""
        return [[f.name, f.type, list(f.shape), f.initial] for f in self.fields]

    @staticmethod
    def from_json(name: str, fields: list[Any]) -> StateType:
        """Return the type that `to_json` described, without the descriptions of the fields."""
        return StateType(name, tuple(StateField(n, t, tuple(shape), "", initial) for n, t, shape, initial in fields))


def numpy_name(scalar: str) -> str:
    """Return numpy's name of a scalar type: `uint16` for `u16`."""
    return _NUMPY_NAMES[scalar[0]] + scalar[1:]
