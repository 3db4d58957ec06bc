"""Processors and memory that this process may use, with the limits of containers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from core.native.memory import CGROUPS, MEMBERSHIP, list_own_groups, memory_limit


def list_processors() -> list[int]:
    """Return the numbers of the hardware threads that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def count_processors() -> int:
    """Return how many threads can run at the same time: the processors, or less if a container limits CPU time."""
    return max(1, min([len(list_processors()), *(int(limit) for limit in _container_cpu_limits())]))


def _container_cpu_limits(groups: Path = CGROUPS, membership: Path = MEMBERSHIP) -> Iterator[float]:
    """Yield the CPU time that Linux control groups allow, in processors; nothing if there is no limit."""
    for folder in list_own_groups(groups, membership):
        with suppress(OSError, ValueError):  # not there, or `max`
            quota, period = (folder / "cpu.max").read_text(encoding="utf-8").split()
            yield int(quota) / int(period)
    with suppress(OSError, ValueError):  # version 1, where -1 is no limit
        quota, period = (
            (groups / "cpu" / f"cpu.cfs_{name}_us").read_text(encoding="utf-8") for name in ("quota", "period")
        )
        if int(quota) > 0:
            yield int(quota) / int(period)


def free_memory() -> int:
    """Return the bytes that this process can still allocate: the free physical memory, or the memory limit if less."""
    import psutil

    return min(int(psutil.virtual_memory().available), memory_limit())
