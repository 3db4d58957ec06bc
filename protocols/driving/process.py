"""Runs an engine as a child process: sends lines, receives lines with time stamps, ends the whole process tree.

- Threads read stdout and stderr all the time; each line carries the time at which it was read.
- Every wait has a deadline and ends with a line, EngineTimeout or EngineTerminated.
- The queue of unread lines is bounded and reading is rate-limited (`protocols/driving/line_buffers.py`).
- `kill`, `end` and the exit of the interpreter end the process tree. If the interpreter itself is killed, the engine
  reads the end of its input, even if it was suspended (`protocols/driving/process_tree.py`).
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil

from protocols.command_line import split_command
from protocols.driving.line_buffers import ArrivedLine, LineQueue, Throttle, chunk_size_bytes
from protocols.driving.orphans import MARK_VARIABLE, make_mark
from protocols.driving.process_tree import ProcessTree
from protocols.serving.serve import split_lines, write_all

STDERR_TAIL_BYTES = 8192  # number of bytes kept of the end of an engine's standard error
READ_BYTES = 65536  # most bytes of one read
ALIVE_CHECK_S = 0.1  # how often to check whether a silent engine has exited
EXIT_TIMEOUT_S = 0.5  # from the end of its output to the exit of the engine
STDERR_END_TIMEOUT_S = 0.5  # for the end of stderr after a kill; a process that was not found may keep the pipe open


class EngineError(Exception):
    """Base class of an engine's failures. `stderr` is the end of its standard error."""

    stderr: str = ""


