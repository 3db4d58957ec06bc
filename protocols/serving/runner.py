"""Runs a session's commands strictly in order while keeping the caller free to hear the next line.

A command that must think hands back a job. The job runs on a worker thread, and so does every command that arrived
meanwhile, until nothing waits; then the caller's thread takes over again. So commands never overlap, and none is lost.
Each begins on the runner's clock when its line came. Lines are numbered from 1, so that a word to stop can name the one
that it is for, be it before that line's turn.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from protocols.serving.arrivals import CommandClock

Job = Callable[[], None]
Execute = Callable[[str], Job | None]


@dataclass(frozen=True)
class _Came:
    """A line, and since when the host may be waiting for what it answers."""

    line: str
    since_ns: int
    number: int


class CommandRunner:
    """`execute` runs one line and returns the job that completes it, or None. It must not raise, nor may its jobs."""

    def __init__(self, execute: Execute, *, threaded: bool = True) -> None:
        self._execute = execute
        self._threaded = threaded
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._busy = False
        self._waiting: deque[_Came] = deque()
        self.clock = CommandClock()
        self.last = 0  # the line that came last, by number
        self.current = 0  # the line that runs or ran last
        self._answered = 0  # the line that was answered last

    def submit(self, line: str, since_ns: int | None = None) -> None:
        """Run a line now, or behind those before it. Returns at once where a job has to think (threaded mode).

        The host waits for it since then, or since now.
        """
        since_ns = self.clock.now() if since_ns is None else since_ns
        with self._lock:
            self.last += 1
            came = _Came(line, since_ns, self.last)
            if self._busy:
                self._waiting.append(came)
                return
            self._busy = True
            self.current = came.number
        self._run(came)

    def answer(self) -> None:
        """The running line is answered next. Said before, as a fast host reacts at once."""
        with self._lock:
            self._answered = self.current

    def awaited(self) -> int:
        """The first line that is not answered, 0 for none, where each line gets its `answer`."""
        with self._lock:
            if self._busy and self.current > self._answered:
                return self.current
            return self._waiting[0].number if self._waiting else 0

    def keep_waiting(self, keep: Callable[[str], bool]) -> None:
        """Drop the waiting lines that `keep` rejects."""
        with self._lock:
            self._waiting = deque(came for came in self._waiting if keep(came.line))

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until nothing runs or waits; False where that took too long."""
        with self._lock:
            return self._idle.wait_for(lambda: not self._busy, timeout_s)

    def _begin(self, came: _Came) -> Job | None:
        self.clock.begin(came.since_ns)
        return self._execute(came.line)

    def _run(self, came: _Came | None) -> None:
        while came is not None:
            job = self._begin(came)
            if job is not None and self._threaded:
                threading.Thread(target=self._work, args=(job,), name="thinker", daemon=True).start()
                return
            if job is not None:
                job()
            came = self._next()

    def _work(self, job: Job | None) -> None:
        while job is not None:
            job()
            job = None
            while job is None and (came := self._next()) is not None:
                job = self._begin(came)

    def _next(self) -> _Came | None:
        with self._lock:
            if self._waiting:
                came = self._waiting.popleft()
                self.current = came.number
                return came
            self._busy = False
            self._idle.notify_all()
            return None
