"""What this machine lets us have: processors and memory."""

from __future__ import annotations

import os

from core.native.memory import memory_limit


def list_processors() -> list[int]:
    """Numbers of the hardware threads that we may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def free_memory() -> int:
    """Bytes that may still be taken: no more than this process may have at all."""
    import psutil

    return min(int(psutil.virtual_memory().available), memory_limit())
