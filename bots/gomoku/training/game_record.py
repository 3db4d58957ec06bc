"""Recorded games of Gomoku as bytes: moves, result, and each searched position with its score and best root moves.

Layout, little endian. Head: index u32, rule u8, board size u8, stones of the opening u8, result i8 (1 black, -1 white,
0 drawn), number of moves u16, number of searched plies u16. Then the moves; then for each searched ply, from the end of
the opening on, its label, number of strays u8, and each stray as number of moves u8, moves from the ply's position,
label. A label is score i16, number of best moves u8, and for each of them move and share u8. A move is `y * size + x`,
one byte on boards of up to 256 squares, else two.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

SHARE_ONE = 255  # a share of all nodes of a search
_HEAD = struct.Struct("<IBBBbHH")
_LABEL = struct.Struct("<hB")


@dataclass(frozen=True)
class Label:
    """A search's verdict on a position."""

    score: int  # for the side to move
    best: tuple[tuple[int, int], ...]  # the best move, then others by their nodes; each with its share of SHARE_ONE


@dataclass(frozen=True)
class Stray:
    """A position that a search judged on its way, a few moves away from the game."""

    moves: tuple[int, ...]  # from the position of the game that was searched
    label: Label


@dataclass(frozen=True)
class SearchedPly:
    """A searched position of the game."""

    label: Label
    strays: tuple[Stray, ...]


@dataclass(frozen=True)
class GameRecord:
    """A recorded game."""

    index: int
    rule: int  # bits of the protocol's rule number
    size: int
    opening: int  # moves that were not searched
    result: int  # 1 black, -1 white, 0 drawn
    moves: tuple[int, ...]
    plies: tuple[SearchedPly, ...] = field(
        default=()
    )  # of the searched moves, and of the last position if a search proved it

    @property
    def positions(self) -> int:
        """Labelled positions, strays included."""
        return sum(1 + len(ply.strays) for ply in self.plies)


def head_of(data: bytes | memoryview) -> GameRecord:
    """A game without its moves and plies, for choosing games by rule."""
    index, rule, size, opening, result, _, _ = _HEAD.unpack_from(data)
    return GameRecord(index, rule, size, opening, result, ())


def encode(game: GameRecord) -> bytes:
    """The bytes of a game."""
    kind = _move_kind(game.size)
    head = (game.index, game.rule, game.size, game.opening, game.result, len(game.moves), len(game.plies))
    parts = [_HEAD.pack(*head), _moves(kind, game.moves)]
    for ply in game.plies:
        parts += [_label(kind, ply.label), bytes([len(ply.strays)])]
        for stray in ply.strays:
            parts += [bytes([len(stray.moves)]), _moves(kind, stray.moves), _label(kind, stray.label)]
    return b"".join(parts)


def decode(data: bytes | memoryview) -> GameRecord:
    """The game of some bytes; raise ValueError if they are not those of one game."""
    try:
        return _Reader(data).game()
    except (struct.error, IndexError) as error:
        raise ValueError(f"a recorded game of {len(data)} bytes ends too early: {error}") from error


def _move_kind(size: int) -> str:
    return "B" if size * size <= 256 else "H"


def _moves(kind: str, moves: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(moves)}{kind}", *moves)


def _label(kind: str, label: Label) -> bytes:
    flat = [value for pair in label.best for value in pair]
    return _LABEL.pack(label.score, len(label.best)) + struct.pack("<" + f"{kind}B" * len(label.best), *flat)


class _Reader:
    """Reads one game from its bytes."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data, self._at, self._kind = data, 0, "B"

    def game(self) -> GameRecord:
        index, rule, size, opening, result, moves, plies = self._take(_HEAD.format)
        self._kind = _move_kind(size)
        game = GameRecord(
            index, rule, size, opening, result, self._moves(moves), tuple(self._ply() for _ in range(plies))
        )
        if self._at != len(self._data):
            raise ValueError(f"a recorded game has {len(self._data)} bytes instead of {self._at}")
        return game

    def _take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        return values

    def _moves(self, count: int) -> tuple[int, ...]:
        return self._take(f"<{count}{self._kind}")

    def _label(self) -> Label:
        score, count = self._take(_LABEL.format)
        flat = iter(self._take("<" + f"{self._kind}B" * count))
        return Label(score, tuple(zip(flat, flat, strict=True)))

    def _ply(self) -> SearchedPly:
        label = self._label()
        (strays,) = self._take("<B")
        return SearchedPly(label, tuple(self._strays(strays)))

    def _strays(self, count: int) -> Iterator[Stray]:
        for _ in range(count):
            (length,) = self._take("<B")
            moves = self._moves(length)
            yield Stray(moves, self._label())
