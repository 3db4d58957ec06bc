"""Lists the child processes of a process.

psutil reads all processes of the machine for this, which takes milliseconds; Linux also keeps lists of children.
"""

from __future__ import annotations

import os

import psutil


def list_children(parent: psutil.Process) -> list[psutil.Process]:
    """Return the children, zombies included; raise psutil.Error if the parent has ended."""
    try:
        return _read_children(parent.pid)
    except (OSError, psutil.Error):
        return list(parent.children())


def list_descendants(ancestor: psutil.Process) -> list[psutil.Process]:
    """Return the children, their children and so on, zombies included; raise psutil.Error if the ancestor has ended."""
    try:
        children = _read_children(ancestor.pid)
        return children + [descendant for child in children for descendant in list_descendants(child)]
    except (OSError, psutil.Error):
        return list(ancestor.children(recursive=True))


def _read_children(pid: int) -> list[psutil.Process]:
    """Return the children of all threads of a process as Linux lists them (CONFIG_PROC_CHILDREN).

    Raise OSError if the system has no such lists. Raise OSError or psutil.Error if a thread or a child has ended
    meanwhile, because the kernel may then leave out others (proc_pid_children(5)).
    """
    pids: list[bytes] = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
            pids += file.read().split()
    return [psutil.Process(int(child)) for child in pids]
