"""Log of every line sent to and received from an engine, for debugging."""

from __future__ import annotations

import re
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from arena.log.engine_output import make_printable
from core.system.files import naming_file
from protocols.driving.line_buffers import line_size_bytes
from protocols.driving.process import RECEIVED

FOLDER = "io"
LONGEST_LINE = 2000  # characters kept per line
MOST_BYTES = 32 << 20  # received per game; verbose engines send about a hundredth of it
NS_PER_S = 1e9


class IoLog:
    """The lines of one engine in one slot, over all games that it plays there; any thread may write.

    If the disk is full, the next `write_heading` raises the error; the threads that read an engine's output do not.

    A line is `SECONDS > text` for what the program was sent and `SECONDS < text` for what it said; seconds count from
    the opening of the log. Lines sent and received at the same time may appear in either order. Output beyond
    MOST_BYTES is dropped; the number of dropped lines is written at the end of the game.
    """

    def __init__(self, directory: Path, name: str, slot: int) -> None:
        """Open `io/NAME-SLOT.log` of a run's folder to go on with it; slots count from 1 there."""
        folder = directory / FOLDER
        folder.mkdir(exist_ok=True)
        self._lock = threading.Lock()
        self._path = folder / f"{_clean(name)}-{slot + 1}.log"
        self._problem: OSError | None = None
        self._file: TextIO = self._path.open("a", encoding="utf-8", newline="\n")
        self._began_ns = time.perf_counter_ns()
        self._bytes = self._left_out = 0

    def write_heading(self, title: str) -> None:
        """Write a heading for a game; raise `OSError` if this or an earlier line could not be written."""
        with self._lock:
            self._close_game()
            self._write(f"# {title}")
            if self._problem:
                raise self._problem

    def record(self, mark: str, text: str, at_ns: int) -> None:
        """Write a line sent or received; see `protocols.driving.process.LineCallback`."""
        with self._lock:
            if mark == RECEIVED:
                self._bytes += line_size_bytes(text[:LONGEST_LINE])
                if self._bytes > MOST_BYTES:
                    self._left_out += 1
                    return
            self._write_line(mark, text, at_ns)

    def close(self) -> None:
        """Close the file; later lines are ignored."""
        with self._lock, suppress(OSError):  # lines that found no room
            self._close_game()
            self._file.close()

    def _close_game(self) -> None:
        """Write how many lines were dropped, and reset the counters."""
        if self._left_out:
            self._write(f"[... {self._left_out} lines ...]")
        self._bytes = self._left_out = 0

    def _write_line(self, mark: str, text: str, at_ns: int) -> None:
        rest = f" [... {len(text) - LONGEST_LINE} characters ...]" if len(text) > LONGEST_LINE else ""
        self._write(f"{(at_ns - self._began_ns) / NS_PER_S:11.6f} {mark} {make_printable(text[:LONGEST_LINE])}{rest}")

    def _write(self, line: str) -> None:
        if self._file.closed or self._problem:  # the last words of a killed program may come late
            return
        try:
            with naming_file(self._path):
                self._file.write(line + "\n")
                self._file.flush()
        except OSError as error:
            self._problem = error


def _clean(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name)
