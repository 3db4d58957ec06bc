"""Kernel signatures as text: `i32(Gomoku, u64[], i32)` takes a state, an array of 64-bit words and a number.

numba's types are made from the text at build time (`core/native/kernel.py`), ctypes' argument types at load time
(`core/native/library.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.native.state_type import SCALARS

_SIGNATURE = re.compile(r"^(?P<result>\w+)\((?P<arguments>[^()]*)\)$")


@dataclass(frozen=True)
class Argument:
    """One argument: a scalar (`i32`), a one-dimensional C array (`u64[]`) or a state by its type's name (`Gomoku`)."""

    type: str  # key of SCALARS or name of a StateType; without the brackets of an array
    is_array: bool

    @property
    def is_record(self) -> bool:
        """True if the argument is a kernel state, passed by pointer."""
        return self.type not in SCALARS


@dataclass(frozen=True)
class Signature:
    """Result and arguments of a kernel. The result is a scalar type or `void`."""

    result: str
    arguments: tuple[Argument, ...]


def parse_signature(text: str) -> Signature:
    """Parse a signature; raise ValueError if it is malformed."""
    match = _SIGNATURE.match(text.strip())
    if not match or (match["result"] not in SCALARS and match["result"] != "void"):
        raise ValueError(f"a kernel signature such as 'i32(Gomoku, u64[], i32)' is expected, not {text!r}")
    types = [part.strip() for part in match["arguments"].split(",") if part.strip()]
    arguments = tuple(Argument(each.removesuffix("[]"), each.endswith("[]")) for each in types)
    for argument in arguments:
        if argument.is_array and argument.is_record:
            raise ValueError(f"{text!r}: arrays hold scalars, not {argument.type}")
    return Signature(match["result"], arguments)
