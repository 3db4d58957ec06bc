"""Recorded games in binary files: an append-only series of files of checksummed blocks, one block per game.

    file     MAGIC, the block with the settings of the recording, then one block per game
    block    length of the payload (u32), CRC-32 of the payload (u32), CRC-32 of these eight bytes (u32), payload

Integers are little endian. The first twelve bytes of a block are its header. `open_blocks` maps a file into memory;
`BlockSeries` appends to a series and starts a new file before the last one exceeds its size limit. A block that is
larger than the limit has a file to itself.
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
_HEADER = struct.Struct("<III")


class DamagedFileError(ValueError):
    """A file or series of blocks is damaged, incomplete or has other settings; the message names the file."""


@dataclass(frozen=True)
class BlockFile:
    """A file of blocks, mapped into memory."""

    path: Path
    data: memoryview  # read-only view of the whole file
    spans: list[tuple[int, int]]  # begin and end of the payload of each complete block; the first block is the settings

    @property
    def settings(self) -> bytes:
        """Payload of the first block; empty if the file has none yet."""
        return bytes(self.view(0)) if self.spans else b""

    @property
    def end(self) -> int:
        """End of the last complete block. Bytes after it belong to a block whose writer is not ready or was stopped."""
        return self.spans[-1][1] if self.spans else 0

    def view(self, index: int) -> memoryview:
        """Return the payload of a block without copying it; block 0 is the settings."""
        begin, end = self.spans[index]
        return self.data[begin:end]


def open_blocks(path: Path) -> BlockFile:
    """Map a file and check all complete blocks; raise `DamagedFileError` for a wrong checksum or file type."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b"")
    if bytes(data[: len(MAGIC)]) != MAGIC[: len(data)]:
        raise DamagedFileError(f"{path} is not a file of recorded games: it does not begin with {MAGIC!r}")
    return BlockFile(path, data, list(_check_blocks(path, data)))


def list_series(folder: Path, stem: str) -> list[Path]:
    """Return the files of a series in order; raise `DamagedFileError` if a file in the middle is missing."""
    files = sorted(folder.glob(f"{stem}-[0-9][0-9][0-9][0-9].games"))
    for number, path in enumerate(files):
        expected = _file_path(folder, stem, number)
        if path != expected:
            raise DamagedFileError(f"{expected} is missing, but {path.name} exists")
    return files


class BlockSeries:
    """The files of one recording, `FOLDER/STEM-0000.games` and so on, to which games are appended.

    The constructor checks every block and removes an incomplete last one. `count` is the number of recorded games.
    """

    def __init__(self, folder: Path, stem: str, settings: bytes, max_bytes: int = MAX_FILE_BYTES) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._stem, self._settings, self._max_bytes = folder, stem, settings, max_bytes
        self._files = list_series(folder, stem)
        self.count = sum(self._count_games(path) for path in self._files[:-1])
        if self._files:
            self.count += self._repair_last(self._files[-1])

    def append(self, payload: bytes) -> None:
        """Write a block to the disk, into a new file if the last one would become too large."""
        block = _make_block(payload)
        if not self._files or self._files[-1].stat().st_size + len(block) > self._max_bytes:
            self._files.append(_file_path(self._folder, self._stem, len(self._files)))
            self._write("xb", MAGIC + _make_block(self._settings) + block)
        else:
            self._write("ab", block)
        self.count += 1

    def _write(self, mode: str, content: bytes) -> None:
        with self._files[-1].open(mode) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def _count_games(self, path: Path) -> int:
        """Return the number of games in a file that is not the last; raise `DamagedFileError` if it is incomplete."""
        file = open_blocks(path)
        if file.end < len(file.data):
            raise DamagedFileError(f"{path} ends within a block at byte {file.end}, but another file follows")
        self._check_settings(file)
        return len(file.spans) - 1

    def _repair_last(self, path: Path) -> int:
        """Remove an incomplete block from the last file, or the file if it has no game; return its number of games."""
        file = open_blocks(path)
        if file.spans:
            self._check_settings(file)
        if file.end < len(file.data):
            print(f"{path}: the block at byte {file.end} is incomplete; its game is played again", file=sys.stderr)
        if len(file.spans) < 2:  # `append` writes the settings together with the first game of a file
            path.unlink()
            self._files.pop()
            return 0
        os.truncate(path, file.end)
        return len(file.spans) - 1

    def _check_settings(self, file: BlockFile) -> None:
        if file.settings != self._settings:
            raise DamagedFileError(f"{file.path} was recorded with {file.settings!r}, not with {self._settings!r}")


def _file_path(folder: Path, stem: str, number: int) -> Path:
    return folder / f"{stem}-{number:04}.games"


def _make_block(payload: bytes) -> bytes:
    fields = struct.pack("<II", len(payload), crc32(payload))
    return fields + struct.pack("<I", crc32(fields)) + payload


def _check_blocks(path: Path, data: memoryview) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the payload of each complete block; ignore an incomplete one at the end of the file."""
    offset, number = len(MAGIC), 0
    while offset + _HEADER.size <= len(data):
        length, checksum, header_checksum = _HEADER.unpack_from(data, offset)
        begin, end = offset + _HEADER.size, offset + _HEADER.size + length
        if crc32(data[offset : offset + 8]) != header_checksum:
            raise DamagedFileError(f"{path} is damaged: block {number} at byte {offset} has a wrong header")
        if end > len(data):
            return
        if crc32(data[begin:end]) != checksum:
            raise DamagedFileError(f"{path} is damaged: block {number} at byte {offset} differs from its checksum")
        yield begin, end
        offset, number = end, number + 1
