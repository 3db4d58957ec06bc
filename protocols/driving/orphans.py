"""Processes that have left their parents, as daemons do: on Linux they become our children instead of going away.

Whose they are tells a mark in their environment, which a process inherits from the program that we have started. What
has lost the mark, too, is known by its session, which is not ours: nothing else that we start has one of its own.
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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

MARK = "_PENTAD_ENGINE"  # the variable, with a value for each program
KILL_S = 2.0  # in which a process has gone that was killed, and all that it has started meanwhile
POLL_S = 0.005
# What the first Windows program brings with it for all others, too, that wine runs for this user, ours and not ours. To
# stop or end it would stop or end them; it ends by itself some seconds after the last of them.
WINE_SERVICES = {
    "wineserver", "wineserver64", "services.exe", "winedevice.exe", "plugplay.exe", "svchost.exe", "rpcss.exe",
    "explorer.exe",
}  # fmt: skip
_SET_SUBREAPER, _GET_SUBREAPER = 36, 37  # of linux/prctl.h

_numbers = itertools.count(1)
_lock = threading.Lock()
_scopes = 0  # that are open
_was_subreaper = False  # before the first of them


def make_mark() -> str:
    """A value of MARK that no other program has."""
    return f"{os.getpid()}.{next(_numbers)}.{time.time_ns()}"


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Adopt what leaves its parents meanwhile, and kill at the end what is left of it; elsewhere than on Linux nothing.

    It holds for the whole process, so it is for commands, not for libraries. Children that are there before are let be.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    _enter()
    spared = {child.pid for child in _list_children()}
    try:
        yield
    finally:
        _leave(spared)


def list_marked(mark: str) -> list[psutil.Process]:
    """Children of ours that carry a mark: the program itself and those that have left it, where we adopt these."""
    return [] if not _scopes else [child for child in _list_children() if _read_mark(child) == mark]


def serves_all(process: psutil.Process) -> bool:
    """Whether a process is one of WINE_SERVICES, and no part of the program that happened to start it."""
    import psutil

    with contextlib.suppress(psutil.Error):
        return process.name() in WINE_SERVICES
    return False


def reap(process: psutil.Process) -> None:
    """Collect an ended process that we may have adopted; never one that somebody here has started and waits for."""
    import psutil

    with contextlib.suppress(psutil.Error, ChildProcessError):  # it is not our child, or has been collected
        if process.is_running() and process.status() == psutil.STATUS_ZOMBIE:  # and its number is nobody else's
            os.waitpid(process.pid, os.WNOHANG)


def _enter() -> None:
    global _scopes, _was_subreaper  # noqa: PLW0603 - it is an attribute of the process
    with _lock:
        _scopes += 1
        if _scopes == 1:
            _was_subreaper = _set_subreaper(True)


def _leave(spared: set[int]) -> None:
    global _scopes  # noqa: PLW0603
    with _lock:
        _scopes -= 1
        if _scopes:
            return
        try:
            _end_strays(spared)
        finally:
            _set_subreaper(_was_subreaper)


def _end_strays(spared: set[int]) -> None:
    """Kill what we have adopted, and what comes to us by that, until nothing is left."""
    import psutil

    deadline_s = time.perf_counter() + KILL_S
    while time.perf_counter() < deadline_s and (
        strays := [child for child in _list_strays() if child.pid not in spared]
    ):
        for stray in strays:
            with contextlib.suppress(psutil.Error):  # ended meanwhile
                stray.kill()
            reap(stray)
        time.sleep(POLL_S)


def _list_strays() -> list[psutil.Process]:
    """Children that we have not started: they are in another session."""
    session, strays = os.getsid(0), []
    for child in _list_children():
        with contextlib.suppress(ProcessLookupError):  # ended meanwhile
            if os.getsid(child.pid) != session:
                strays.append(child)
    return strays


def _list_children() -> list[psutil.Process]:
    """Our children, ended ones that nobody has collected included; none of WINE_SERVICES."""
    if not _has_children():
        return []  # a command that starts nothing does not load psutil
    import psutil

    return [child for child in psutil.Process().children() if not serves_all(child)]


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _read_mark(process: psutil.Process) -> str:
    import psutil

    with contextlib.suppress(psutil.Error):
        return str(process.environ().get(MARK, ""))
    return ""


def _set_subreaper(wanted: bool) -> bool:
    """Return what it was before. Where it cannot be had (before Linux 3.4), what has gone away stays away."""
    libc, before = ctypes.CDLL(None), ctypes.c_int()
    libc.prctl(_GET_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    libc.prctl(_SET_SUBREAPER, ctypes.c_ulong(wanted), 0, 0, 0)
    return bool(before.value)
