"""Append-only series of binary files of checksummed blocks, one block per recorded game.

A file begins with `MAGIC` and a first block that holds the settings of its recording. Each block is a frame (payload
length, CRC-32 of the payload, CRC-32 of the eight bytes before; little endian) and its payload. `open_blocks` maps a
file into memory; `BlockSeries` appends to a series and starts the next file before one exceeds its size limit.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

MAGIC = b"PNTDGAM1"
MAX_FILE_BYTES = 16_000_000
_FRAME = struct.Struct("<III")


class DamagedFileError(ValueError):
    """A damaged file of blocks; the message names the file, the block and its first byte."""


@dataclass(frozen=True)
class BlockFile:
    """A file of blocks in memory."""

    path: Path
    data: memoryview  # read-only view of the whole file
    spans: list[tuple[int, int]]  # first byte and end of the payload of each whole block; the settings come first

    @property
    def settings(self) -> bytes:
        """Payload of the first block; empty if the file has none yet."""
        return bytes(self.view(0)) if self.spans else b""

    @property
    def end(self) -> int:
        """End of the last whole block; bytes after it are being written, or the writer was interrupted there."""
        return self.spans[-1][1] if self.spans else 0

    def view(self, number: int) -> memoryview:
        """Payload of a block, not copied."""
        begin, end = self.spans[number]
        return self.data[begin:end]


def open_blocks(path: Path) -> BlockFile:
    """Map a file and check all of its whole blocks; raise `DamagedFileError` if one differs from its checksum."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b"")
    if bytes(data[: len(MAGIC)]) != MAGIC[: len(data)]:
        raise DamagedFileError(f"{path} is no file of recorded games: it does not begin with {MAGIC!r}")
    return BlockFile(path, data, list(_check_blocks(path, data)))


def series_files(folder: Path, stem: str) -> list[Path]:
    """Return the files of a series in order; raise `DamagedFileError` if one in between is missing."""
    found = sorted(folder.glob(f"{stem}-[0-9][0-9][0-9][0-9].games"))
    for number, path in enumerate(found):
        expected = _file_of(folder, stem, number)
        if path != expected:
            raise DamagedFileError(f"{expected} is missing, but {path.name} is there")
    return found


class BlockSeries:
    """The files of one recording, `FOLDER/STEM-0000.games` and so on, to append blocks to.

    Opening checks every block and truncates an incomplete last one. `count` is the number of recorded games.
    """

    def __init__(self, folder: Path, stem: str, settings: bytes, max_bytes: int = MAX_FILE_BYTES) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._stem, self._settings, self._max_bytes = folder, stem, settings, max_bytes
        self._files = series_files(folder, stem)
        self.count = sum(self._check(path) for path in self._files[:-1])
        if self._files:
            self.count += self._take_up(self._files[-1])

    def append(self, payload: bytes) -> None:
        """Write a block to the disk, into the next file if this one would become too large."""
        block = _frame(payload)
        if not self._files or self._files[-1].stat().st_size + len(block) > self._max_bytes:
            self._files.append(_file_of(self._folder, self._stem, len(self._files)))
            self._write("xb", MAGIC + _frame(self._settings) + block)
        else:
            self._write("ab", block)
        self.count += 1

    def _write(self, mode: str, content: bytes) -> None:
        with self._files[-1].open(mode) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def _check(self, path: Path) -> int:
        """Return the number of games in a file that is not the last; raise `DamagedFileError` if it is incomplete."""
        file = open_blocks(path)
        if file.end < len(file.data):
            raise DamagedFileError(f"{path} ends within a block at byte {file.end}, but the series goes on")
        self._check_settings(file)
        return len(file.spans) - 1

    def _take_up(self, path: Path) -> int:
        """Return the number of games in the last file, after truncating an incomplete block."""
        file = open_blocks(path)
        if file.spans:
            self._check_settings(file)
        if file.end < len(file.data):
            print(f"{path}: a game was broken off at byte {file.end} and is played again", file=sys.stderr)
        if len(file.spans) < 2:  # the first game of a file is written together with the settings
            path.unlink()
            self._files.pop()
            return 0
        os.truncate(path, file.end)
        return len(file.spans) - 1

    def _check_settings(self, file: BlockFile) -> None:
        if file.settings != self._settings:
            raise DamagedFileError(f"{file.path} was recorded with {file.settings!r}, not with {self._settings!r}")


def _file_of(folder: Path, stem: str, number: int) -> Path:
    return folder / f"{stem}-{number:04}.games"


def _frame(payload: bytes) -> bytes:
    lead = struct.pack("<II", len(payload), crc32(payload))
    return lead + struct.pack("<I", crc32(lead)) + payload


def _check_blocks(path: Path, data: memoryview) -> Iterator[tuple[int, int]]:
    """Yield the spans of the complete blocks; ignore an incomplete one at the end of the file."""
    at, number = len(MAGIC), 0
    while at + _FRAME.size <= len(data):
        length, checksum, frame_checksum = _FRAME.unpack_from(data, at)
        begin, end = at + _FRAME.size, at + _FRAME.size + length
        if crc32(data[at : at + 8]) != frame_checksum:
            raise DamagedFileError(f"{path} is damaged: block {number} at byte {at} has a wrong frame")
        if end > len(data):
            return
        if crc32(data[begin:end]) != checksum:
            raise DamagedFileError(f"{path} is damaged: block {number} at byte {at} differs from its checksum")
        yield begin, end
        at, number = end, number + 1
