"""The main loop of every protocol: reads lines from standard input, passes them to a session and writes its answers.

- A daemon thread reads, so that commands are received while the session searches. Lines end in LF or CR LF. Invalid
  UTF-8 and control characters are replaced, and long lines are cut, so that a session gets printable lines.
- At the end of input all pending commands are answered, then the process ends. A search with limits runs to its end; a
  search without limits is stopped and answered at once.
- When nobody reads our output any more, the process ends: at once if the system reports it (pipes and sockets on
  POSIX), otherwise at the next write.
- Standard output carries protocol lines only. Other prints go to standard error, which an executable discards.
- SIGTERM ends the process at once. Ctrl-C stops the running search; twice within a second it ends the process.
"""

from __future__ import annotations

import ctypes
import os
import queue
import signal
import stat
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NoReturn, Protocol

from protocols.serving.command_clock import TimestampedReader
from protocols.serving.interrupts import listen_for_interrupts

MAX_LINE_BYTES = 65536  # longer than any command, such as a path or a long GameString
# Replaces longer lines: no command of any protocol, so that it is answered by an error.
OVERLONG_LINE = f"line-of-more-than-{MAX_LINE_BYTES}-bytes"
READ_BYTES = 65536  # most bytes of one read
_M_ARENA_MAX = -8  # the mallopt parameter of glibc's malloc.h
EXIT_GRACE_S = 0.15  # time to close a session; the process must end within 0.3 s after END or the end of input

Read = Callable[[], bytes]
Write = Callable[[bytes], None]


class Session(Protocol):
    """What the main loop needs of a session, the conversation with one host."""

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:
        """Handle one line; return False to end the session.

        `waiting_since_ns` is the earliest time at which the host can have sent it (see `command_clock.py`).
        """

    def interrupt(self) -> None:
        """Stop the running command, which answers with its result so far. Does nothing when idle. Thread-safe."""

    def end_input(self) -> None:
        """React to the end of input: stop searches that only a later line could have stopped."""

    def close(self) -> None:
        """Stop the running command, which may still be answered, and drop the queued ones.

        Thread-safe; may be called twice.
        """

    def wait_idle(self, timeout_s: float | None) -> bool:
        """Wait until nothing runs, for ever if the timeout is None; return False after a timeout."""


MakeSession = Callable[[Callable[[str], None]], Session]


def split_lines(read: Read, *, keeps_blanks: bool = False, overlong: str | None = None) -> Iterator[str]:
    """Yield the lines of a byte stream until `read` returns b"".

    Lines are decoded and cut as by `decode_line`; with `keeps_blanks` the blanks at both ends of a line are kept. If
    `overlong` is not None, it replaces the lines that would be cut.
    """
    clean = decode_line_with_blanks if keeps_blanks else decode_line

    def decode(line: bytes) -> str:
        return clean(line) if overlong is None or len(line) <= MAX_LINE_BYTES else overlong

    pending = b""
    is_overlong = False
    while chunk := read():
        *complete, pending = (pending + chunk).split(b"\n")
        for line in complete:
            if not is_overlong:
                yield decode(line)
            is_overlong = False
        if len(pending) > MAX_LINE_BYTES and not is_overlong:
            yield decode(pending)
            is_overlong = True
        if is_overlong:
            pending = b""
    if pending and not is_overlong:
        yield decode(pending)


def decode_line(line: bytes) -> str:
    """Return a line as printable text, without its line end, byte order mark, NULs and surrounding blanks.

    Other control characters become blanks, and bytes after MAX_LINE_BYTES are dropped. This never raises.
    """
    return decode_line_with_blanks(line).strip()


def decode_line_with_blanks(line: bytes) -> str:
    """Decode a line as `decode_line` does, but keep the blanks at its ends."""
    text = line[:MAX_LINE_BYTES].decode("utf-8", errors="replace").lstrip("\ufeff").rstrip("\r").replace("\0", "")
    if text.isprintable():  # almost always; the loop below takes 0.1 ms for a long line
        return text
    return "".join(character if character.isprintable() else " " for character in text)


class LineWriter:
    """Writes whole lines; thread-safe. `on_broken` is called once, when a write finds the pipe broken."""

    def __init__(self, write: Write, on_broken: Callable[[], None]) -> None:
        self._write = write
        self._on_broken = on_broken
        self._lock = threading.Lock()
        self._is_broken = False

    def __call__(self, line: str) -> None:
        """Write one line; do nothing after a broken pipe."""
        with self._lock:
            if self._is_broken:
                return
            try:
                self._write(line.encode("utf-8", errors="replace") + b"\n")
                return
            except OSError:  # the host has ended, so there is nobody to report this to
                self._is_broken = True
        self._on_broken()


