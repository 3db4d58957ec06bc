"""Runs the commands of a session one after the other, slow ones on a worker thread, so that the caller can read on.

`execute` runs a fast command at once, and returns a job for a slow one. The job runs on a worker thread. Lines that
arrive meanwhile are queued and run on the same worker. When the queue is empty, the worker ends, and the next line runs
on the caller's thread. Thus commands never overlap, and none is lost. A line gets its stop token when it arrives, so
that a queued command can be stopped before it runs.
"""

from __future__ import annotations

import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from core.play.stop import StopToken
from protocols.serving.command_clock import CommandClock

Job = Callable[[], None]  # completes a slow command
Execute = Callable[[str], Job | None]  # runs a line; see `CommandRunner`
Recover = Callable[[str, Exception], None]  # answers a line for which `Execute` or the `Job` has raised an exception


@dataclass(eq=False)
class ReceivedLine:
    """A line from the host, and the state of the command in it."""

    text: str
    waiting_since_ns: int  # the earliest time at which the host can have sent it
    number: int = 0  # counted from 1
    stop: StopToken = field(default_factory=StopToken)  # stops the command
    is_answered: bool = False
    is_abandoned: bool = False  # the host does not expect the answer any more
    ends_with_next_line: bool = False  # the command is stopped by the next line
    ends_with_input: bool = False  # the command is stopped by the end of input


class CommandRunner:
    """Runs lines one after the other, and stops or drops them. All methods are thread-safe.

    `execute` runs one line and returns None, or a job that completes it. If either raises, which is a bug, `recover`
    gets the line and the exception and must write the answer; the next line then runs as usual. With `threaded=False`
    jobs run on the caller's thread.
    """

    def __init__(self, execute: Execute, recover: Recover, *, threaded: bool = True) -> None:
        self._execute = execute
        self._recover = recover
        self._threaded = threaded
        self._lock = threading.Lock()  # guards all attributes below except the clock
        self._idle = threading.Condition(self._lock)
        self._is_busy = False
        self._queue: deque[ReceivedLine] = deque()
        self._has_input_ended = False
        self.current = ReceivedLine("", 0, is_answered=True)  # the running line, or the one that ran last
        self.last_number = 0  # number of the newest line
        self.clock = CommandClock()

    @property
    def stop(self) -> StopToken:
        """Return the running command's stop token."""
        return self.current.stop

    def submit(self, text: str, waiting_since_ns: int | None = None) -> None:
        """Run a line, or queue it while another one runs.

        In threaded mode this does not wait for jobs, unless the system can create no thread.

        `waiting_since_ns` is the earliest time at which the host can have sent the line; None means now.
        """
        line = ReceivedLine(text, self.clock.now() if waiting_since_ns is None else waiting_since_ns)
        with self._lock:
            self.last_number = line.number = self.last_number + 1
            line_to_stop = self.current if self.current.ends_with_next_line else None
            is_first = not self._is_busy
            if is_first:
                self._is_busy, self.current = True, line
            else:
                self._queue.append(line)
        if line_to_stop:
            line_to_stop.stop.set()
        if is_first:
            self._run(line)

    def mark_answered(self) -> None:
        """Mark the running line as answered. Call this before writing: a host may send the next line at once."""
        with self._lock:
            self.current.is_answered = True

    def stop_next(self) -> None:
        """Stop the first command that is not answered yet."""
        with self._lock:
            lines = self._unanswered()[:1]
        _stop(lines)

    def stop_all(self) -> None:
        """Stop every command that is not answered yet, queued ones included."""
        with self._lock:
            lines = self._unanswered()
        _stop(lines)

    def abandon(self, keep: Callable[[str], bool]) -> None:
        """Stop the running command, mark it as abandoned, and drop the queued lines for which `keep` is false."""
        with self._lock:
            self._queue = deque(line for line in self._queue if keep(line.text))
            self.current.is_abandoned = True
            lines = [self.current]
        _stop(lines)

    def end_input(self) -> None:
        """React to the end of input: stop the running command if `stop_at_input_end` was called for it."""
        with self._lock:
            self._has_input_ended = True
            lines = [self.current] if self.current.ends_with_input else []
        _stop(lines)

    def stop_at_next_line(self) -> None:
        """Make the next line stop the running command. If that line is queued already, stop the command now."""
        with self._lock:
            self.current.ends_with_next_line = True
            lines = [self.current] if self._queue else []
        _stop(lines)

    def stop_at_input_end(self) -> None:
        """Make the end of input stop the running command. If the input has ended already, stop the command now."""
        with self._lock:
            self.current.ends_with_input = True
            lines = [self.current] if self._has_input_ended else []
        _stop(lines)

    def queued_lines(self) -> list[str]:
        """Return the queued lines."""
        with self._lock:
            return [line.text for line in self._queue]

    def wait_idle(self, timeout_s: float | None) -> bool:
        """Wait until nothing runs or is queued, for ever if the timeout is None; return False after a timeout."""
        with self._lock:
            return self._idle.wait_for(lambda: not self._is_busy, timeout_s)

    def _unanswered(self) -> list[ReceivedLine]:
        """Return the lines that are not answered yet, the running one first. Call this with the lock."""
        running = [self.current] if self._is_busy and not self.current.is_answered else []
        return [*running, *self._queue]

    def _start_line(self, line: ReceivedLine) -> Job | None:
        """Start the clock and execute a line; return the job of a slow command."""
        self.clock.begin(line.waiting_since_ns)
        try:
            return self._execute(line.text)
        except Exception as error:
            self._answer_failure(line, error)
            return None

    def _finish(self, line: ReceivedLine, job: Job) -> None:
        try:
            job()
        except Exception as error:
            self._answer_failure(line, error)

    def _answer_failure(self, line: ReceivedLine, error: Exception) -> None:
        try:
            self._recover(line.text, error)
        except Exception:  # even the error answer failed; the session must go on
            traceback.print_exc()

    def _run(self, first: ReceivedLine) -> None:
        """Run a line and those queued meanwhile on this thread, until a slow command moves on to a worker thread."""
        line: ReceivedLine | None = first
        while line is not None:
            job = self._start_line(line)
            if job is not None:
                if self._threaded and self._start_worker(line, job):
                    return
                self._finish(line, job)
            line = self._next()

    def _start_worker(self, line: ReceivedLine, job: Job) -> bool:
        """Continue on a worker thread; return False if the system cannot create one."""
        try:
            threading.Thread(target=self._worker_loop, args=(line, job), name="thinker", daemon=True).start()
        except RuntimeError:
            return False
        return True

    def _worker_loop(self, line: ReceivedLine, job: Job) -> None:
        self._finish(line, job)
        while (following := self._next()) is not None:
            next_job = self._start_line(following)
            if next_job is not None:
                self._finish(following, next_job)

    def _next(self) -> ReceivedLine | None:
        """Make the next queued line the current one and return it; return None, idle from now on, if there is none."""
        with self._lock:
            if self._queue:
                self.current = self._queue.popleft()
                return self.current
            self._is_busy = False
            self._idle.notify_all()
            return None


def _stop(lines: list[ReceivedLine]) -> None:
    """Set the lines' stop tokens. Call this without the runner's lock, because callbacks of a token may be slow."""
    for line in lines:
        line.stop.set()