class EngineMisbehaved(EngineError):
    """The engine runs, but its answer is wrong or missing.

    `kind` is `refused` (an error or a malformed answer), `illegal` (a move outside the rules) or `stalled` (no answer).
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class EngineTimeout(EngineMisbehaved):
    """The engine did not answer before the deadline."""

    def __init__(self, text: str) -> None:
        super().__init__("stalled", text)


class EngineTerminated(EngineError):
    """The engine exited, crashed, closed its output or could not be started."""


# Called with the direction (SENT or RECEIVED), the line, and the time at which it was sent or read, by
# time.perf_counter_ns()
LineCallback = Callable[[str, str, int], None]
SENT, RECEIVED = ">", "<"


def ignore_lines(direction: str, text: str, at_ns: int) -> None:
    """The default LineCallback: do nothing."""


_running_processes: set[EngineProcess] = set()  # killed at exit


class EngineProcess:
    """A running engine. `tree` holds its processes.

    Call `wait_line` and `drain` from one thread; `write` and `kill` may be called from any thread.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        keeps_blanks: bool = False,
        on_stderr: Callable[[bytes], None] = lambda _: None,
        on_line: LineCallback = ignore_lines,
    ) -> None:
        """Start the engine; raise EngineTerminated if that fails.

        Raise ValueError if a quotation in `command` is not closed. `env` is added to our environment. Lines are
        stripped unless `keeps_blanks`. `on_stderr` is called from its own thread with all bytes of the standard error,
        almost always before `kill` returns. `on_line` is called for each line that is sent or received, in the sending
        or reading thread, with the time stamp of the line.
        """
        self._keeps_blanks = keeps_blanks
        mark = make_mark()
        self._popen = _spawn(command, cwd, {**(env or {}), MARK_VARIABLE: mark})
        self.tree = ProcessTree(self.pid, mark)
        self._lines = LineQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr_tail = b""
        self._on_stderr = on_stderr
        self._on_line = on_line
        self._stderr_ended = threading.Event()
        self._kill_lock = threading.Lock()
        self._is_killed = threading.Event()
        _running_processes.add(self)
        for thread_function in (self._read_lines, self._drain_stderr, self._write_lines):
            threading.Thread(target=thread_function, name=f"engine-{self.pid}", daemon=True).start()

    @property
    def pid(self) -> int:
        """Return the process id of the engine."""
        return self._popen.pid

    @property
    def exit_status(self) -> int | None:
        """Return the exit status, -N if signal N has ended the engine (POSIX), or None while it runs."""
        return self._popen.returncode

    @property
    def stderr_tail(self) -> str:
        """Return the last STDERR_TAIL_BYTES of the engine's standard error."""
        return self._stderr_tail.decode("utf-8", errors="replace")

    def write(self, *lines: str) -> int:
        """Queue lines for sending and return the time by time.perf_counter_ns(). Never blocks.

        If the engine has exited or does not read, the next `wait_line` raises.
        """
        data = "".join(f"{line}\n" for line in lines).encode()
        at_ns = time.perf_counter_ns()
        self._outgoing.put(data)
        for line in lines:
            self._on_line(SENT, line, at_ns)
        return at_ns

    def write_blocking(self, *lines: str) -> None:
        """Write lines and return when they are in the pipe. Use either this method or `write`, not both.

        Raise OSError if the engine has exited.
        """
        for line in lines:
            self._on_line(SENT, line, time.perf_counter_ns())
        write_all(_require_stream(self._popen.stdin).fileno(), "".join(f"{line}\n" for line in lines).encode())

    def wait_line(
        self,
        accept: Callable[[str], bool],
        deadline_ns: int,
        on_other: Callable[[ArrivedLine], None] | None = None,
    ) -> ArrivedLine:
        """Return the first line that satisfies `accept` and arrived before the deadline.

        Pass all lines before it to `on_other`. Raise EngineTimeout or EngineTerminated. `deadline_ns` is a time by
        time.perf_counter_ns(). The time at which a line was read counts, not the time at which this method gets it.
        """
        while True:
            line = self._next_line(deadline_ns)
            if accept(line.text):
                return line
            if on_other:
                on_other(line)

    def _next_line(self, deadline_ns: int) -> ArrivedLine:
        """Return the next line. Raise EngineTimeout at the deadline, EngineTerminated when no more lines can come."""
        has_exited = False
        while True:
            remaining_s = max(0.0, (deadline_ns - time.perf_counter_ns()) / 1e9)
            line = self._lines.get(min(remaining_s, ALIVE_CHECK_S))
            if line is not None and line.at_ns <= deadline_ns:
                return line
            if line is not None:
                raise EngineTimeout("no answer before the deadline")
            if has_exited or self._lines.is_exhausted:
                raise EngineTerminated(self._kill_and_describe())
            # If a child of the engine holds the output open after the exit, check once more for a line that was read
            # meanwhile, and give up.
            has_exited = self._has_exited()
            if not has_exited and time.perf_counter_ns() >= deadline_ns:
                raise EngineTimeout("no answer before the deadline")

    def drain(self) -> list[ArrivedLine]:
        """Remove and return all lines that have arrived."""
        return self._lines.drain()

    def wait_exit(self, timeout_s: float) -> bool:
        """Wait for the engine to exit, without reaping it on POSIX. Return False if it still runs."""
        deadline_s = time.perf_counter() + timeout_s
        while not (has_exited := self._has_exited()) and time.perf_counter() < deadline_s:
            time.sleep(0.005)
        return has_exited

    def close_input(self) -> None:
        """Close the engine's stdin after all queued lines are written."""
        self._outgoing.put(None)

    def end(self, grace_s: float) -> int | None:
        """Close stdin, wait for the engine to exit, then kill the remaining processes. Return the exit status."""
        self.tree.wake()
        self.close_input()
        self.wait_exit(grace_s)
        self.kill()
        return self.exit_status

    def kill(self) -> None:
        """End the process tree by `ProcessTree.kill`, which sends SIGTERM first. Further calls do nothing."""
        with self._kill_lock:
            if self._is_killed.is_set():
                return
            self.tree.kill()
            self._popen.wait()
            self._stderr_ended.wait(STDERR_END_TIMEOUT_S)
            self._is_killed.set()
            self._lines.close()
            self._outgoing.put(None)
            _running_processes.discard(self)

    def kill_in_background(self) -> None:
        """Run `kill` in a thread and return at once, so that several engines are ended in parallel."""
        threading.Thread(target=self.kill, name=f"kill-{self.pid}").start()

    def _has_exited(self) -> bool:
        """Return whether the engine has exited. On POSIX it is not reaped, so that its group can still be killed."""
        if self._is_killed.is_set() or os.name == "nt":
            return self._popen.poll() is not None
        try:
            return bool(psutil.Process(self.pid).status() == psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return True

    def _kill_and_describe(self) -> str:
        """Kill the process tree and return how the engine ended, for example `exited with status 1: KeyError: 'x'`."""
        has_exited = self.wait_exit(EXIT_TIMEOUT_S)
        self.kill()
        reason = f"exited with status {self.exit_status}" if has_exited else "closed its output"
        last_lines = self.stderr_tail.strip().splitlines()[-1:]
        return f"{reason}: {last_lines[0]}" if last_lines else reason

    def _read_lines(self) -> None:
        """Thread: queue the lines of the engine's standard output until its end."""
        stream = _require_stream(self._popen.stdout)
        read, read_at_ns = self._make_throttled_read(stream), 0

        def read_stamped() -> bytes:
            nonlocal read_at_ns
            chunk = read()
            read_at_ns = time.perf_counter_ns()  # one time for all lines of the chunk, however long `on_line` takes
            return chunk

        with stream, contextlib.suppress(OSError):  # a read error counts as the end of the output
            for text in split_lines(read_stamped, keeps_blanks=self._keeps_blanks):
                line = ArrivedLine(text, read_at_ns)
                if not self._lines.put(line):
                    break
                self._on_line(RECEIVED, text, line.at_ns)
        self._lines.close()

    def _drain_stderr(self) -> None:
        """Thread: keep the end of the engine's standard error, and pass all of it to `on_stderr`."""
        stream = _require_stream(self._popen.stderr)
        read = self._make_throttled_read(stream)
        with stream, contextlib.suppress(OSError):
            while chunk := read():
                self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_TAIL_BYTES:]
                self._on_stderr(chunk)
        self._stderr_ended.set()

    def _make_throttled_read(self, stream: IO[bytes]) -> Callable[[], bytes]:
        """Return a function that reads the stream at a limited rate.

        After `kill` it returns no bytes, even if a process that was not found still writes.
        """
        throttle = Throttle()

        def read() -> bytes:
            throttle.wait()
            chunk = b"" if self._is_killed.is_set() else stream.read(READ_BYTES)
            throttle.charge(chunk_size_bytes(chunk))
            return chunk

        return read

    def _write_lines(self) -> None:
        """Thread: write the queued lines to the engine's standard input, until `close_input` or `kill`."""
        stream = _require_stream(self._popen.stdin)
        # A broken pipe needs no handling here: the reader thread notices the end of the engine's output.
        with contextlib.suppress(OSError), stream:
            while (data := self._outgoing.get()) is not None:
                write_all(stream.fileno(), data)


def _require_stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _spawn(command: str | Sequence[str], cwd: str | Path | None, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    arguments = split_command(command)
    if not arguments:
        raise EngineTerminated("cannot start: the command is empty")
    arguments[0] = resolve_program(arguments[0], cwd)
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        return subprocess.Popen(
            arguments,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **env},
            process_group=None if os.name == "nt" else 0,
            creationflags=flags,
        )
    except (OSError, ValueError) as error:
        raise EngineTerminated(f"cannot start {arguments[0]}: {error}") from error


def resolve_program(program: str, cwd: str | Path | None) -> str:
    """Return the absolute path of a program that is given as a path to a file.

    A relative path is looked up in `cwd`, then in our working directory. Other names are returned unchanged; Popen
    looks them up on the PATH.
    """
    for folder in ([Path(cwd)] if cwd else []) + [Path.cwd()]:
        path = folder / program
        if Path(program).name != program and path.is_file():
            return str(path.absolute())
    return program


@atexit.register
def _kill_all() -> None:
    engines = list(_running_processes)
    for engine in engines:  # terminate all before waiting for any
        engine.tree.terminate()
    for engine in engines:
        engine.kill()
