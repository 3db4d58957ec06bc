"""Load a game's native library with ctypes and call its kernels as methods of a `KernelLibrary`.

The stub `bots/<game>/kernels/boundary.pyi` lists the kernels. States are ctypes structures, even if the kernels run as
numba functions (`core/native/jit.py`). Calls release the GIL.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, overload

from core.native.signature import Signature, parse_signature
from core.native.state_type import CACHE_LINE, SCALARS, StateType
from core.system.ownership import check_trusted

MANIFEST_SUFFIX = ".json"
# LLVM's name of the CPUs with AVX-512 and VNNI (int16 dot products in one instruction). Kernels are compiled for this
# level only if they gain by it (`Game.has_avx512_kernels`).
AVX512_LEVEL = "cascadelake"
_AVX512_FLAGS = frozenset(b"avx512f avx512bw avx512cd avx512dq avx512vl avx512_vnni".split())  # as in /proc/cpuinfo
# In bytes. A state of this size or more is mapped, so that its pages are zeroed when used; at once takes milliseconds.
LARGE_RECORD = 1 << 20
_PF_AVX2_INSTRUCTIONS_AVAILABLE = 40  # Windows' number for IsProcessorFeaturePresent


T = TypeVar("T")


class ArrayField(Protocol[T]):
    """Type of an array field of a state in the generated stubs (core/native/boundary.py)."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[T]: ...
    @overload
    def __getitem__(self, index: int, /) -> T: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[T]: ...
    @overload
    def __setitem__(self, index: int, value: T, /) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Sequence[T], /) -> None: ...


class KernelLibrary:
    """The kernels of one game. `kernels` maps each exported name to a callable, `records` state types to structures."""

    def __init__(self, name: str, records: dict[str, type[ctypes.Structure]], kernels: dict[str, Callable[..., Any]]):
        self.name = name
        self.kernels = kernels
        self._records = records

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return self.kernels[name]
        except KeyError:
            raise AttributeError(f"library {self.name} has no kernel {name}") from None

    def new(self, record: str) -> Any:
        """Return a new state of the named type, zeroed except for fields that have an initial value.

        A large state uses memory page by page. Raise MemoryError.
        """
        structure: Any = self._records[record]
        if ctypes.sizeof(structure) < LARGE_RECORD:
            memory = (ctypes.c_char * (ctypes.sizeof(structure) + CACHE_LINE))()
            state = structure.from_buffer(memory, -ctypes.addressof(memory) % CACHE_LINE)
        else:
            try:
                state = structure.from_buffer(_map_memory(ctypes.sizeof(structure), False))
            except OSError:
                raise MemoryError(f"no memory for a record {record}") from None
        for name, value in structure.initial_values.items():
            setattr(state, name, value)
        return state


def choose_by_record(
    kernels: Mapping[str, Callable[..., Any]],
    signatures: Mapping[str, str],
    called: Mapping[str, str],
    records: Mapping[str, type[ctypes.Structure]],
) -> dict[str, Callable[..., Any]]:
    """Return the kernels by their name in Python.

    `kernels` and `signatures` are by symbol, `called` maps each symbol to the name in Python, and `records` are the
    state structures by name. Kernels that share a name differ in the type of one state argument; each call selects the
    kernel by the type of that argument.
    """
    groups: dict[str, list[str]] = {}
    for symbol in kernels:
        groups.setdefault(called[symbol], []).append(symbol)
    return {
        name: kernels[symbols[0]]
        if len(symbols) == 1
        else _choose({symbol: kernels[symbol] for symbol in symbols}, signatures, records)
        for name, symbols in groups.items()
    }


def _choose(
    kernels: Mapping[str, Callable[..., Any]],
    signatures: Mapping[str, str],
    records: Mapping[str, type[ctypes.Structure]],
) -> Callable[..., Any]:
    """Return a function that calls the kernel for the type of the first argument in which the signatures differ."""
    types_of = {symbol: [each.type for each in parse_signature(signatures[symbol]).arguments] for symbol in kernels}
    position = next(index for index, types in enumerate(zip(*types_of.values(), strict=True)) if len(set(types)) > 1)
    by_record = {records[types[position]]: kernels[symbol] for symbol, types in types_of.items()}

    def call(*arguments: Any) -> Any:
        return by_record[type(arguments[position])](*arguments)

    return call


def copy_state(source: Any, target: Any) -> None:
    """Copy a state over another of the same type."""
    ctypes.memmove(ctypes.addressof(target), ctypes.addressof(source), ctypes.sizeof(source))


