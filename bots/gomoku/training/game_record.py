"""The binary format of recorded training games: moves, result, and a label for each searched position.

Layout, little endian:

    header    index u32, rule u8, board size u8, number of opening moves u8, result i8 (1 black won, -1 white, 0 draw),
              number of moves u16, number of searched plies u16
    moves     u8 each on boards of up to 256 squares, else u16; a move is `y * size + x`
    plies     for each searched ply, from the end of the opening on: label, number of strays u8, strays
    label     score i16, number of best moves u8, then for each of them: move, and share of the nodes u8 (255 is all)
    stray     number of moves u8, moves from the ply's position, label

A stray is a position that the search of a ply evaluated on its way, a few moves away from the game.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

SHARE_SCALE = 255  # a share of 1.0, that is, all nodes of the search
_HEADER = struct.Struct("<IBBBbHH")
_LABEL_HEADER = struct.Struct("<hB")


@dataclass(frozen=True)
class Label:
    """The result of a search of a position."""

    score: int  # for the side to move, in evaluation units
    best: tuple[tuple[int, int], ...]  # (move, share of the nodes times SHARE_SCALE), best move first


@dataclass(frozen=True)
class Stray:
    """A position that a search evaluated on its way, a few moves away from the game."""

    moves: tuple[int, ...]  # from the position of the game that was searched
    label: Label


@dataclass(frozen=True)
class SearchedPly:
    """A searched position of the game."""

    label: Label
    strays: tuple[Stray, ...]  # of this search


@dataclass(frozen=True)
class GameRecord:
    """A recorded game."""

    index: int  # of the game in its recording, from 0
    rule: int  # bits of the protocol's rule number (bots/gomoku/notation.py)
    size: int  # of the square board
    opening_length: int  # number of leading moves, which were not searched
    result: int  # 1 black has won, -1 white, 0 draw
    moves: tuple[int, ...]  # as `y * size + x`, the opening included
    # One per searched move, and one for the last position if a search proved its result.
    plies: tuple[SearchedPly, ...] = field(default=())

    @property
    def positions(self) -> int:
        """Number of labelled positions, strays included."""
        return sum(1 + len(ply.strays) for ply in self.plies)


def decode_header(data: bytes | memoryview) -> GameRecord:
    """Decode a game without its moves and plies, to select games by rule."""
    index, rule, size, opening_length, result, _, _ = _HEADER.unpack_from(data)
    return GameRecord(index, rule, size, opening_length, result, moves=())


def encode(game: GameRecord) -> bytes:
    """Encode a game."""
    move_format = _format_of_move(game.size)
    header = (game.index, game.rule, game.size, game.opening_length, game.result, len(game.moves), len(game.plies))
    parts = [_HEADER.pack(*header), _encode_moves(move_format, game.moves)]
    for ply in game.plies:
        parts += [_encode_label(move_format, ply.label), bytes([len(ply.strays)])]
        for stray in ply.strays:
            parts += [
                bytes([len(stray.moves)]),
                _encode_moves(move_format, stray.moves),
                _encode_label(move_format, stray.label),
            ]
    return b"".join(parts)


def decode(data: bytes | memoryview) -> GameRecord:
    """Decode a game; raise `ValueError` if the bytes are not exactly one game."""
    try:
        return _Reader(data).read_game()
    except (struct.error, IndexError) as error:
        raise ValueError(f"a recorded game of {len(data)} bytes ends too early: {error}") from error


def _format_of_move(size: int) -> str:
    """Return the `struct` format character of a move on a board of `size` x `size` squares."""
    return "B" if size * size <= 256 else "H"


def _encode_moves(move_format: str, moves: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(moves)}{move_format}", *moves)


def _encode_label(move_format: str, label: Label) -> bytes:
    flat = [value for pair in label.best for value in pair]
    return _LABEL_HEADER.pack(label.score, len(label.best)) + struct.pack(
        "<" + f"{move_format}B" * len(label.best), *flat
    )


class _Reader:
    """Decodes one game."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data, self._offset, self._move_format = data, 0, "B"

    def read_game(self) -> GameRecord:
        index, rule, size, opening_length, result, move_count, ply_count = self._unpack(_HEADER.format)
        self._move_format = _format_of_move(size)
        moves = self._read_moves(move_count)
        plies = tuple(self._read_ply() for _ in range(ply_count))
        game = GameRecord(index, rule, size, opening_length, result, moves, plies)
        if self._offset != len(self._data):
            raise ValueError(f"a recorded game has {len(self._data)} bytes instead of {self._offset}")
        return game

    def _unpack(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._data, self._offset)
        self._offset += struct.calcsize(layout)
        return values

    def _read_moves(self, count: int) -> tuple[int, ...]:
        return self._unpack(f"<{count}{self._move_format}")

    def _read_label(self) -> Label:
        score, count = self._unpack(_LABEL_HEADER.format)
        flat = iter(self._unpack("<" + f"{self._move_format}B" * count))  # move, share, move, share ...
        return Label(score, tuple(zip(flat, flat, strict=True)))

    def _read_ply(self) -> SearchedPly:
        label = self._read_label()
        (stray_count,) = self._unpack("<B")
        return SearchedPly(label, tuple(self._read_strays(stray_count)))

    def _read_strays(self, count: int) -> Iterator[Stray]:
        for _ in range(count):
            (length,) = self._unpack("<B")
            moves = self._read_moves(length)
            yield Stray(moves, self._read_label())
