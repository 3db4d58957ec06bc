"""The outermost loop of every protocol: bytes from standard input to a session, its lines to standard output.

- A daemon thread reads, so that a thinking session hears what comes. Lines may end in LF or CR LF; bytes that are no
  UTF-8, NULs and endless lines are made harmless here, so that a session sees short clean text.
- After the end of input everything that has come is answered, then the process ends. A search is finished within its
  own limits; one without any is stopped and answered at once.
- When nobody reads our output any more, the process ends: at once where the system tells (pipes and sockets on POSIX),
  else at the next line that it writes.
- Standard output carries protocol lines only. Other prints go to standard error, which an executable silences.
- SIGTERM ends the process without a word. Ctrl-C ends what a session thinks about, twice within a second the process.
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

from protocols.serving.command_clock import Arrivals
from protocols.serving.interrupts import hear_interrupts

MAX_LINE_BYTES = 65536  # far above any command (a path, a long UHP game); the rest of a longer line is dropped
READ_BYTES = 65536
_M_ARENA_MAX = -8  # of glibc's malloc.h
EXIT_GRACE_S = 0.15  # for closing a session; END and end of input must be obeyed within 0.3 s

Read = Callable[[], bytes]
Write = Callable[[bytes], None]


class Session(Protocol):
    """What the loop needs of a protocol's session."""

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:
        """Take one line, for which the host may be waiting since then (see `command_clock.py`); False ends."""

    def interrupt(self) -> None:
        """Have what runs answered with what it has so far; otherwise nothing happens. Called from any thread."""

    def end_input(self) -> None:
        """No more lines will come: stop the searches that only the host would have ended."""

    def close(self) -> None:
        """Stop everything; the answers are not wanted any more. Called from any thread, maybe twice."""

    def wait_idle(self, timeout_s: float | None) -> bool:
        """Wait until nothing runs any more, for ever if None; return False if that took too long."""


MakeSession = Callable[[Callable[[str], None]], Session]


def split_lines(read: Read, *, keeps_blanks: bool = False) -> Iterator[str]:
    """Yield the lines of a byte stream until `read` returns nothing, without the blanks round them unless kept."""
    decode = decode_whole_line if keeps_blanks else decode_line
    pending = b""
    overlong = False
    while chunk := read():
        *complete, pending = (pending + chunk).split(b"\n")
        for line in complete:
            if not overlong:
                yield decode(line)
            overlong = False
        if len(pending) > MAX_LINE_BYTES and not overlong:
            yield decode(pending)
            overlong = True
        if overlong:
            pending = b""
    if pending and not overlong:
        yield decode(pending)


def decode_line(line: bytes) -> str:
    """Text of a line without its end, a byte order mark, NULs and control characters; never fails."""
    return decode_whole_line(line).strip()


def decode_whole_line(line: bytes) -> str:
    """The same with the blanks at its ends."""
    text = line[:MAX_LINE_BYTES].decode("utf-8", errors="replace").lstrip("\ufeff").rstrip("\r")
    return "".join(character if character.isprintable() else " " for character in text.replace("\0", ""))


class LineWriter:
    """Writes whole lines from any thread; `on_broken` is called once when nobody reads any more."""

    def __init__(self, write: Write, on_broken: Callable[[], None]) -> None:
        self._write = write
        self._on_broken = on_broken
        self._lock = threading.Lock()
        self._broken = False

    def __call__(self, line: str) -> None:
        """Write one line and flush it; after a broken pipe, do nothing."""
        with self._lock:
            if self._broken:
                return
            try:
                self._write(line.encode("utf-8", errors="replace") + b"\n")
                return
            except OSError:  # the manager is gone; there is nobody to tell
                self._broken = True
        self._on_broken()


def serve(
    make_session: MakeSession,
    read: Read,
    write: Write,
    on_output_closed: Callable[[], None] = lambda: None,
    has_input: Callable[[], bool] = lambda: False,
) -> None:
    """Run a session until END, the end of input or a closed output.

    `read` returns nothing at the end of input, and raises BrokenPipeError when nobody reads our output any more; one
    that can tell that waits for it at the end of input. `has_input` says whether a read would find something at once.
    `on_output_closed` is called on any thread, after the session was closed.
    """
    lines: queue.SimpleQueue[tuple[str, int] | None] = queue.SimpleQueue()
    session: Session | None = None

    def give_up() -> None:
        if session:
            session.close()
        on_output_closed()
        lines.put(None)

    def pump() -> None:
        try:
            arrivals = Arrivals(read, has_input)
            for line in split_lines(arrivals.read):
                lines.put((line, arrivals.waiting_since_ns))
            lines.put(None)
            read()
        except BrokenPipeError:
            give_up()
        except OSError:  # the input broke: the same as its end
            lines.put(None)

    session = make_session(LineWriter(write, give_up))
    threading.Thread(target=pump, name="reader", daemon=True).start()
    try:
        while (came := lines.get()) is not None:
            if not session.handle(*came):
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
    keep_to_one_arena()
    output = _claim_stdout()

    def make_interruptible(write: Callable[[str], None]) -> Session:
        session = make_session(write)
        hear_interrupts(session.interrupt)
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
        traceback.print_exc()  # to standard error, never to the manager
        sys.stderr.flush()
        status = 1
    # A search that does not stop must not hold the process, and a daemon thread must not meet a dying interpreter.
    os._exit(status)


def make_stdin_reader(output: int) -> Read:
    """Return a function that reads standard input for `serve`, and watches who reads the output where that can be told.

    POSIX tells it of pipes and sockets; elsewhere only a write finds out.
    """
    if sys.platform == "win32":
        return lambda: os.read(0, READ_BYTES)
    import select  # on Windows it would load the sockets, which no bot needs

    poll = select.poll()
    poll.register(0, select.POLLIN)
    mode = os.fstat(output).st_mode
    watches_output = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    if watches_output:
        poll.register(output, 0)  # errors are reported unasked
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
    """Whether standard input has something to read, or has ended. Windows does not tell it of a pipe: maybe."""
    if sys.platform == "win32":
        return True
    import select

    return bool(select.select([0], [], [], 0)[0])


def keep_to_one_arena() -> None:
    """Let all threads allocate from one heap; before the first thread. Else Linux's C library reserves 64 MiB of
    addresses for each of them, which managers count as memory. One interpreter's threads gain nothing by more.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library, which has no such thing
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def warn_on_stderr(text: str) -> None:
    """Tell people what went wrong; standard output is the protocol's."""
    print(text, file=sys.stderr, flush=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; raise OSError where nobody reads."""
    while data:
        data = data[os.write(descriptor, data) :]


def _claim_stdout() -> int:
    """Keep standard output for the protocol and send stray prints to standard error, or nowhere in an executable.

    A closed standard input counts as empty. Without a standard output there is nobody to serve: exit with 1.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            if descriptor == 1:
                warn_on_stderr("standard output is closed, so nobody would get an answer")
                os._exit(1)
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is the closed one
    output = os.dup(1)
    if getattr(sys, "frozen", False):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the process ends
    sys.stdout = sys.stderr
    return output
