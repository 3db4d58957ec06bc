"""A program with all the processes that it starts: what they use, how they are held back, and how they end.

On POSIX the program leads a process group of its own within our session. So we can reach all of the group, the
terminal's Ctrl-C does not, and should we be killed, the kernel itself wakes the group where it is stopped and hangs
it up (POSIX, `_Exit`, on orphaned process groups): no stopped program stays behind for ever. Two are out of its reach:
what made a session of its own, and all where the orphans fall to a process of our session, such as a shell that is
the first process of a container. While we live, what has left its parents is found too, where we adopt it
(`protocols/driving/orphans.py`).
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

from protocols.driving.orphans import KILL_S, list_marked, reap, serves_all

END_GRACE_S = 1.0  # from being asked to end to being killed; a boot loader takes away what it has unpacked in it
SETTLE_S = 0.3  # from a start until a program may be asked; a boot loader that unpacks (0.1 s) leaves all of it behind
END_POLL_S = 0.005
GONE = (psutil.Error, OSError)  # what is raised of a process that has ended meanwhile; the latter by Windows


@dataclass(frozen=True)
class MemoryUse:
    """Bytes, summed over a process and all its descendants."""

    virtual: int  # of a program under wine its own memory: wine reserves the addresses of a whole Windows for each
    resident: int
    unique: int  # what would be freed if the processes ended (USS)


class ProcessTree:
    """The processes of a program that we have started as the leader of a group; all methods from any thread.

    What was seen once belongs to it, even where its parent has gone, and so does what carries its `mark`. The leader's
    status must not be collected before `kill` has returned: until then its number cannot become anybody else's.
    """

    def __init__(self, leader: int, mark: str) -> None:
        self._leader = leader
        self._mark = mark
        self._began_s = time.perf_counter()
        self._descendants: dict[int, psutil.Process] = {}
        self._signalling = threading.Lock()  # nobody stops what is being ended
        self._is_suspended = False
        self._asked_s: float | None = None  # when all were asked to end, by time.perf_counter()
        self._is_killed = False
        self._cpu_s = 0.0

    def members(self) -> list[psutil.Process]:
        """The program and its descendants that are there; none after `kill`."""
        if not self._is_killed:
            with contextlib.suppress(*GONE):
                leader = psutil.Process(self._leader)
                away = [process for process in list_marked(self._mark) if process.pid != self._leader]
                for process in away:
                    self._descendants[process.pid] = process
                for parent in [leader, *away]:
                    self._note_children(parent)
                return [leader, *(child for child in list(self._descendants.values()) if child.is_running())]
        return []

    def _note_children(self, parent: psutil.Process) -> None:
        with contextlib.suppress(*GONE):  # ended meanwhile
            for child in parent.children(recursive=True):
                if not serves_all(child):
                    self._descendants[child.pid] = child

    def memory(self) -> MemoryUse:
        """Present memory of all; zeros where nothing runs."""
        virtual = resident = unique = 0
        for process in self.members():
            with contextlib.suppress(*GONE):  # ended meanwhile
                info = process.memory_full_info()
                virtual += info.uss if _runs_under_wine(process) else info.vms
                resident, unique = resident + info.rss, unique + info.uss
        return MemoryUse(virtual, resident, unique)

    def cpu_s(self) -> float:
        """CPU seconds, user and system, that all have used so far, those that have ended too; never less than before.

        Of a child that ended, the system keeps them where its parent waited for it (not on Windows and macOS). After
        `kill` it is the last reading.
        """
        self._cpu_s = max(self._cpu_s, sum(map(_read_cpu_s, self.members())))
        return self._cpu_s

    def suspend(self) -> None:
        """Stop all until `wake`; what is written meanwhile waits."""
        with self._signalling:
            if self._asked_s is None:
                self._is_suspended = True
                for process in self.members():
                    with contextlib.suppress(*GONE):  # ended meanwhile
                        process.suspend()

    def wake(self) -> None:
        """Let what was stopped go on; nothing happens where all run."""
        with self._signalling:
            if self._is_suspended:
                self._is_suspended = False
                self._resume()

    def pin(self, processors: Sequence[int]) -> None:
        """Keep all, and what they start from now on, on these processors."""
        for process in self.members():
            with contextlib.suppress(*GONE):  # ended meanwhile
                process.cpu_affinity(list(processors))
                for thread in process.threads() if hasattr(os, "sched_setaffinity") else ():  # Linux moves but the main
                    os.sched_setaffinity(thread.id, processors)

    def terminate(self) -> None:
        """Ask all to end, whoever has stopped them. On Windows this is their end already.

        It returns at once, unless the program has only just been started.
        """
        with self._signalling:
            if self._asked_s is None:
                self._wait_gone(self._began_s + SETTLE_S)
                self._asked_s = time.perf_counter()
                self.cpu_s()
                strays = [process for process in self.members() if not self._is_in_group(process.pid)]
                self._signal_group(signal.SIGTERM)  # once: a second signal would cut the tidying up short
                for process in strays:
                    with contextlib.suppress(*GONE):  # ended meanwhile
                        process.terminate()
                self._resume()  # only now: what goes on must find the signal before anything else

    def kill(self) -> None:
        """End all: what has not gone END_GRACE_S after `terminate`, which comes first, is killed."""
        self.terminate()
        self._wait_gone((self._asked_s or 0.0) + END_GRACE_S)
        self.cpu_s()  # once more, with what a parent knows of its ended children
        for process in list(self._descendants.values()):  # also those that cannot be seen any more
            with contextlib.suppress(*GONE):  # ended meanwhile
                process.kill()
        self._signal_group(getattr(signal, "SIGKILL", signal.SIGTERM))
        deadline_s = time.perf_counter() + KILL_S
        while (left := list(filter(_is_alive, self.members()))) and time.perf_counter() < deadline_s:
            for process in left:  # what was started while we looked is found in the next round
                with contextlib.suppress(*GONE):  # ended meanwhile
                    process.kill()
            time.sleep(END_POLL_S)
        self._is_killed = True
        for process in list(self._descendants.values()):
            reap(process)

    def _wait_gone(self, deadline_s: float) -> None:
        """Wait until nothing runs any more, at most until then by time.perf_counter()."""
        members = self.members()
        while any(map(_is_alive, members)) and time.perf_counter() < deadline_s:
            time.sleep(END_POLL_S)

    def _resume(self) -> None:
        for process in self.members():
            with contextlib.suppress(*GONE):  # ended meanwhile
                process.resume()

    def _is_in_group(self, pid: int) -> bool:
        with contextlib.suppress(ProcessLookupError):
            return os.name != "nt" and os.getpgid(pid) == self._leader
        return False

    def _signal_group(self, number: int) -> None:
        """Whoever left our sight is still in the group; Windows has none that can be signalled."""
        if os.name != "nt":
            with contextlib.suppress(ProcessLookupError, PermissionError):  # everybody in it ended meanwhile
                os.killpg(self._leader, number)


def _read_cpu_s(process: psutil.Process) -> float:
    with contextlib.suppress(*GONE):  # ended meanwhile
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


def _runs_under_wine(process: psutil.Process) -> bool:
    return os.path.basename(str(process.exe())).startswith("wine")


def _is_alive(process: psutil.Process) -> bool:
    with contextlib.suppress(*GONE):
        return process.is_running() and bool(process.status() != psutil.STATUS_ZOMBIE)
    return False
