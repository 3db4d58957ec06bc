"""The server's log on standard error: one short line for each problem, from a thread that may wait for its reader.

Whoever started the server may have given it a pipe and never read it. The server itself must not wait then.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from arena.log.engine_output import printable_line

STDERR = 2  # the descriptor: a thread that waits must not hold the lock of `sys.stderr`
MAX_WAITING = 100  # lines that nobody has read; later ones are dropped
LINE_LENGTH = 200  # characters


class LineLog(logging.Handler):
    """Writes records to a descriptor without ever blocking the thread that logs."""

    def __init__(self, descriptor: int = STDERR) -> None:
        super().__init__(logging.WARNING)
        self._descriptor = descriptor
        self._lines: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING)
        threading.Thread(target=self._write, name="server-log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record; drop it if too many wait already."""
        error = record.exc_info[1] if record.exc_info else None
        text = record.getMessage() + (f" {type(error).__name__}: {error}" if error else "")
        with suppress(queue.Full):
            self._lines.put_nowait(f"pentad: {printable_line(text, LINE_LENGTH)}\n".encode())

    def close(self) -> None:
        """End the thread when all is written, unless nobody reads."""
        with suppress(queue.Full):
            self._lines.put_nowait(None)
        super().close()

    def _write(self) -> None:
        with suppress(OSError):  # standard error is closed: there is nobody to tell
            while line := self._lines.get():
                os.write(self._descriptor, line)


@contextmanager
def logging_lines() -> Iterator[None]:
    """Write what any part of the server logs, warnings and worse, as lines."""
    root, handler = logging.getLogger(), LineLog()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
