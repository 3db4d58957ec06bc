"""Files with solved tables, such as `3x4-4.solved`.

A placement is an arrangement of both sides' pieces on the board. With the points that the side to move (the mover) and
the opponent still need, it is a state; the states with the same two numbers of points form a layer. The result of a
state is a number, its code (bots/kolibrat/kernels/retrograde.py).

A file is one line of JSON followed by two zlib streams: a bit set of the stored placements, and their codes, one per
stored layer. The line of JSON is, for example,

    {"format": 1, "board": [3, 4, 4, 5], "word_bytes": 1, "crc": 809889951, "packed": [2674, 358009]}

with the board's width, height, pieces and goal, the bytes per code, a CRC-32 and the lengths of the two streams.

Of a placement and its mirror image only one is stored, and only if the side to move has a move. Only the layers in
which the mover needs no more points than the opponent are stored. A state of another layer is looked up after each of
its moves, when the opponent is the mover and needs no more points (bots/kolibrat/solver/perfect.py).
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
_BLOCK_BYTES = 64  # the bits of `stored` are counted in advance for blocks of this size


class DamagedTableError(ValueError):
    """The file is not a solved table, or its content is damaged; the message names the file."""


def table_file_name(board: Board) -> str:
    """Return the file name of a board's table. One file serves all goals up to the one that it was solved for."""
    return f"{board.width}x{board.height}-{board.pieces}{SUFFIX}"


def layer_count(goal: int) -> int:
    """Return the number of stored layers, that is, of codes per placement."""
    return goal * (goal + 1) // 2


def write_table(path: Path, board: Board, stored: bytes, codes: bytes, code_bytes: int) -> None:
    """Write a table; an existing file is replaced when the new one is complete."""
    header = {
        "format": FORMAT,
        "board": [board.width, board.height, board.pieces, board.goal],
        "word_bytes": code_bytes,
        "crc": _checksum(board, code_bytes, stored, codes),
    }
    packed = [zlib.compress(part, 9) for part in (stored, codes)]
    header["packed"] = [len(part) for part in packed]
    with open_replacement(path) as file:
        file.write(b"\n".join([json.dumps(header).encode(), b"".join(packed)]))


@dataclass(frozen=True)
class TableFile:
    """A solved table in memory."""

    board: Board  # with the highest goal that is solved
    stored: bytes  # bit n & 7 of byte n >> 3 is set if placement n is stored
    codes: bytes  # of the stored placements in the order of their numbers, one per stored layer, low byte first
    code_bytes: int  # 1 or 2
    counts_before: tuple[int, ...]  # number of stored placements before each block of `_BLOCK_BYTES` bytes of `stored`

    def code(self, placement: int, mover_needs: int, opponent_needs: int) -> int:
        """Return the code of a stored placement, which is given by its number, in a layer.

        The layer must have `mover_needs` <= `opponent_needs` <= goal.
        """
        block = (placement >> 3) // _BLOCK_BYTES
        start = block * _BLOCK_BYTES
        bits_before = int.from_bytes(self.stored[start : start + _BLOCK_BYTES], "little") & (
            (1 << (placement - 8 * start)) - 1
        )
        index = self.counts_before[block] + bits_before.bit_count()
        layer = layer_count(opponent_needs - 1) + mover_needs - 1
        offset = (index * layer_count(self.board.goal) + layer) * self.code_bytes
        return int.from_bytes(self.codes[offset : offset + self.code_bytes], "little")


def read_solved_table(path: Path) -> TableFile:
    """Read a table and check it; raise DamagedTableError if it is not a table or is damaged."""
    line, _, rest = path.read_bytes().partition(b"\n")
    try:
        header = json.loads(line)
        if header["format"] != FORMAT:
            raise DamagedTableError(f"{path} has format {header['format']}, not {FORMAT}")
        stored_length = header["packed"][0]
        stored, codes = zlib.decompress(rest[:stored_length]), zlib.decompress(rest[stored_length:])
        board, code_bytes = Board(*header["board"]), int(header["word_bytes"])
        is_intact = _checksum(board, code_bytes, stored, codes) == header["crc"]
    except (ValueError, KeyError, TypeError, IndexError, zlib.error) as error:
        raise DamagedTableError(f"{path} is not the table of a solved board: {error}") from None
    if not is_intact:
        raise DamagedTableError(f"{path} is damaged: its checksum is wrong")
    return TableFile(board, stored, codes, code_bytes, tuple(_count_before(stored)))


def _checksum(board: Board, code_bytes: int, stored: bytes, codes: bytes) -> int:
    """Return the CRC-32 of board, code size and content. It covers `repr(board)`, so `Board` must keep its name."""
    return zlib.crc32(codes, zlib.crc32(stored, zlib.crc32(f"{board} {code_bytes}".encode())))


def _count_before(stored: bytes) -> Iterator[int]:
    """Yield the number of stored placements before each block of `_BLOCK_BYTES` bytes."""
    total = 0
    for start in range(0, len(stored), _BLOCK_BYTES):
        yield total
        total += int.from_bytes(stored[start : start + _BLOCK_BYTES], "little").bit_count()