@overload
def new_array(scalar: Literal["u8"], length: int, huge_pages: bool = False) -> ctypes.Array[ctypes.c_uint8]: ...
@overload
def new_array(scalar: Literal["u16"], length: int, huge_pages: bool = False) -> ctypes.Array[ctypes.c_uint16]: ...
@overload
def new_array(scalar: Literal["i32"], length: int, huge_pages: bool = False) -> ctypes.Array[ctypes.c_int32]: ...
@overload
def new_array(scalar: Literal["u64"], length: int, huge_pages: bool = False) -> ctypes.Array[ctypes.c_uint64]: ...
def new_array(scalar: str, length: int, huge_pages: bool = False) -> Any:
    """Allocate a zeroed array with mmap, for an array argument of a kernel; pages are committed at first use.

    `huge_pages` asks Linux for huge pages: random access is faster, but the first use of each page takes some tenths of
    a millisecond. The length may be 0. Raise MemoryError if the allocation fails, ValueError if the length is negative.
    """
    try:
        array_type = SCALARS[scalar] * length
        memory = _map_memory(max(1, ctypes.sizeof(array_type)), huge_pages)  # no system maps 0 bytes
    except (OSError, OverflowError):
        raise MemoryError(f"no memory for {length} words of type {scalar}") from None
    return array_type.from_buffer(memory)


def _map_memory(size: int, huge_pages: bool) -> mmap.mmap:
    if sys.platform != "linux":
        return mmap.mmap(-1, size)
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if huge_pages:
        with suppress(OSError):  # Linux was built without huge pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def kernel_module_name(game: str) -> str:
    """Return the name of the module that defines the game's `KERNELS`."""
    return f"bots.{game}.kernels.search"


def open_library(folder: Path, game: str, level: str, program: Path | None = None) -> KernelLibrary:
    """Open the library of a game for one CPU level in a folder, as `core.native.library_cache` or an executable has it.

    Raise UnsafeFileError if another user could have written it. `program` is the executable that contains the library;
    its owner is trusted then.
    """
    path = folder / (game + MANIFEST_SUFFIX)
    check_trusted(folder, path, program=program)
    manifest = json.loads(path.read_text(encoding="utf-8"))
    records = {name: StateType.from_json(name, fields).structure() for name, fields in manifest["records"].items()}
    code = folder / f"{game}-{level}{manifest['suffix']}"
    check_trusted(code, program=program)
    native = ctypes.CDLL(str(code))
    kernels = {
        name: _bind(getattr(native, name), parse_signature(signature), records)
        for name, signature in manifest["kernels"].items()
    }
    return KernelLibrary(game, records, choose_by_record(kernels, manifest["kernels"], manifest["called"], records))


def _bind(function: Any, signature: Signature, records: dict[str, type[ctypes.Structure]]) -> Callable[..., Any]:
    """Set the argument and result types of a C function; an array argument is passed as pointer and length."""
    argument_types: list[Any] = []
    arrays: list[int] = []
    for index, argument in enumerate(signature.arguments):
        if argument.is_array:
            arrays.append(index)
            argument_types += [ctypes.c_void_p, ctypes.c_int64]
        else:
            argument_types.append(
                ctypes.POINTER(records[argument.type]) if argument.is_record else SCALARS[argument.type]
            )
    function.argtypes = argument_types
    function.restype = None if signature.result == "void" else SCALARS[signature.result]
    if not arrays:
        return function  # type: ignore[no-any-return]

    def call(*arguments: Any) -> Any:
        flat: list[Any] = []
        for index, value in enumerate(arguments):
            flat.append(ctypes.addressof(value) if index in arrays else value)
            if index in arrays:
                flat.append(len(value))
        return function(*flat)

    return call


def best_cpu_level(with_avx512: bool = False) -> str:
    """Return the best CPU level of this machine for kernels that are compiled for AVX512_LEVEL or not.

    On x86-64: AVX512_LEVEL (detected on Linux only), x86-64-v3 with AVX2 (all such CPUs since 2015 have the rest of
    v3), else x86-64-v2. On other machines: generic.
    """
    if _machine().lower() not in {"x86_64", "amd64"}:
        return "generic"
    if sys.platform == "linux" and with_avx512 and _list_flags() >= _AVX512_FLAGS:
        return AVX512_LEVEL
    return "x86-64-v3" if _has_avx2() else "x86-64-v2"


def _machine() -> str:
    """Return the architecture of this process. The module `platform` is not used: executables for Windows lack it."""
    return os.environ.get("PROCESSOR_ARCHITECTURE", "") if sys.platform == "win32" else os.uname().machine


def _has_avx2() -> bool:
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(_PF_AVX2_INSTRUCTIONS_AVAILABLE))
    if sys.platform == "darwin":
        answer, size = ctypes.c_int(0), ctypes.c_size_t(4)
        ctypes.CDLL(None).sysctlbyname(b"hw.optional.avx2_0", ctypes.byref(answer), ctypes.byref(size), None, 0)
        return bool(answer.value)
    return b"avx2" in _list_flags()


def _list_flags() -> set[bytes]:
    """Return the flags of the first processor in /proc/cpuinfo."""
    with open("/proc/cpuinfo", "rb") as file:
        return set(next((line for line in file if line.startswith(b"flags")), b"").split())
