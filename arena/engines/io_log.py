"""Log of the lines sent to and received from an engine, for debugging."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from arena.engines.names import make_unique
from arena.log.engine_output import make_printable
from core.system.files import naming_file
from protocols.driving.line_buffers import line_size_bytes
from protocols.driving.process import RECEIVED

FOLDER = "io"
MAX_LINE_CHARS = 2000  # kept per line
MAX_RECEIVED_BYTES = 32 << 20  # per game; verbose engines send about a hundredth of it
NS_PER_S = 1e9


def file_names(engine_names: Sequence[str]) -> list[str]:
    """Return a different name for the files of each engine: its own name, unusual characters as underscores."""
    return make_unique([re.sub(r"[^\w.-]", "_", name) for name in engine_names], ())


class IoLog:
    """Writes the lines of one engine in all games of one slot (games at the same time are in different slots).

    Any thread may write. If a line cannot be written, for example on a full disk, the next `write_heading` raises the
    error, and `record` does not.

    A line is `SECONDS > text` if it was sent to the engine and `SECONDS < text` if it was received; seconds count from
    the opening of the log. Lines sent and received at the same time may appear in either order. Output of a
    game beyond MAX_RECEIVED_BYTES is dropped; the number of dropped lines is written at the end of the game.
    """

    def __init__(self, directory: Path, name: str, slot: int) -> None:
        """Open `io/NAME-N.log` in the folder of a run to append lines; N is `slot` + 1.

        `name` is one of `file_names`.
        """
        folder = directory / FOLDER
        folder.mkdir(exist_ok=True)
        self._lock = threading.Lock()
        self._path = folder / f"{name}-{slot + 1}.log"
        self._error: OSError | None = None  # the first one, after which nothing is written
        self._file: TextIO = self._path.open("a", encoding="utf-8", newline="\n")
        self._opened_ns = time.perf_counter_ns()
        self._received_bytes = self._dropped_lines = 0  # in this game

    def write_heading(self, title: str) -> None:
        """Write a heading for a game; raise `OSError` if this or an earlier line could not be written."""
        with self._lock:
            self._end_game()
            self._write(f"# {title}")
            if self._error:
                raise self._error

    def record(self, mark: str, text: str, at_ns: int) -> None:
        """Write a line that was sent (`mark` is `>`) or received (`<`) at `at_ns` by `time.perf_counter_ns()`."""
        with self._lock:
            if mark == RECEIVED:
                self._received_bytes += line_size_bytes(text[:MAX_LINE_CHARS])
                if self._received_bytes > MAX_RECEIVED_BYTES:
                    self._dropped_lines += 1
                    return
            omitted_text = f" [... {len(text) - MAX_LINE_CHARS} characters ...]" if len(text) > MAX_LINE_CHARS else ""
            seconds = (at_ns - self._opened_ns) / NS_PER_S
            self._write(f"{seconds:11.6f} {mark} {make_printable(text[:MAX_LINE_CHARS])}{omitted_text}")

    def close(self) -> None:
        """Close the file; later lines are ignored."""
        with self._lock, suppress(OSError):  # closing flushes, which fails if the disk is full
            self._end_game()
            self._file.close()

    def _end_game(self) -> None:
        """Write how many lines of the last game were dropped, and reset the counters."""
        if self._dropped_lines:
            self._write(f"[... {self._dropped_lines} lines ...]")
        self._received_bytes = self._dropped_lines = 0

    def _write(self, line: str) -> None:
        if self._file.closed or self._error:  # output of a killed program may arrive after `close`
            return
        try:
            with naming_file(self._path):
                self._file.write(line + "\n")
                self._file.flush()
        except OSError as error:
            self._error = error
