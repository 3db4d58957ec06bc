"""Files of solved boards: one line of JSON, then two zlib streams, the kept boards as bits and their words.

A board of a number is kept where red, the mover, has a move and the mirror image is not kept instead. Of each there are
the words (bots/kolibrat/kernels/retrograde.py) of the layers in which the mover needs no more points than the other
side. The layers that are left out are one move away: after it the other side is the mover, and needs fewer.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bots.kolibrat.notation import Board
from core.system.files import open_replacement

FORMAT = 1
SUFFIX = ".solved"
_BLOCK_BYTES = 64  # of marks, counted together


class DamagedTableError(ValueError):
    """The file is no table, or its bytes are not those that were written; the text names the file."""


def table_file_name(board: Board) -> str:
    """File name of the table of a board's size and pieces; one file serves all goals up to its own."""
    return f"{board.width}x{board.height}-{board.pieces}{SUFFIX}"


def layer_count(goal: int) -> int:
    """Words of each board."""
    return goal * (goal + 1) // 2


def write_table(path: Path, board: Board, kept: bytes, words: bytes, word_bytes: int) -> None:
    """Write a table; a file of that name is replaced when all is written."""
    head = {
        "format": FORMAT,
        "board": [board.width, board.height, board.pieces, board.goal],
        "word_bytes": word_bytes,
        "crc": _checksum(board, word_bytes, kept, words),
    }
    packed = [zlib.compress(part, 9) for part in (kept, words)]
    head["packed"] = [len(part) for part in packed]
    with open_replacement(path) as file:
        file.write(b"\n".join([json.dumps(head).encode(), b"".join(packed)]))


@dataclass(frozen=True)
class TableFile:
    """A table in memory."""

    board: Board
    kept: bytes
    words: bytes
    word_bytes: int
    before: tuple[int, ...]  # kept boards before each block of marks

    def word(self, number: int, mine: int, other: int) -> int:
        """The word of a kept board in a layer with `mine` <= `other` <= goal."""
        block = (number >> 3) // _BLOCK_BYTES
        start = block * _BLOCK_BYTES
        marks = int.from_bytes(self.kept[start : start + _BLOCK_BYTES], "little") & ((1 << (number - 8 * start)) - 1)
        index = self.before[block] + marks.bit_count()
        place = (index * layer_count(self.board.goal) + layer_count(other - 1) + mine - 1) * self.word_bytes
        return int.from_bytes(self.words[place : place + self.word_bytes], "little")


def read_solved_table(path: Path) -> TableFile:
    """Read and check a table; raise DamagedTableError."""
    line, _, rest = path.read_bytes().partition(b"\n")
    try:
        head = json.loads(line)
        if head["format"] != FORMAT:
            raise DamagedTableError(f"{path} has format {head['format']}, not {FORMAT}")
        first = head["packed"][0]
        kept, words = zlib.decompress(rest[:first]), zlib.decompress(rest[first:])
        board, word_bytes = Board(*head["board"]), int(head["word_bytes"])
        whole = _checksum(board, word_bytes, kept, words) == head["crc"]
    except (ValueError, KeyError, TypeError, IndexError, zlib.error) as error:
        raise DamagedTableError(f"{path} is no table of a solved board: {error}") from None
    if not whole:
        raise DamagedTableError(f"{path} is damaged: its checksum does not fit")
    return TableFile(board, kept, words, word_bytes, tuple(_count_before(kept)))


def _checksum(board: Board, word_bytes: int, kept: bytes, words: bytes) -> int:
    """CRC-32 of all that a table says."""
    return zlib.crc32(words, zlib.crc32(kept, zlib.crc32(f"{board} {word_bytes}".encode())))


def _count_before(kept: bytes) -> Iterator[int]:
    total = 0
    for start in range(0, len(kept), _BLOCK_BYTES):
        yield total
        total += int.from_bytes(kept[start : start + _BLOCK_BYTES], "little").bit_count()
