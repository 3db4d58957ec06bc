"""`pentad convert FILE...`: game records of other programs as one line each, in the notation of our own records.

A format is known by the file's suffix. `.sgf` is Hive from boardspace.net; its line is a UHP GameString.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.errors import CommandFailedError
from core.play.player import BadSetup
from core.system.files import read_file


def convert_file(path: Path) -> str:
    """The game of a file in one line; raise CommandFailedError naming the file and what is wrong with it."""
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise CommandFailedError(f"{path}: a file with suffix {', '.join(READERS)} is wanted")
    try:
        return read(read_file(path).decode("utf-8", errors="replace"))
    except (BadSetup, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandFailedError(f"{path}: {reason}") from None


def _read_boardspace(text: str) -> str:
    from bots.hive.boardspace import read_game

    return read_game(text).position.game_string()


READERS: dict[str, Callable[[str], str]] = {".sgf": _read_boardspace}
