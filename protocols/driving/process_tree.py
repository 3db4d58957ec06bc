"""Measures, suspends, terminates and kills an engine together with all processes that it starts.

On POSIX the engine leads its own process group inside our session. This has three consequences:

- a signal to the group reaches every process in it;
- the terminal's Ctrl-C does not reach the engine;
- if this process is killed, the kernel sends SIGHUP and SIGCONT to a group with a stopped member (POSIX, `_Exit`, on
  orphaned process groups), so no suspended engine stays behind. This fails for processes that have created a session,
  and if orphans are adopted by a process of our session, such as a shell that is process 1 of a container.

Processes that leave the group are found as long as we run, inside of `adopt_orphans` (`protocols/driving/orphans.py`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from protocols.driving.children import list_descendants
from protocols.driving.orphans import KILL_TIMEOUT_S, is_wine_service, list_marked_children, reap_if_ended

# An executable made by PyInstaller has a boot loader, which unpacks files into a temporary folder (in about 0.1 s).
TERMINATE_GRACE_S = 1.0  # from SIGTERM to SIGKILL; the boot loader removes its folder meanwhile
MIN_LIFETIME_S = 0.3  # from the start to SIGTERM; a boot loader that is terminated while it unpacks leaves its folder
POLL_INTERVAL_S = 0.005
PROCESS_GONE = (psutil.Error, OSError)  # raised for a process that has ended meanwhile; OSError on Windows


@dataclass(frozen=True)
class MemoryUse:
    """Memory of an engine and all its descendants, in bytes."""

    virtual: int  # VMS; under wine the USS, because wine reserves a whole Windows address space for each process
    resident: int  # RSS
    unique: int  # USS: the memory that would be freed if the processes ended


class ProcessTree:
    """The processes of an engine that was started as the leader of a process group. Thread-safe.

    A process that was once seen as a descendant stays a member, even if its parent exits. So does a process with the
    engine's `mark` (see `orphans.py`). Do not reap the leader before `kill` has returned, so that its pid and group id
    are not reused.
    """

    def __init__(self, leader: int, mark: str) -> None:
        self._leader = leader  # process id
        self._mark = mark
        self._started_at_s = time.perf_counter()
        self._descendants: dict[int, psutil.Process] = {}
        self._signal_lock = threading.Lock()  # so that nothing is suspended after `terminate`
        self._is_suspended = False
        self._terminated_at_s: float | None = None  # time.perf_counter() of `terminate`
        self._is_killed = False
        self._cpu_s = 0.0

    def members(self) -> list[psutil.Process]:
        """Return the running processes, the leader first; an empty list after `kill` or if the leader is gone."""
        if not self._is_killed:
            with contextlib.suppress(*PROCESS_GONE):
                leader = psutil.Process(self._leader)
                orphans = [process for process in list_marked_children(self._mark) if process.pid != self._leader]
                for process in orphans:
                    self._descendants[process.pid] = process
                for parent in [leader, *orphans]:
                    self._remember_children(parent)
                return [leader, *(child for child in list(self._descendants.values()) if child.is_running())]
        return []

    def _remember_children(self, parent: psutil.Process) -> None:
        with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
            for child in list_descendants(parent):
                if not is_wine_service(child):
                    self._descendants[child.pid] = child

    def memory(self) -> MemoryUse:
        """Return the current memory of all members; zeros if none runs."""
        virtual = resident = unique = 0
        for process in self.members():
            with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
                info = process.memory_full_info()
                virtual += info.uss if _runs_under_wine(process) else info.vms
                resident, unique = resident + info.rss, unique + info.uss
        return MemoryUse(virtual, resident, unique)

    def cpu_s(self) -> float:
        """Return the CPU time, user and system, that all members have used so far. It never decreases.

        The time of an ended child is included if its parent has waited for it (not on Windows and macOS). After `kill`,
        return the last reading.
        """
        self._cpu_s = max(self._cpu_s, sum(map(_read_cpu_s, self.members())))
        return self._cpu_s

    def suspend(self) -> None:
        """Suspend all members (SIGSTOP) until `wake`. Their input is buffered meanwhile."""
        with self._signal_lock:
            if self._terminated_at_s is None:
                self._is_suspended = True
                for process in self.members():
                    with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
                        process.suspend()

    def wake(self) -> None:
        """Resume suspended members (SIGCONT)."""
        with self._signal_lock:
            if self._is_suspended:
                self._is_suspended = False
                self._resume()

    def pin(self, processors: Sequence[int]) -> None:
        """Set the CPU affinity of all members; processes that they start later inherit it."""
        for process in self.members():
            with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
                process.cpu_affinity(list(processors))
                # On Linux the call above sets the affinity of the main thread only.
                for thread in process.threads() if hasattr(os, "sched_setaffinity") else ():
                    os.sched_setaffinity(thread.id, processors)

    def terminate(self) -> None:
        """Ask all members to exit (SIGTERM), suspended ones too. On Windows this kills them.

        Return at once, unless the engine was started less than MIN_LIFETIME_S ago.
        """
        with self._signal_lock:
            if self._terminated_at_s is None:
                self._wait_until_ended(self._started_at_s + MIN_LIFETIME_S)
                self._terminated_at_s = time.perf_counter()
                self.cpu_s()
                outside_group = [process for process in self.members() if not self._is_in_group(process.pid)]
                self._signal_group(signal.SIGTERM)  # only once: a second signal could interrupt the cleanup
                for process in outside_group:
                    with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
                        process.terminate()
                self._resume()  # after the signal, so that a resumed process handles the signal first

    def kill(self) -> None:
        """Call `terminate`, wait up to TERMINATE_GRACE_S, then kill the remaining members."""
        self.terminate()
        self._wait_until_ended((self._terminated_at_s or 0.0) + TERMINATE_GRACE_S)
        self.cpu_s()  # a last reading, which includes children that have ended meanwhile
        for process in list(self._descendants.values()):  # also those that are no longer found as descendants
            with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
                process.kill()
        self._signal_group(getattr(signal, "SIGKILL", signal.SIGTERM))
        deadline_s = time.perf_counter() + KILL_TIMEOUT_S
        while (remaining := list(filter(_is_alive, self.members()))) and time.perf_counter() < deadline_s:
            for process in remaining:  # the next round finds processes that were started meanwhile
                with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
                    process.kill()
            time.sleep(POLL_INTERVAL_S)
        self._is_killed = True
        for process in list(self._descendants.values()):
            reap_if_ended(process)

    def _wait_until_ended(self, deadline_s: float) -> None:
        """Wait until no member runs, at most until `deadline_s` (time.perf_counter())."""
        members = self.members()
        while any(map(_is_alive, members)) and time.perf_counter() < deadline_s:
            time.sleep(POLL_INTERVAL_S)

    def _resume(self) -> None:
        for process in self.members():
            with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
                process.resume()

    def _is_in_group(self, pid: int) -> bool:
        with contextlib.suppress(ProcessLookupError):
            return os.name != "nt" and os.getpgid(pid) == self._leader
        return False

    def _signal_group(self, signal_number: int) -> None:
        """Send a signal to the process group, which may contain unknown processes. Windows has no such groups."""
        if os.name != "nt":
            with contextlib.suppress(ProcessLookupError, PermissionError):  # all its processes ended meanwhile
                os.killpg(self._leader, signal_number)


def _read_cpu_s(process: psutil.Process) -> float:
    with contextlib.suppress(*PROCESS_GONE):  # ended meanwhile
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


def _runs_under_wine(process: psutil.Process) -> bool:
    return os.path.basename(str(process.exe())).startswith("wine")


def _is_alive(process: psutil.Process) -> bool:
    with contextlib.suppress(*PROCESS_GONE):
        return process.is_running() and bool(process.status() != psutil.STATUS_ZOMBIE)
    return False
