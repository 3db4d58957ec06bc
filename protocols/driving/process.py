"""A foreign program as a child process, for every protocol: lines out, stamped lines in, no process left behind.

- Both output streams are drained all the time; each line carries the monotonic time of its arrival.
- Every wait has a deadline, whatever comes meanwhile, and ends in one of three ways: a line, EngineTimeout, EngineDied.
- What nobody has looked at is bounded, and so is the pace of taking it in (`protocols/driving/line_buffers.py`).
- `kill`, `end` and the interpreter's exit end the whole tree of processes. A killed interpreter cannot do that; then
  the child sees the end of its input, also where it was stopped (`protocols/driving/process_tree.py`).
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
from protocols.driving.line_buffers import ArrivedLine, LineQueue, Pace, chunk_size_bytes
from protocols.driving.orphans import MARK, make_mark
from protocols.driving.process_tree import ProcessTree
from protocols.serving.serve import split_lines, write_all

STDERR_TAIL_BYTES = 8192
READ_BYTES = 65536
EXIT_POLL_S = 0.1  # how often a silent program is checked for being alive
EXIT_WAIT_S = 0.5  # between the end of a child's output and its own exit
STDERR_WAIT_S = 0.5  # for the last of standard error after a kill; a process that got away may hold it open


class EngineError(Exception):
    """An engine failed; the text says how. `stderr` is the tail of what it wrote there."""

    stderr: str = ""


class EngineMisbehaved(EngineError):
    """The engine lives but misbehaves. `kind` is `refused`, `illegal` or `stalled`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class EngineTimeout(EngineMisbehaved):
    """The engine gave no answer before the deadline."""

    def __init__(self, text: str) -> None:
        super().__init__("stalled", text)


class EngineTerminated(EngineError):
    """The engine is gone: it exited, crashed, closed its output or could not be started."""


LineCallback = Callable[[str, str, int], None]  # SENT or CAME, the line, when by time.perf_counter_ns()
SENT, RECEIVED = ">", "<"


def ignore_lines(mark: str, text: str, at_ns: int) -> None:
    """Nobody records what is said."""


_live: set[EngineProcess] = set()


