"""Run kernels as numba functions in this process, behind the same interface as a native library (`library.py`)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy

from core.native.kernel import Kernel, KernelSet
from core.native.library import KernelLibrary, choose_by_record, kernel_module_name
from core.native.signature import Argument, parse_signature
from core.native.state_type import numpy_name


def kernel_set(game: str) -> KernelSet:
    """Import and return the kernel set of a game without compiling it."""
    kernels: KernelSet = importlib.import_module(kernel_module_name(game)).KERNELS
    return kernels


def jit_library(game: str) -> KernelLibrary:
    """Compile the kernels of a game with numba and return them as a library."""
    return wrap_kernels(kernel_set(game))


def wrap_kernels(kernels: KernelSet) -> KernelLibrary:
    """Compile a kernel set with numba and return it as a library."""
    kernels.compile()
    dtypes = {record.name: record.dtype() for record in kernels.records}
    records = {record.name: record.structure() for record in kernels.records}
    exported = {kernel.name: kernel for kernel in kernels.kernels if kernel.exported}
    callables = choose_by_record(
        {name: _accept_ctypes(kernel, dtypes) for name, kernel in exported.items()},
        {name: kernel.signature for name, kernel in exported.items()},
        {name: kernel.called for name, kernel in exported.items()},
        records,
    )
    return KernelLibrary(kernels.name, records, callables)


def _accept_ctypes(kernel: Kernel, dtypes: dict[str, Any]) -> Callable[..., Any]:
    """Return a function that calls a kernel with ctypes states and arrays, as a native library is called."""
    arguments = parse_signature(kernel.signature).arguments

    def call(*values: Any) -> Any:
        return kernel.dispatcher(*(_to_numba(value, arg, dtypes) for value, arg in zip(values, arguments, strict=True)))

    return call


def _to_numba(value: Any, argument: Argument, dtypes: dict[str, Any]) -> Any:
    """Return an argument as numba takes it; states and arrays share the memory of the ctypes object."""
    if argument.is_record:
        return numpy.frombuffer(value, dtype=dtypes[argument.type])[0]
    if argument.is_array:
        return numpy.frombuffer(value, dtype=numpy_name(argument.type))
    return numpy.dtype(numpy_name(argument.type)).type(value)
