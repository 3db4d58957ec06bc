"""`pentad convert FILE...`: converts game records of other programs to one line each, in our notation.

The files are `.sgf`. Hive games of boardspace.net become a UHP GameString. Hex games of HexGui or Little Golem become
their moves, or the last position if the file sets up stones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from arena.errors import CommandFailedError
from core.play.player import BadSetup
from core.system.files import read_file

# What the files of either kind contain: the setup (SU) of Boardspace; in Hex the game number (GM), or the event (EV) or
# source (SO) of Little Golem
_BOARDSPACE = re.compile(r"SU\[\s*hive", re.IGNORECASE)
_HEX = re.compile(r"GM\[\s*11\s*\]|EV\[\s*hex\.|SO\[[^\]]*littlegolem", re.IGNORECASE)


@dataclass(frozen=True)
class ConvertedGame:
    """A game in our notation."""

    line: str  # GameString, moves, or text of a position
    note: str = ""  # for the user: board size, and how ambiguous moves such as `swap` were read; empty for Hive


def convert_file(path: Path) -> ConvertedGame:
    """Return the game of a file; raise CommandFailedError with the file's name and the reason if it cannot be read."""
    if path.suffix.lower() != ".sgf":
        raise CommandFailedError(f"{path}: the suffix must be .sgf")
    try:
        text = read_file(path).decode("utf-8", errors="replace")
        is_hex = _HEX.search(text) and not _BOARDSPACE.search(text)
        return _read_hex(text) if is_hex else _read_boardspace(text)
    except (BadSetup, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandFailedError(f"{path}: {reason}") from None


def _read_boardspace(text: str) -> ConvertedGame:
    from bots.hive.boardspace import read_game

    return ConvertedGame(read_game(text).game_string())


def _read_hex(text: str) -> ConvertedGame:
    from bots.hex.sgf import read_game

    game = read_game(text)
    position = game.position()
    line = position.position_text() if game.setup_stones else " ".join(position.moves)
    return ConvertedGame(line, "; ".join(filter(None, (f"board {game.setup.width}x{game.setup.height}", game.note))))
