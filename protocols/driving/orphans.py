"""Finds and ends processes that an engine leaves behind (Linux).

A daemon forks twice, so that its parent exits and the kernel gives it another parent. `adopt_orphans` makes this
process that new parent (a "child subreaper", see prctl(2)), so that such orphans become our children. Two
things distinguish them from the processes that we have started ourselves:

- the environment variable MARK_VARIABLE, which the descendants of an engine inherit; its value is unique per engine;
- their session id, if the variable is gone: an orphan in another session than ours is not one of our own children.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

MARK_VARIABLE = "_PENTAD_ENGINE"
KILL_TIMEOUT_S = 2.0  # how long to repeat the kill until the processes, and those that they still start, have ended
POLL_INTERVAL_S = 0.005
# wine starts these processes with the first Windows program and shares them among all Windows programs of the user.
# Stopping or killing them would affect other engines. They exit by themselves seconds after the last program.
WINE_SERVICES = {
    "wineserver", "wineserver64", "services.exe", "winedevice.exe", "plugplay.exe", "svchost.exe", "rpcss.exe",
    "explorer.exe",
}  # fmt: skip
_SET_SUBREAPER, _GET_SUBREAPER = 36, 37  # PR_SET_CHILD_SUBREAPER and PR_GET_CHILD_SUBREAPER of linux/prctl.h

_mark_numbers = itertools.count(1)
_lock = threading.Lock()
_open_scopes = 0  # number of `adopt_orphans` blocks that are active
_was_subreaper = False  # before the first of these blocks


def make_mark() -> str:
    """Return a new value for MARK_VARIABLE."""
    return f"{os.getpid()}.{next(_mark_numbers)}.{time.time_ns()}"


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Adopt orphans during the block, and kill those in another session at its end. Does nothing except on Linux.

    Blocks may overlap; the orphans are killed when the last one ends. Children that exist before it are not killed. The
    setting affects the whole process, so use it in commands and not in library code.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    _begin_adoption()
    spared_pids = {child.pid for child in _list_children()}
    try:
        yield
    finally:
        _end_adoption(spared_pids)


def list_marked_children(mark: str) -> list[psutil.Process]:
    """Return this process's children with this mark: the engine and its orphans. Empty outside of `adopt_orphans`."""
    if not _open_scopes:
        return []
    return [child for child in _list_all_children() if _has_mark(child, mark) and not is_wine_service(child)]


def is_wine_service(process: psutil.Process) -> bool:
    """Return whether a process is one of WINE_SERVICES, which all Windows programs share."""
    import psutil

    with contextlib.suppress(psutil.Error):
        return process.name() in WINE_SERVICES
    return False


def reap_if_ended(process: psutil.Process) -> None:
    """Reap an adopted process if it is a zombie. Never call this for a process that `subprocess` has started."""
    import psutil

    with contextlib.suppress(psutil.Error, ChildProcessError):  # not our child, or already reaped
        if process.is_running() and process.status() == psutil.STATUS_ZOMBIE:  # is_running: the pid is not reused
            os.waitpid(process.pid, os.WNOHANG)


def _begin_adoption() -> None:
    global _open_scopes, _was_subreaper  # noqa: PLW0603 - the setting belongs to the process
    with _lock:
        _open_scopes += 1
        if _open_scopes == 1:
            _was_subreaper = _set_subreaper(True)


def _end_adoption(spared_pids: set[int]) -> None:
    global _open_scopes  # noqa: PLW0603
    with _lock:
        _open_scopes -= 1
        if _open_scopes:
            return
        try:
            _kill_orphans(spared_pids)
        finally:
            _set_subreaper(_was_subreaper)


def _kill_orphans(spared_pids: set[int]) -> None:
    """Kill adopted processes until none is left; if one is killed, its children become ours as well."""
    import psutil

    deadline_s = time.perf_counter() + KILL_TIMEOUT_S
    while time.perf_counter() < deadline_s and (
        orphans := [child for child in _list_orphans() if child.pid not in spared_pids]
    ):
        for orphan in orphans:
            with contextlib.suppress(psutil.Error):  # ended meanwhile
                orphan.kill()
            reap_if_ended(orphan)
        time.sleep(POLL_INTERVAL_S)


def _list_orphans() -> list[psutil.Process]:
    """Return the children in another session than this process; they were adopted, since those we start share ours."""
    session, orphans = os.getsid(0), []
    for child in _list_children():
        with contextlib.suppress(ProcessLookupError):  # ended meanwhile
            if os.getsid(child.pid) != session:
                orphans.append(child)
    return orphans


def _list_children() -> list[psutil.Process]:
    """Return our children, zombies included and WINE_SERVICES excluded."""
    return [child for child in _list_all_children() if not is_wine_service(child)]


def _list_all_children() -> list[psutil.Process]:
    if not _has_children():
        return []  # avoids importing psutil in a command without children
    import psutil

    from protocols.driving.children import list_children

    return list_children(psutil.Process())


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _has_mark(process: psutil.Process, mark: str) -> bool:
    with contextlib.suppress(OSError):  # ended meanwhile
        return f"{MARK_VARIABLE}={mark}".encode() in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    return False


def _set_subreaper(enabled: bool) -> bool:
    """Switch this process's subreaper attribute and return the previous value. Has no effect before Linux 3.4."""
    libc, old_value = ctypes.CDLL(None), ctypes.c_int()
    libc.prctl(_GET_SUBREAPER, ctypes.byref(old_value), 0, 0, 0)
    libc.prctl(_SET_SUBREAPER, ctypes.c_ulong(enabled), 0, 0, 0)
    return bool(old_value.value)
