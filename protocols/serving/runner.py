"""Runs a session's commands strictly in order while keeping the caller free to hear the next line.

A command that must think hands back a job. The job runs on a worker thread, and so does every command that arrived
meanwhile, until nothing waits; then the caller's thread takes over again. So commands never overlap, and none is lost.
Each begins on the runner's clock when its line came, and has a stop token from then on.
"""

from __future__ import annotations

import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from core.play.stop import StopToken
from protocols.serving.command_clock import CommandClock

Job = Callable[[], None]
Execute = Callable[[str], Job | None]
Recover = Callable[[str, Exception], None]


@dataclass(eq=False)
class ReceivedLine:
    """A line of the host. `stop` ends its command."""

    text: str
    waiting_since_ns: int  # when the host may have begun to wait for the answer
    number: int = 0  # counted from 1
    stop: StopToken = field(default_factory=StopToken)
    is_answered: bool = False
    is_abandoned: bool = False  # the answer is not wanted any more
    ends_with_next_line: bool = False  # the command is stopped by the next line
    ends_with_input: bool = False  # the command is stopped by the end of input


class CommandRunner:
    """Runs lines one after the other; may be called from any thread.

    `execute` runs one line and returns the job that completes it, or None. If either raises, which would be a bug,
    `recover` gets the line and the error and answers, and the next line has its turn.
    """

    def __init__(self, execute: Execute, recover: Recover, *, threaded: bool = True) -> None:
        self._execute = execute
        self._recover = recover
        self._threaded = threaded
        self._lock = threading.Lock()  # guards what follows, except the clock
        self._idle = threading.Condition(self._lock)
        self._busy = False
        self._waiting: deque[ReceivedLine] = deque()
        self._has_input_ended = False
        self.current = ReceivedLine("", 0, is_answered=True)  # the line that runs or ran last
        self.last = 0  # the number of the line that came last
        self.clock = CommandClock()

    @property
    def stop(self) -> StopToken:
        """The token of the running command."""
        return self.current.stop

    def submit(self, text: str, waiting_since_ns: int | None = None) -> None:
        """Run a line now, or after those before it. Return at once if a job has to think (threaded mode).

        `waiting_since_ns` is when the host may have begun to wait for the answer, by default now.
        """
        line = ReceivedLine(text, self.clock.now() if waiting_since_ns is None else waiting_since_ns)
        with self._lock:
            self.last = line.number = self.last + 1
            ended = self.current if self.current.ends_with_next_line else None
            is_first = not self._busy
            if is_first:
                self._busy, self.current = True, line
            else:
                self._waiting.append(line)
        if ended:
            ended.stop.set()
        if is_first:
            self._run(line)

    def mark_answered(self) -> None:
        """Note that the running line is answered; called before the write, as a fast host reacts at once."""
        with self._lock:
            self.current.is_answered = True

    def stop_next(self) -> None:
        """Stop the command that is to be answered next."""
        with self._lock:
            lines = self._unanswered()[:1]
        _stop(lines)

    def stop_all(self) -> None:
        """Stop every command that has come and is not answered."""
        with self._lock:
            lines = self._unanswered()
        _stop(lines)

    def abandon(self, keep: Callable[[str], bool]) -> None:
        """Stop the running command, whose answer nobody wants now, and drop the waiting lines that `keep` rejects."""
        with self._lock:
            self._waiting = deque(line for line in self._waiting if keep(line.text))
            self.current.is_abandoned = True
            lines = [self.current]
        _stop(lines)

    def end_input(self) -> None:
        """No more lines will come: stop each command that only the host would have ended."""
        with self._lock:
            self._has_input_ended = True
            lines = [self.current] if self.current.ends_with_input else []
        _stop(lines)

    def stop_at_next_line(self) -> None:
        """Let the next line stop the running command; it may have come already."""
        with self._lock:
            self.current.ends_with_next_line = True
            lines = [self.current] if self._waiting else []
        _stop(lines)

    def stop_at_input_end(self) -> None:
        """Let the end of input stop the running command; it may have come already."""
        with self._lock:
            self.current.ends_with_input = True
            lines = [self.current] if self._has_input_ended else []
        _stop(lines)

    def waiting(self) -> list[str]:
        """Return the lines whose turn has not come."""
        with self._lock:
            return [line.text for line in self._waiting]

    def wait_idle(self, timeout_s: float | None) -> bool:
        """Wait until nothing runs or waits, for ever if None; return False if that took too long."""
        with self._lock:
            return self._idle.wait_for(lambda: not self._busy, timeout_s)

    def _unanswered(self) -> list[ReceivedLine]:
        running = [self.current] if self._busy and not self.current.is_answered else []
        return [*running, *self._waiting]

    def _begin(self, line: ReceivedLine) -> Job | None:
        self.clock.begin(line.waiting_since_ns)
        try:
            return self._execute(line.text)
        except Exception as error:
            self._mend(line, error)
            return None

    def _finish(self, line: ReceivedLine, job: Job) -> None:
        try:
            job()
        except Exception as error:
            self._mend(line, error)

    def _mend(self, line: ReceivedLine, error: Exception) -> None:
        try:
            self._recover(line.text, error)
        except Exception:  # nothing more can be said to the host; the session must go on
            traceback.print_exc()

    def _run(self, first: ReceivedLine) -> None:
        line: ReceivedLine | None = first
        while line is not None:
            job = self._begin(line)
            if job is not None:
                if self._threaded and self._start_worker(line, job):
                    return
                self._finish(line, job)
            line = self._next()

    def _start_worker(self, line: ReceivedLine, job: Job) -> bool:
        """Go on in a worker thread; return False if the system has no thread left."""
        try:
            threading.Thread(target=self._work, args=(line, job), name="thinker", daemon=True).start()
        except RuntimeError:
            return False
        return True

    def _work(self, line: ReceivedLine, job: Job) -> None:
        self._finish(line, job)
        while (following := self._next()) is not None:
            next_job = self._begin(following)
            if next_job is not None:
                self._finish(following, next_job)

    def _next(self) -> ReceivedLine | None:
        with self._lock:
            if self._waiting:
                self.current = self._waiting.popleft()
                return self.current
            self._busy = False
            self._idle.notify_all()
            return None


def _stop(lines: list[ReceivedLine]) -> None:
    """Set tokens without holding the runner's lock: what they call may take a moment."""
    for line in lines:
        line.stop.set()
