"""The outermost loop of every protocol: bytes from standard input to a session, its lines to standard output.

- A daemon thread reads, so that a thinking session hears what comes. Lines may end in LF or CR LF; bytes that are no
  UTF-8, NULs and endless lines are made harmless here, so that a session sees short clean text.
- The end of input ends the process, also while thinking: at once, or when what has come is answered, as the protocol
  wants it. So does a manager that no longer reads our output.
- Standard output carries protocol lines only. Other prints go to standard error, which an executable silences.
- SIGTERM ends the process without a word. Ctrl-C ends what a session thinks about, twice within a second the process.
"""

from __future__ import annotations

import ctypes
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NoReturn, Protocol

from protocols.serving.arrivals import Arrivals
from protocols.serving.interrupts import hear_interrupts

MAX_LINE_BYTES = 65536  # far above any command (a path, a long UHP game); the rest of a longer line is dropped
READ_BYTES = 65536
_M_ARENA_MAX = -8  # of glibc's malloc.h
EXIT_GRACE_S = 0.15  # for closing a session; END and end of input must be obeyed within 0.3 s
END_GRACE_S = 2.0  # for the answers that are due when the input ends, where they count

Read = Callable[[], bytes]
Write = Callable[[bytes], None]


class Session(Protocol):
    """What the loop needs of a protocol's session."""

    def handle(self, line: str, since_ns: int | None = None) -> bool:
        """Take one line, for which the host may be waiting since then (see `arrivals.py`); False ends."""

    def interrupt(self) -> None:
        """Have what runs answered with what it has so far; otherwise nothing happens. Called from any thread."""

    def close(self) -> None:
        """End a running search, and those to come at once. Called from any thread, maybe twice."""

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until nothing runs any more; False where that took too long."""


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
    on_input_end: Callable[[], None] | None = None,
    end_grace_s: float = EXIT_GRACE_S,
    has_input: Callable[[], bool] = lambda: False,
) -> None:
    """Run a session until END, the end of input or a broken output; then it has some time to come to rest.

    That is `end_grace_s`, and after END, which wants no answers, EXIT_GRACE_S.
    `has_input` says whether a read would find something at once. `on_input_end` is called on the reader's thread after
    the last line, for sessions that think inside `handle`.
    """
    lines: queue.SimpleQueue[tuple[str, int] | None] = queue.SimpleQueue()
    session = make_session(LineWriter(write, lambda: lines.put(None)))

    def pump() -> None:
        try:
            arrivals = Arrivals(read, has_input)
            for line in split_lines(arrivals.read):
                lines.put((line, arrivals.since_ns))
        except OSError:  # the input broke: the same as its end
            pass
        finally:
            lines.put(None)
            if on_input_end:
                on_input_end()

    threading.Thread(target=pump, name="reader", daemon=True).start()
    came: tuple[str, int] | None = None
    try:
        while (came := lines.get()) is not None and session.handle(*came):
            pass
    finally:
        session.close()
        session.wait_idle(end_grace_s if came is None else EXIT_GRACE_S)


def serve_stdio(make_session: MakeSession, end_grace_s: float | None = None) -> NoReturn:
    """Serve on standard input and output, then end the process.

    A session whose answers count to the last has `end_grace_s` for them after the end of input; without it the process
    ends at once, whatever it does.
    """
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
            lambda: os.read(0, READ_BYTES),
            lambda data: write_all(output, data),
            exit_soon if end_grace_s is None else None,
            EXIT_GRACE_S if end_grace_s is None else end_grace_s,
            stdin_has_input,
        )
    except Exception:
        traceback.print_exc()  # to standard error, never to the manager
        sys.stderr.flush()
        status = 1
    # A search that does not stop must not hold the process, and a daemon thread must not meet a dying interpreter.
    os._exit(status)


def stdin_has_input() -> bool:
    """Whether standard input has something to read, or has ended. Windows does not tell it of a pipe: maybe."""
    if sys.platform == "win32":
        return True
    import select  # on Windows it would load the sockets, which no bot needs

    return bool(select.select([0], [], [], 0)[0])


def keep_to_one_arena() -> None:
    """Let all threads allocate from one heap; before the first thread. Else Linux's C library reserves 64 MiB of
    addresses for each of them, which managers count as memory. One interpreter's threads gain nothing by more.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library, which has no such thing
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def complain_to_stderr(text: str) -> None:
    """Tell people what went wrong; standard output is the protocol's."""
    print(text, file=sys.stderr, flush=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; raise OSError where nobody reads."""
    while data:
        data = data[os.write(descriptor, data) :]


def _claim_stdout() -> int:
    """Keep standard output for the protocol and send stray prints to standard error, or nowhere in an executable."""
    output = os.dup(1)
    if getattr(sys, "frozen", False):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the process ends
    sys.stdout = sys.stderr
    return output
