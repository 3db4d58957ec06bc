"""`KernelSet`: collects the compiled functions (kernels) of a game. Only kernel files import it, as it imports numba.

    GAME = KernelSet("toy", (TOY,))  # TOY: a StateType

    @GAME.export("i32(Toy, i32)")  # signature of native code: takes a Toy and an i32, returns an i32
    def play(state, move): ...

A kernel is Python code with an explicit signature; most take one state and one or two arrays. The same source runs as
`njit` in this process (tests, tuning) and as a native library compiled ahead of time (`core/native/aot.py`). Importing
a kernel file compiles nothing; `KernelSet.compile` does.

Rules for a kernel: no allocation, exceptions, lists, print or C mathematics library (libm); call only kernels defined
before, or itself; never mix signed and unsigned integers, which numba turns into a float.
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
    """A kernel for one signature."""

    name: str  # symbol in the native library
    signature: str  # as text, see core/native/signature.py
    types: Any  # numba's signature
    dispatcher: Any
    exported: bool
    called: str  # name in Python; the variants of a kernel for state types that are `like` another share it


@dataclass
class KernelSet:
    """All kernels of one library (one game) in order of definition, and the types of their states."""

    name: str
    records: tuple[StateType, ...]  # the states that kernels of this set take
    kernels: list[Kernel] = field(default_factory=list)

    def kernel(self, signature: str) -> Callable[[Callable[..., Any]], Any]:
        """Decorate a function that only other kernels call."""
        return lambda function: self._add(function, signature, exported=False)

    def export(self, signature: str) -> Callable[[Callable[..., Any]], Any]:
        """Decorate a function that Python calls through the library, under the function's name."""
        return lambda function: self._add(function, signature, exported=True)

    def compile(self) -> None:
        """Compile the kernels that are not compiled yet, callees first (the order of definition)."""
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
        """Yield (symbol suffix, signature): the given one, and one per state type that is `like` an argument's type."""
        yield "", signature
        argument_types = {argument.type for argument in parse_signature(signature).arguments}
        for record in self.records:
            if record.like in argument_types:
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
