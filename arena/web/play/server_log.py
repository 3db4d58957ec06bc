"""The log of the play page's server: one short line on standard error for each warning or error.

Standard error may be a pipe that nobody reads, and a write to a full pipe blocks. So a thread of its own writes the
lines, and the server never waits for it.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from arena.log.engine_output import printable_line

STDERR = 2  # file descriptor; `sys.stderr` has a lock, which a blocked thread would hold
MAX_WAITING = 100  # lines that wait to be written; more are dropped
LINE_LENGTH = 200  # characters


class LineLog(logging.Handler):
    """A logging handler that writes lines to a file descriptor and never blocks the thread that logs."""

    def __init__(self, descriptor: int = STDERR) -> None:
        super().__init__(logging.WARNING)
        self._descriptor = descriptor
        self._lines: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING)
        threading.Thread(target=self._write, name="server-log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record to be written; drop it if MAX_WAITING are queued already."""
        error = record.exc_info[1] if record.exc_info else None
        text = record.getMessage() + (f" {type(error).__name__}: {error}" if error else "")
        with suppress(queue.Full):
            self._lines.put_nowait(f"pentad: {printable_line(text, LINE_LENGTH)}\n".encode())

    def close(self) -> None:
        """Let the thread end after the queued lines. If the queue is full, it stays blocked; it is a daemon thread."""
        with suppress(queue.Full):
            self._lines.put_nowait(None)
        super().close()

    def _write(self) -> None:
        with suppress(OSError):  # standard error is closed, so there is nowhere to log to
            while line := self._lines.get():
                os.write(self._descriptor, line)


@contextmanager
def logging_lines() -> Iterator[None]:
    """Write warnings and errors of all loggers as lines on standard error while the context lasts."""
    root, handler = logging.getLogger(), LineLog()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
