"""Follow a log while another process appends to it."""

from __future__ import annotations

import os
from pathlib import Path

from arena.log.events import Event
from arena.log.file import LOG_NAME, MAX_ERROR_LENGTH, LogError, decode_event
from arena.log.validation import FieldError
from protocols.text import clean_text

CHUNK_BYTES = 4 << 20  # read by one call of `poll`, so that the caller can do other work in between
MAX_LINE_BYTES = 64 << 20
HEAD_BYTES = 4096  # of the first lines, which tell one run from another


class LogFollower:
    """Yields the events of a log in order, each once its line is complete. The log need not exist yet."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / LOG_NAME
        self._offset = 0  # end of the last complete line that was read
        self._inode: int | None = None
        self._head = b""  # first bytes of the lines that were read
        self._lines = 0  # number of lines that were read
        self._error: LogError | None = None  # of the line after them
        self._wrong_state = (0, 0)  # size and time of the file that had the error

    def poll(self) -> list[tuple[int, Event]]:
        """Return the next events with their line numbers, from 1; empty if there is no further complete line.

        At most about CHUNK_BYTES of the log are read.

        Raise LogError if a line is not an event or the log cannot be read at the moment, and LogReplacedError if the
        file is another one than before. The next call tries again.
        """
        try:
            status = os.stat(self._path)
            if self._inode is not None and (status.st_ino != self._inode or status.st_size < self._offset):
                raise LogReplacedError(f"{self._path}: the log was replaced")
            self._inode = status.st_ino
            if self._error and self._wrong_state == (status.st_size, status.st_mtime_ns):
                raise self._error
            if status.st_size == self._offset:
                return []
            self._error, self._wrong_state = None, (status.st_size, status.st_mtime_ns)
            content = self._read()
        except FileNotFoundError:
            if self._inode is not None:
                raise LogReplacedError(f"{self._path}: the log was removed") from None
            return []
        except OSError as error:
            raise LogError(f"{self._path}: {error.strerror}") from None
        return self._decode(content.split(b"\n")[:-1])

    def _read(self) -> bytes:
        """Return the content from the offset on, at least one complete line if there is one."""
        with open(self._path, "rb") as file:
            if file.read(len(self._head)) != self._head:  # a new file may get the inode of the one that was removed
                raise LogReplacedError(f"{self._path}: the log was replaced")
            file.seek(self._offset)
            content = file.read(CHUNK_BYTES)
            while b"\n" not in content and len(content) < MAX_LINE_BYTES and (more := file.read(CHUNK_BYTES)):
                content += more
        if b"\n" not in content and len(content) >= MAX_LINE_BYTES:
            self._error = LogError(f"{self._path}, line {self._lines + 1}: longer than {MAX_LINE_BYTES >> 20} MiB")
            raise self._error
        return content

    def _decode(self, lines: list[bytes]) -> list[tuple[int, Event]]:
        events = []
        for line in lines:
            try:
                events.append((self._lines + 1, decode_event(line)))
            except FieldError as error:
                self._error = self.locate(error, self._lines + 1)
                if not events:
                    raise self._error from None
                break  # raised by the next call
            self._offset += len(line) + 1
            self._lines += 1
            self._head += (line[:HEAD_BYTES] + b"\n")[: HEAD_BYTES - len(self._head)]
        return events

    def locate(self, error: FieldError, line_number: int) -> LogError:
        """Return an error of a line as a LogError, which names the file and the line."""
        return LogError(f"{self._path}, line {line_number}: {clean_text(str(error), MAX_ERROR_LENGTH)}")


class LogReplacedError(Exception):
    """The log is another file than before, or shorter: another run has begun in the folder."""
