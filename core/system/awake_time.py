"""Estimate how long this process was awake: running, waiting for a processor or for the disk, but not suspended.

protocols/serving/command_clock.py needs it to bound how long a command may have waited until it was read.

| system | measured time | returned bound of the awake time |
|---|---|---|
| Linux | CPU time and run-queue wait of all threads (`/proc/*/schedstat`) | DISK_WAIT_FACTOR times the measured time |
| Windows; Linux without `schedstat` | CPU time | UNMEASURED_WAIT_FACTOR times the measured time |
| others (macOS) | CPU time | the measured time, which is a lower bound |

Uses only the standard library, because executables carry nothing else.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

# Assumed upper bounds of awake time / measured time
DISK_WAIT_FACTOR = 2  # if run-queue wait is measured: the rest is waiting for the disk
UNMEASURED_WAIT_FACTOR = 4  # if only CPU time is measured: the rest is waiting for a processor or the disk
_FILETIME_EPOCH_NS = 11_644_473_600 * 10**9  # from 1601 to 1970
_QUERY_LIMITED_INFORMATION = 0x1000  # access right PROCESS_QUERY_LIMITED_INFORMATION for OpenProcess


@dataclass(frozen=True)
class Times:
    """Times of a process, in nanoseconds."""

    age_ns: int  # since the creation of the process
    measured_ns: int
    factor: int  # the awake time is at most `factor * measured_ns`

    @property
    def awake_ns(self) -> int:
        """Upper bound of the awake time, at most the age of the process."""
        return min(self.age_ns, self.factor * self.measured_ns)


def max_process_awake_ns() -> int:
    """Return an upper bound of the time that this process was awake, in nanoseconds.

    In a one-file executable, the parent process is the bootloader that unpacked it; its time counts too. If the age of
    the process is unknown, return its CPU time, which is a lower bound.
    """
    times = _read_times()
    loader = _read_times(os.getppid()) if getattr(sys, "frozen", False) else None
    if times is None:  # macOS, or a restricted /proc
        return time.process_time_ns()
    if loader is None:
        return times.awake_ns
    return Times(loader.age_ns, loader.measured_ns + times.measured_ns, max(times.factor, loader.factor)).awake_ns


def make_thread_awake_clock() -> Callable[[], int]:
    """Return a clock of the calling thread's awake time in nanoseconds; it always returns 0 without `schedstat`."""
    with suppress(OSError, AttributeError):
        return _ThreadClock(os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC))
    return lambda: 0


class _ThreadClock:
    """A clock that reads the `schedstat` file of its thread; the file is closed when the clock is garbage-collected."""

    def __init__(self, file: int) -> None:
        self._file = file

    def __call__(self) -> int:
        """Return run time plus wait time; 0 on errors, since the caller would take an OSError for the end of input."""
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
    """Return the times of this process or of process `parent`; None if unknown or the parent runs another program."""
    try:
        if sys.platform == "win32":
            return _windows_times(parent)
        if sys.platform == "linux":
            return _linux_times(parent)
    except (OSError, ValueError, IndexError):  # the process has ended, or the system has no such files
        pass
    return None


def _linux_times(parent: int | None) -> Times | None:
    folder = f"/proc/{parent or 'self'}"
    if parent and os.readlink(f"{folder}/exe") != os.readlink("/proc/self/exe"):
        return None
    # proc(5), counted from the field after the name: [11] and [12] are utime and stime, [19] is starttime, in ticks
    fields = _read(f"{folder}/stat").rpartition(b")")[2].split()
    ticks_per_second = os.sysconf("SC_CLK_TCK")
    age_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - int(fields[19]) * 10**9 // ticks_per_second
    cpu_ns = (int(fields[11]) + int(fields[12])) * 10**9 // ticks_per_second if parent else time.process_time_ns()
    threads = list(_list_threads(f"{folder}/task"))
    if not threads:
        return Times(age_ns, cpu_ns, UNMEASURED_WAIT_FACTOR)
    ran_ns, waited_ns = map(sum, zip(*threads, strict=True))
    return Times(age_ns, max(ran_ns, cpu_ns) + waited_ns, DISK_WAIT_FACTOR)


def _list_threads(folder: str) -> Iterator[tuple[int, int]]:
    """Yield run time and wait time (ns) of each thread of a process; nothing if the system does not report them.

    `/proc/PID/schedstat` is not enough: it is that of the main thread.
    """
    for thread in os.listdir(folder):
        with suppress(OSError, ValueError):  # the thread has ended, or there is no schedstat
            yield _parse_schedstat(_read(f"{folder}/{thread}/schedstat"))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _windows_times(parent: int | None) -> Times | None:
    if sys.platform != "win32":
        raise AssertionError("Windows only")
    kernel32 = ctypes.windll.kernel32
    kernel32.OpenProcess.restype = ctypes.c_void_p
    current = ctypes.c_void_p(-1)  # the pseudo handle that GetCurrentProcess returns
    handle = ctypes.c_void_p(kernel32.OpenProcess(_QUERY_LIMITED_INFORMATION, False, parent)) if parent else current
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
    return Times(age_ns, 100 * (kernel.value + user.value), UNMEASURED_WAIT_FACTOR)