def serve(
    make_session: MakeSession,
    read: Read,
    write: Write,
    on_output_closed: Callable[[], None] = lambda: None,
    has_input: Callable[[], bool] = lambda: False,
) -> None:
    """Run a session until its quit command, the end of input or a closed output.

    `read` returns b"" at the end of input. It may raise BrokenPipeError when nobody reads our output any more. It is
    called once more after the end of input; if it can raise that error, it waits until then. `has_input` returns
    whether a read would return at once. If the output is closed, the session is closed first, then `on_output_closed`
    is called, on any thread.
    """
    lines: queue.SimpleQueue[tuple[str, int] | None] = queue.SimpleQueue()
    session: Session | None = None

    def stop_serving() -> None:
        if session:
            session.close()
        on_output_closed()
        lines.put(None)

    def read_input() -> None:
        try:
            reader = TimestampedReader(read, has_input)
            for line in split_lines(reader.read, overlong=OVERLONG_LINE):
                lines.put((line, reader.waiting_since_ns))
            lines.put(None)
            read()
        except BrokenPipeError:
            stop_serving()
        except OSError:  # a read error counts as the end of input
            lines.put(None)

    session = make_session(LineWriter(write, stop_serving))
    threading.Thread(target=read_input, name="reader", daemon=True).start()
    try:
        while (item := lines.get()) is not None:
            if not session.handle(*item):
                break
        else:
            session.end_input()
            session.wait_idle(None)
    finally:
        session.close()
        session.wait_idle(EXIT_GRACE_S)


def serve_stdio(make_session: MakeSession) -> NoReturn:
    """Serve on standard input and output, then end the process."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    use_one_heap()
    output = _claim_stdout()

    def make_interruptible(write: Callable[[str], None]) -> Session:
        session = make_session(write)
        listen_for_interrupts(session.interrupt)
        return session

    def exit_soon() -> None:
        threading.Timer(EXIT_GRACE_S, os._exit, (0,)).start()

    status = 0
    try:
        serve(
            make_interruptible,
            make_stdin_reader(output),
            lambda data: write_all(output, data),
            exit_soon,
            stdin_has_input,
        )
    except Exception:
        traceback.print_exc()  # to standard error, never to the host
        sys.stderr.flush()
        status = 1
    # Not sys.exit: a search that does not stop would keep the process alive, and a daemon thread could crash during the
    # interpreter's shutdown.
    os._exit(status)


def make_stdin_reader(output: int) -> Read:
    """Return a function that reads standard input for `serve` and, if it can, reports that the output was closed.

    POSIX reports this for pipes and sockets; in other cases only a write finds out.
    """
    if sys.platform == "win32":
        return lambda: os.read(0, READ_BYTES)
    import select  # imported here because on Windows it loads the socket library, which no bot needs

    poll = select.poll()
    poll.register(0, select.POLLIN)
    mode = os.fstat(output).st_mode
    watches_output = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    if watches_output:
        poll.register(output, 0)  # with an empty mask poll still reports errors and hang-ups
    has_ended = False

    def read() -> bytes:
        nonlocal has_ended
        if has_ended and not watches_output:
            return b""
        if any(descriptor == output for descriptor, _ in poll.poll()):
            raise BrokenPipeError
        chunk = os.read(0, READ_BYTES)
        if not chunk:
            has_ended = True
            poll.unregister(0)
        return chunk

    return read


def stdin_has_input() -> bool:
    """Return whether standard input has data or has ended. Always true on Windows, which cannot poll a pipe."""
    if sys.platform == "win32":
        return True
    import select

    return bool(select.select([0], [], [], 0)[0])


def use_one_heap() -> None:
    """Let all threads allocate from one heap (malloc arena). Call this before the first thread starts.

    By default glibc reserves 64 MiB of address space for each thread, which tournament managers count as memory.
    Python threads gain nothing from more heaps.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # a C library without mallopt, such as musl
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def warn_on_stderr(text: str) -> None:
    """Write a message for people to standard error, because standard output carries the protocol."""
    print(text, file=sys.stderr, flush=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes to a file descriptor; raise OSError if the other end is closed."""
    while data:
        data = data[os.write(descriptor, data) :]


def _claim_stdout() -> int:
    """Return a new descriptor of standard output for the protocol, and send other prints to standard error.

    In an executable other prints are discarded. If standard input or error is closed, the null device is opened in its
    place. If standard output is closed, exit with status 1, because there is nobody to serve.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            if descriptor == 1:
                warn_on_stderr("standard output is closed, so nobody would get an answer")
                os._exit(1)
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free descriptor, which is the closed one
    output = os.dup(1)
    if getattr(sys, "frozen", False):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the process ends
    sys.stdout = sys.stderr
    return output
