"""What this machine lets us have: processors and memory."""

from __future__ import annotations

import os
from pathlib import Path

CONTROL_GROUP = Path("/sys/fs/cgroup")  # of Linux, as a container sees its own


def list_processors() -> list[int]:
    """Numbers of the hardware threads that we may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def free_memory() -> int:
    """Bytes that may still be taken; in a container with a limit, no more than that."""
    import psutil

    free = int(psutil.virtual_memory().available)
    try:
        return min(free, int((CONTROL_GROUP / "memory.max").read_text()))
    except (OSError, ValueError):  # no such group, or `max`: without a limit
        return free
