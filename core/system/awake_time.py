"""How long this process has been awake: running, or waiting for a processor. Not stopped by its host, not asleep.

Linux counts both (`schedstat`). Other systems count the processor time alone, so that what a busy machine adds to it
must be guessed there. Reading needs the standard library only.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

DISK_FACTOR = 2  # awake time to the counted one at most, where waiting for a processor counts: the rest is the disk's
BUSY_FACTOR = 4  # the same where it does not
_FILETIME_EPOCH_NS = 11_644_473_600 * 10**9  # from 1601 to 1970
_QUERY_LIMITED_INFORMATION = 0x1000  # the right that OpenProcess is asked for


@dataclass(frozen=True)
class Times:
    """Of one process: since its creation, and what of that was counted as awake, in nanoseconds."""

    age_ns: int
    counted_ns: int
    factor: int  # how many times the counted time may have been the true one

    @property
    def awake_ns(self) -> int:
        """The most that the process was awake: no longer than it exists, also where it was never stopped."""
        return min(self.age_ns, self.factor * self.counted_ns)


def max_process_awake_ns() -> int:
    """How long this process has been awake at most, the boot loader of a one-file executable included."""
    own = _read_times()
    loader = _read_times(os.getppid()) if getattr(sys, "frozen", False) else None
    if own is None:  # nobody tells when it was created
        return time.process_time_ns()
    if loader is None:
        return own.awake_ns
    return Times(loader.age_ns, loader.counted_ns + own.counted_ns, max(own.factor, loader.factor)).awake_ns


def make_thread_awake_clock() -> Callable[[], int]:
    """A clock of the calling thread's own awake time in nanoseconds. Where waiting does not count, it stands still."""
    with suppress(OSError, AttributeError):
        return _ThreadClock(os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC))
    return lambda: 0


class _ThreadClock:
    """Reads one thread's `schedstat` again and again; owns the open file and closes it when nobody has the clock."""

    def __init__(self, file: int) -> None:
        self._file = file

    def __call__(self) -> int:
        """Return what the thread ran and waited; 0 if the system refuses, which must not look like the end of input."""
        try:
            return sum(_parse_schedstat(os.pread(self._file, 100, 0)))
        except (OSError, ValueError):
            return 0

    def __del__(self) -> None:
        os.close(self._file)


def _parse_schedstat(content: bytes) -> tuple[int, int]:
    """Return how long a thread ran and how long it waited for a processor, nanoseconds; raise ValueError."""
    ran_ns, waited_ns = map(int, content.split()[:2])
    return ran_ns, waited_ns


def _read_times(parent: int | None = None) -> Times | None:
    """Times of this process or of its parent; None where nobody tells, or where that runs another program."""
    try:
        if sys.platform == "win32":
            return _windows_times(parent)
        if sys.platform == "linux":
            return _linux_times(parent)
    except (OSError, ValueError, IndexError):  # no such process any more, or a system that shows less
        pass
    return None


def _linux_times(parent: int | None) -> Times | None:
    folder = f"/proc/{parent or 'self'}"
    if parent and os.readlink(f"{folder}/exe") != os.readlink("/proc/self/exe"):
        return None
    fields = _read(f"{folder}/stat").rpartition(b")")[2].split()  # from the third on, the state
    per_second = os.sysconf("SC_CLK_TCK")
    age_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - int(fields[19]) * 10**9 // per_second
    used_ns = (int(fields[11]) + int(fields[12])) * 10**9 // per_second if parent else time.process_time_ns()
    threads = list(_list_threads(f"{folder}/task"))
    if not threads:
        return Times(age_ns, used_ns, BUSY_FACTOR)
    ran_ns, waited_ns = map(sum, zip(*threads, strict=True))
    return Times(age_ns, max(ran_ns, used_ns) + waited_ns, DISK_FACTOR)


def _list_threads(folder: str) -> Iterator[tuple[int, int]]:
    """Yield how long each thread of a process ran and waited; none if the system does not tell.

    A process's own `schedstat` is that of its main thread alone.
    """
    for thread in os.listdir(folder):
        with suppress(OSError, ValueError):  # the thread has ended meanwhile, or the system does not count
            yield _parse_schedstat(_read(f"{folder}/{thread}/schedstat"))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _windows_times(parent: int | None) -> Times | None:
    if sys.platform != "win32":
        raise AssertionError("Windows only")
    kernel32 = ctypes.windll.kernel32
    kernel32.OpenProcess.restype = ctypes.c_void_p
    own = ctypes.c_void_p(-1)  # what GetCurrentProcess gives
    handle = ctypes.c_void_p(kernel32.OpenProcess(_QUERY_LIMITED_INFORMATION, False, parent)) if parent else own
    if not handle:
        return None
    try:
        name, length = ctypes.create_unicode_buffer(32768), ctypes.c_uint32(32768)
        if parent and not kernel32.QueryFullProcessImageNameW(handle, 0, name, ctypes.byref(length)):
            return None
        if parent and os.path.normcase(name.value) != os.path.normcase(sys.executable):
            return None
        created, ended, kernel, user = (ctypes.c_uint64() for _ in range(4))
        if not kernel32.GetProcessTimes(handle, *map(ctypes.byref, (created, ended, kernel, user))):
            return None
    finally:
        if parent:
            kernel32.CloseHandle(handle)
    age_ns = time.time_ns() + _FILETIME_EPOCH_NS - 100 * created.value
    return Times(age_ns, 100 * (kernel.value + user.value), BUSY_FACTOR)
