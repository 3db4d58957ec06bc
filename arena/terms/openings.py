"""Opening files: one opening a line, in any form that the game reads; blank lines and lines from `#` on are skipped."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.play.game import Game, Position
from core.play.player import BadSetup, IllegalMove, Setup
from core.system.files import read_file
from protocols.text import clean_text


@dataclass(frozen=True)
class OpeningBook:
    """The openings of a match in file order. `digest` identifies the file's content in the log."""

    lines: tuple[tuple[str, ...], ...] = ()
    source: str = ""
    digest: str = ""

    def __len__(self) -> int:
        return len(self.lines)

    def moves(self, index: int | None) -> tuple[str, ...]:
        """The moves of an opening; none where the match has no book."""
        return () if index is None else self.lines[index]

    def cut(self, start: int, plies: int | None) -> OpeningBook:
        """The book from line `start` (from 1) on, the lines before it last, each opening of at most `plies` moves."""
        turned = self.lines[start - 1 :] + self.lines[: start - 1]
        return replace(self, lines=tuple(line[:plies] for line in turned))

    @property
    def distinct(self) -> int:
        """How many different openings there are."""
        return len(set(self.lines))


def read_book(path: Path, game: Game, setup: Setup) -> OpeningBook:
    """Read and check an opening file; raise BadSetup naming file and line, OSError where it cannot be read.

    All lines are read before the first is played: kernels may have to be compiled for that.
    """
    content = read_file(path)
    lines: list[tuple[str, str, list[str]]] = []
    for number, line in enumerate(content.decode("utf-8-sig", errors="replace").splitlines(), 1):
        text, place = line.partition("#")[0].strip(), f"{path}, line {number}"
        if text:
            try:
                lines.append((place, text, game.parse_opening(text, setup)))
            except BadSetup as error:
                raise BadSetup(f"{place}: {error}") from None
    if not lines:
        raise BadSetup(f"{path}: no opening in this file")
    position = game.new_position(setup)  # one for all: a game's record may be large
    openings = tuple(_play_line(place, text, moves, position) for place, text, moves in lines)
    return OpeningBook(openings, str(path), hashlib.sha256(content).hexdigest())


def _play_line(place: str, text: str, moves: Sequence[str], position: Position) -> tuple[str, ...]:
    """An opening in our spelling; the position is as before after it."""
    try:
        for move in moves:
            position.play(move)
    except IllegalMove as error:
        raise BadSetup(f"{place}: {clean_text(str(error))}") from None
    if position.outcome() is not None:
        raise BadSetup(f"{place}: the game is over after {clean_text(text)!r}")
    played = tuple(position.moves)
    for _ in played:
        position.undo()
    return played
