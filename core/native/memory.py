"""Memory limit of this process, and allocation of the largest array that fits."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from core.native.library import new_array

MIB = 1 << 20
RESERVE_BYTES = 24 * MIB  # kept free beside a large array, for later allocations
THREAD_BYTES = 16 * MIB  # kept free for each further thread, most of it for its stack
CGROUPS = Path("/sys/fs/cgroup")

T = TypeVar("T")


def memory_limit() -> int:
    """Return the memory limit in bytes: the least of physical memory, container limit and address space limit."""
    found = [sys.maxsize, *_machine_bytes(), *_address_space_bytes(), *_container_bytes()]
    return min(found)


def try_allocate(words: int, make: Callable[[int], T], threads: int = 1) -> T | None:
    """Return `make(words)`, or None if that raises MemoryError or leaves too little memory for `threads` threads."""
    with suppress(MemoryError):
        made = make(words)
        new_array("u8", RESERVE_BYTES + THREAD_BYTES * (threads - 1))
        return made
    return None


def allocate_largest(words: int, least: int, make: Callable[[int], T], threads: int = 1) -> T | None:
    """As `try_allocate`, but halve `words` until it fits; None if even `least` words do not fit."""
    while words >= least:
        made = try_allocate(words, make, threads)
        if made is not None:
            return made
        words //= 2
    return None


def replace_array(
    words: int,
    least: int,
    make: Callable[[int], T],
    use: Callable[[T], None],
    *,
    threads: int = 1,
    fits_beside: bool = True,
) -> None:
    """Replace an array, such as a transposition table, by a new one of `words` words or as many as fit.

    `use(array)` installs an array, which frees the one before. If old and new array do not fit at the same time, one of
    `least` words is installed in between, so that there always is an array. Raise MemoryError and change nothing if
    not even `least` words fit.
    """
    made = try_allocate(words, make, threads) if fits_beside else None
    if made is None:
        use(make(least))
        made = allocate_largest(words, least, make, threads)
    if made is not None:
        use(made)


def format_mib(size_bytes: int) -> str:
    """Format a number of bytes in MiB."""
    return f"{size_bytes // MIB} MiB" if size_bytes >= MIB else "less than 1 MiB"


def _machine_bytes() -> Iterator[int]:
    if sys.platform == "win32":
        status = (ctypes.c_uint64 * 8)(64)  # MEMORYSTATUSEX: its length, then the load, then the physical memory
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            yield status[1]
        return
    with suppress(ValueError, OSError):  # the system does not report it
        yield os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _address_space_bytes() -> Iterator[int]:
    if sys.platform == "win32":
        return
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        yield soft


def _container_bytes(groups: Path = CGROUPS, own: Path = Path("/proc/self/cgroup")) -> Iterator[int]:
    """Yield the limits of Linux control groups of either version."""
    files = [folder / "memory.max" for folder in list_own_groups(groups, own)]
    for file in [groups / "memory" / "memory.limit_in_bytes", *files]:
        with suppress(OSError, ValueError):  # not there, or `max`
            yield int(file.read_text(encoding="utf-8"))


def list_own_groups(groups: Path, own: Path) -> list[Path]:
    """Return the folders of this process's control group of version 2 and of the groups that contain it."""
    with suppress(OSError):
        for line in own.read_text(encoding="utf-8").splitlines():
            if line.startswith("0::/"):
                place = groups / line.removeprefix("0::/")
                return [folder for folder in (place, *place.parents) if folder.is_relative_to(groups)]
    return []
