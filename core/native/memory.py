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
CGROUPS = Path("/sys/fs/cgroup")  # control groups of Linux, by which containers limit memory and CPU time
MEMBERSHIP = Path("/proc/self/cgroup")  # the control groups that this process belongs to

T = TypeVar("T")


def memory_limit() -> int:
    """Return the memory limit in bytes: the least of physical memory, container limit and address space limit."""
    return min(sys.maxsize, *_machine_bytes(), *_address_space_bytes(), *_container_bytes())


def try_allocate(words: int, make: Callable[[int], T], threads: int = 1) -> T | None:
    """Return `make(words)`, or None if that raises MemoryError or leaves too little memory for `threads` threads."""
    with suppress(MemoryError):
        made = make(words)
        new_array("u8", RESERVE_BYTES + THREAD_BYTES * (threads - 1))
        return made
    return None


def allocate_largest(words: int, least: int, make: Callable[[int], T], threads: int = 1) -> T | None:
    """As `try_allocate`, but halve `words` until the array fits; return None if even `least` words do not fit."""
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

    `make(words)` allocates an array and `use(array)` installs it, which frees the old one. If old and new array do not
    fit at the same time, or `fits_beside` is False, an array of `least` words is installed in between, so that there
    always is an array. If even that does not fit, `make` raises MemoryError and nothing changes.
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


def _container_bytes(groups: Path = CGROUPS, membership: Path = MEMBERSHIP) -> Iterator[int]:
    """Yield the memory limits of Linux control groups: of version 1 (memory.limit_in_bytes) and 2 (memory.max)."""
    files = [folder / "memory.max" for folder in list_own_groups(groups, membership)]
    for file in [groups / "memory" / "memory.limit_in_bytes", *files]:
        with suppress(OSError, ValueError):  # not there, or `max`
            yield int(file.read_text(encoding="utf-8"))


def list_own_groups(groups: Path, membership: Path) -> list[Path]:
    """Return the folders of this process's control group of version 2 and of the groups that contain it.

    `membership` is a file such as /proc/self/cgroup; its line for version 2 is `0::/user.slice/session`.
    """
    with suppress(OSError):
        for line in membership.read_text(encoding="utf-8").splitlines():
            if line.startswith("0::/"):
                group = groups / line.removeprefix("0::/")
                return [folder for folder in (group, *group.parents) if folder.is_relative_to(groups)]
    return []
