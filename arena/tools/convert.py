"""`pentad convert FILE...`: game records of other programs as one line each, in the notation of our own records.

A format is known by the file's suffix. `.sgf` is Hive from boardspace.net, whose line is a UHP GameString, or Hex as
HexGui and Little Golem write it, whose line is the moves, or the last position if the file sets up stones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.errors import CommandFailedError
from core.play.player import BadSetup
from core.system.files import read_file

_BOARDSPACE = re.compile(r"SU\[\s*hive", re.IGNORECASE)
_HEX = re.compile(r"GM\[\s*11\s*\]|EV\[\s*hex\.|SO\[[^\]]*littlegolem", re.IGNORECASE)


@dataclass(frozen=True)
class Converted:
    """A game in one line, and what a person has to know of how it was read."""

    line: str
    note: str = ""


def convert_file(path: Path) -> Converted:
    """Return the game of a file; raise CommandFailedError naming the file and what is wrong with it."""
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise CommandFailedError(f"{path}: a file with suffix {', '.join(READERS)} is wanted")
    try:
        return read(read_file(path).decode("utf-8", errors="replace"))
    except (BadSetup, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandFailedError(f"{path}: {reason}") from None


def _read_sgf(text: str) -> Converted:
    is_hex = _HEX.search(text) and not _BOARDSPACE.search(text)
    return _read_hex(text) if is_hex else _read_boardspace(text)


def _read_boardspace(text: str) -> Converted:
    from bots.hive.boardspace import read_game

    return Converted(read_game(text).position.game_string())


def _read_hex(text: str) -> Converted:
    from bots.hex.sgf import read_game

    game = read_game(text)
    position = game.position()
    line = position.position_text() if game.setup_stones else " ".join(position.moves)
    return Converted(line, "; ".join(filter(None, (f"board {game.setup.width}x{game.setup.height}", game.note))))


READERS: dict[str, Callable[[str], Converted]] = {".sgf": _read_sgf}
