"""Read opening files: one opening per line, in any notation of the game; text after `#` is a comment."""

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
    """The openings of a match as moves, in the order of a file.

    `source` is the path of the file, or says how the openings were generated; `digest` is the SHA-256 of their text.
    """

    lines: tuple[tuple[str, ...], ...] = ()
    source: str = ""
    digest: str = ""
    first: int = 1  # number in the file of the first line

    def __len__(self) -> int:
        return len(self.lines)

    def moves(self, index: int | None) -> tuple[str, ...]:
        """Return the moves of the opening with this index; none if it is None, as in a plan without a book."""
        return () if index is None else self.lines[index]

    def rotate_and_truncate(self, start: int, max_plies: int | None) -> OpeningBook:
        """Return the book rotated to begin with opening `start` (from 1), each opening cut to `max_plies` moves."""
        rotated = self.lines[start - 1 :] + self.lines[: start - 1]
        return replace(self, lines=tuple(line[:max_plies] for line in rotated), first=start)

    def number_in_file(self, index: int) -> int:
        """Return the number (from 1) that the opening with this index has in the file."""
        return (self.first - 1 + index) % len(self) + 1

    @property
    def distinct(self) -> int:
        """Number of different openings."""
        return len(set(self.lines))


def read_book(path: Path, game: Game, setup: Setup) -> OpeningBook:
    """Read and check an opening file; raise BadSetup with file and line, or OSError if it cannot be read.

    All lines are parsed before the first is played, because playing may compile kernels, which takes long.
    """
    content = read_file(path)
    lines: list[tuple[str, str, list[str]]] = []
    for number, line in enumerate(content.decode("utf-8-sig", errors="replace").splitlines(), 1):
        text, location = line.partition("#")[0].strip(), f"{path}, line {number}"
        if text:
            try:
                lines.append((location, text, game.parse_opening(text, setup)))
            except BadSetup as error:
                raise BadSetup(f"{location}: {error}") from None
    if not lines:
        raise BadSetup(f"{path}: no opening in this file")
    position = game.new_position(setup)  # shared by all lines: a position may be large
    openings = tuple(_play_line(location, text, moves, position) for location, text, moves in lines)
    return OpeningBook(openings, str(path), hashlib.sha256(content).hexdigest())


def _play_line(location: str, text: str, moves: Sequence[str], position: Position) -> tuple[str, ...]:
    """Return an opening in the notation of the game's rules. The position is restored, except after an error."""
    try:
        for move in moves:
            position.play(move)
    except IllegalMove as error:
        raise BadSetup(f"{location}: {clean_text(str(error))}") from None
    if position.outcome() is not None:
        raise BadSetup(f"{location}: the game is over after {clean_text(text)!r}")
    played_moves = tuple(position.moves)
    for _ in played_moves:
        position.undo()
    return played_moves