class EngineProcess:
    """A running program with its `tree`. One thread reads its lines; `write` and `kill` may come from any thread."""

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
        """Start the program; raise EngineDied where that fails.

        `env` is added to our own environment; lines come without the blanks round them unless these are kept.
        `on_stderr` gets all of the standard error, from a thread of its own; most of it has come when `kill` returns.
        `on_line` gets every line of either side, stamped before, from the thread that sends or reads it.
        """
        self._keeps_blanks = keeps_blanks
        mark = make_mark()
        self._popen = _spawn(command, cwd, {**(env or {}), MARK: mark})
        self.tree = ProcessTree(self.pid, mark)
        self._lines = LineQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr_tail = b""
        self._on_stderr = on_stderr
        self._on_line = on_line
        self._stderr_ended = threading.Event()
        self._killing = threading.Lock()
        self._killed = threading.Event()
        _live.add(self)
        for work in (self._read_lines, self._drain_stderr, self._write_lines):
            threading.Thread(target=work, name=f"engine-{self.pid}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id of the program itself."""
        return self._popen.pid

    @property
    def exit_status(self) -> int | None:
        """Exit status once it was ended; negative is a signal."""
        return self._popen.returncode

    @property
    def stderr_tail(self) -> str:
        """The last of what the program wrote to its standard error."""
        return self._stderr_tail.decode("utf-8", errors="replace")

    def write(self, *lines: str) -> int:
        """Send lines without ever blocking and return when they were handed over, by time.perf_counter_ns().

        A program that is gone or reads nothing shows at the next wait.
        """
        data = "".join(f"{line}\n" for line in lines).encode()
        at_ns = time.perf_counter_ns()
        self._outgoing.put(data)
        for line in lines:
            self._on_line(SENT, line, at_ns)
        return at_ns

    def write_blocking(self, *lines: str) -> None:
        """Send a few lines and come back when they lie in the pipe; not beside `write`. OSError of a gone program."""
        for line in lines:
            self._on_line(SENT, line, time.perf_counter_ns())
        write_all(_need(self._popen.stdin).fileno(), "".join(f"{line}\n" for line in lines).encode())

    def wait_line(
        self,
        accept: Callable[[str], bool],
        deadline_ns: int,
        on_other: Callable[[ArrivedLine], None] | None = None,
    ) -> ArrivedLine:
        """Return the first line that `accept` likes and that came by the deadline; hand the others to `on_other`.

        Raise EngineTimeout, EngineDied.
        """
        while True:
            line = self._next_line(deadline_ns)
            if accept(line.text):
                return line
            if on_other:
                on_other(line)

    def _next_line(self, deadline_ns: int) -> ArrivedLine:
        exited = False
        while True:
            remaining_s = max(0.0, (deadline_ns - time.perf_counter_ns()) / 1e9)
            line = self._lines.get(min(remaining_s, EXIT_POLL_S))
            if line is not None and line.at_ns <= deadline_ns:
                return line
            if line is not None:
                raise EngineTimeout("no answer before the deadline")
            if exited or self._lines.is_over:
                raise EngineTerminated(self._describe_end())
            exited = self._has_exited()  # a child of a dead program may hold its output open
            if not exited and time.perf_counter_ns() >= deadline_ns:
                raise EngineTimeout("no answer before the deadline")

    def drain(self) -> list[ArrivedLine]:
        """Lines that have come and nobody waited for."""
        return self._lines.drain()

    def wait_exit(self, timeout_s: float) -> bool:
        """Wait for the program itself to exit, without collecting its status; False where it goes on."""
        deadline = time.perf_counter() + timeout_s
        while not (exited := self._has_exited()) and time.perf_counter() < deadline:
            time.sleep(0.005)
        return exited

    def close_input(self) -> None:
        """End the program's input once everything written is through."""
        self._outgoing.put(None)

    def end(self, grace_s: float) -> int | None:
        """Close the input, give the program time to exit by itself, then kill what is left; return the exit status."""
        self.tree.wake()
        self.close_input()
        self.wait_exit(grace_s)
        self.kill()
        return self.exit_status

    def kill(self) -> None:
        """End the whole tree now, as `ProcessTree.kill` does; nothing happens where that was done before."""
        with self._killing:
            if self._killed.is_set():
                return
            self.tree.kill()
            self._popen.wait()
            self._stderr_ended.wait(STDERR_WAIT_S)
            self._killed.set()
            self._lines.end()
            self._outgoing.put(None)
            _live.discard(self)

    def kill_soon(self) -> None:
        """Begin `kill` and return at once, so that several programs have their grace at the same time."""
        threading.Thread(target=self.kill, name=f"kill-{self.pid}").start()

    def _has_exited(self) -> bool:
        """Whether the program ended, leaving its status uncollected on POSIX so that its group can still be killed."""
        if self._killed.is_set() or os.name == "nt":
            return self._popen.poll() is not None
        try:
            return bool(psutil.Process(self.pid).status() == psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return True

    def _describe_end(self) -> str:
        exited = self.wait_exit(EXIT_WAIT_S)
        self.kill()
        how = f"exited with status {self.exit_status}" if exited else "closed its output"
        last = self.stderr_tail.strip().splitlines()[-1:]
        return f"{how}: {last[0]}" if last else how

    def _read_lines(self) -> None:
        stream = _need(self._popen.stdout)
        read, came_ns = self._read_paced(stream), 0

        def read_stamped() -> bytes:
            nonlocal came_ns
            chunk = read()
            came_ns = time.perf_counter_ns()  # of all its lines: work on the earlier ones is not the engine's time
            return chunk

        with stream, contextlib.suppress(OSError):  # a broken stream is an ended one
            for text in split_lines(read_stamped, keeps_blanks=self._keeps_blanks):
                line = ArrivedLine(text, came_ns)
                if not self._lines.put(line):
                    break
                self._on_line(RECEIVED, text, line.at_ns)
        self._lines.end()

    def _drain_stderr(self) -> None:
        stream = _need(self._popen.stderr)
        read = self._read_paced(stream)
        with stream, contextlib.suppress(OSError):
            while chunk := read():
                self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_TAIL_BYTES:]
                self._on_stderr(chunk)
        self._stderr_ended.set()

    def _read_paced(self, stream: IO[bytes]) -> Callable[[], bytes]:
        """What reads on, not too fast; nothing after a kill, where somebody who got away may still be writing."""
        pace = Pace()

        def read() -> bytes:
            pace.rest()
            chunk = b"" if self._killed.is_set() else stream.read(READ_BYTES)
            pace.book(chunk_size_bytes(chunk))
            return chunk

        return read

    def _write_lines(self) -> None:
        stream = _need(self._popen.stdin)
        # A broken pipe is no news here: the end of the program's output tells the reader's side.
        with contextlib.suppress(OSError), stream:
            while (data := self._outgoing.get()) is not None:
                write_all(stream.fileno(), data)


def _need(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _spawn(command: str | Sequence[str], cwd: str | Path | None, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    words = split_command(command)
    if not words:
        raise EngineTerminated("cannot start: the command is empty")
    words[0] = resolve_program(words[0], cwd)
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        return subprocess.Popen(
            words,
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
        raise EngineTerminated(f"cannot start {words[0]}: {error}") from error


def resolve_program(program: str, cwd: str | Path | None) -> str:
    """A path with a folder in it is looked up in the engine's folder first, then in ours; a bare name on the PATH."""
    for folder in ([Path(cwd)] if cwd else []) + [Path.cwd()]:
        path = folder / program
        if Path(program).name != program and path.is_file():
            return str(path.absolute())
    return program


@atexit.register
def _kill_all() -> None:
    live = list(_live)
    for process in live:
        process.tree.terminate()
    for process in live:
        process.kill()
