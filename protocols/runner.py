"""Runs a session's commands strictly in order while keeping the caller free to hear the next line.

A command that must think hands back a job. The job runs on a worker thread, and so does every command that arrived
meanwhile, until nothing waits; then the caller's thread takes over again. So commands never overlap, and none is lost.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

Job = Callable[[], None]
Execute = Callable[[str], Job | None]


class CommandRunner:
    """`execute` runs one line and returns the job that completes it, or None. It must not raise, nor may its jobs."""

    def __init__(self, execute: Execute, *, threaded: bool = True) -> None:
        self._execute = execute
        self._threaded = threaded
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._busy = False
        self._waiting: deque[str] = deque()

    def submit(self, line: str) -> None:
        """Run a line now, or behind those before it. Returns at once where a job has to think (threaded mode)."""
        with self._lock:
            if self._busy:
                self._waiting.append(line)
                return
            self._busy = True
        self._run(line)

    def keep_waiting(self, keep: Callable[[str], bool]) -> None:
        """Drop the waiting lines that `keep` rejects."""
        with self._lock:
            self._waiting = deque(filter(keep, self._waiting))

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until nothing runs or waits; False where that took too long."""
        with self._lock:
            return self._idle.wait_for(lambda: not self._busy, timeout_s)

    def _run(self, line: str | None) -> None:
        while line is not None:
            job = self._execute(line)
            if job is not None and self._threaded:
                threading.Thread(target=self._work, args=(job,), name="thinker", daemon=True).start()
                return
            if job is not None:
                job()
            line = self._next_line()

    def _work(self, job: Job | None) -> None:
        while job is not None:
            job()
            job = None
            while job is None and (line := self._next_line()) is not None:
                job = self._execute(line)

    def _next_line(self) -> str | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._busy = False
            self._idle.notify_all()
            return None
