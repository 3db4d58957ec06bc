"""`@kernel`: the one way to write compiled code. Only kernel files import this module, because it imports numba.

To import a kernel file compiles nothing: `KernelSet.compile` does.

A kernel is plain Python over one state record and one or two arrays, with an explicit signature. Its source runs in two
ways: as `njit` in this process (tests, tuning) and as a native library built ahead of time (`core/native/aot.py`).
Rules for a kernel: no allocation, no exceptions, no lists, no print, no libm; define before use; self-recursion only;
never mix signed and unsigned integers (numba makes that a float).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy
from numba import from_dtype, njit, types

from core.native.signature import Argument, parse_signature
from core.native.state_type import StateType, numpy_name


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel as the builder sees it."""

    name: str  # of its symbol
    signature: str
    types: Any  # numba's signature
    dispatcher: Any
    exported: bool
    called: str  # name under which Python calls it; several kernels have one if a record has others like it


@dataclass
class KernelSet:
    """All kernels of one library (one game), over its records, in the order of their definition."""

    name: str
    records: tuple[StateType, ...]
    kernels: list[Kernel] = field(default_factory=list)

    def kernel(self, signature: str) -> Callable[[Callable[..., Any]], Any]:
        """Take a function that only other kernels call."""
        return lambda function: self._add(function, signature, exported=False)

    def export(self, signature: str) -> Callable[[Callable[..., Any]], Any]:
        """Take a function that Python calls through the library under its own name."""
        return lambda function: self._add(function, signature, exported=True)

    def compile(self) -> None:
        """Compile what has not been yet, in the order of definition, so that each kernel finds those it calls."""
        for kernel in self.kernels:
            if kernel.types.args not in kernel.dispatcher.overloads:
                kernel.dispatcher.disable_compile(False)
                kernel.dispatcher.compile(kernel.types)
                kernel.dispatcher.disable_compile()

    def _add(self, function: Callable[..., Any], signature: str, *, exported: bool) -> Any:
        dispatcher = njit(error_model="numpy", nogil=True, boundscheck=False)(function)
        called = function.__name__
        for suffix, text in self._variants(signature):
            parsed = parse_signature(text)
            arguments = [self._numba_type(argument) for argument in parsed.arguments]
            result = types.void if parsed.result == "void" else _scalar(parsed.result)
            self.kernels.append(Kernel(called + suffix, text, result(*arguments), dispatcher, exported, called))
        return dispatcher

    def _variants(self, signature: str) -> Iterator[tuple[str, str]]:
        """Suffixes of symbols with signatures: the one that is written, and one for each record like one of its own."""
        yield "", signature
        taken = {argument.type for argument in parse_signature(signature).arguments}
        for record in self.records:
            if record.like in taken:
                yield f"_{record.name}", re.sub(rf"\b{record.like}\b", record.name, signature)

    def _numba_type(self, argument: Argument) -> Any:
        if argument.is_record:
            matching = [record for record in self.records if record.name == argument.type]
            if not matching:
                raise ValueError(f"kernel set {self.name} has no record {argument.type}")
            return from_dtype(matching[0].dtype())
        scalar = _scalar(argument.type)
        return scalar[::1] if argument.is_array else scalar


def _scalar(name: str) -> Any:
    return from_dtype(numpy.dtype(numpy_name(name)))
