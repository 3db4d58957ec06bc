"""Text that every protocol reads and writes in the same way; without I/O and without state."""

from __future__ import annotations

import re

from core.player import Progress
from core.scores import proven_score

ECHO_LENGTH = 60  # characters of a bad line that an answer repeats

_SCORE = re.compile(r"([+-]?)(M?)([0-9]{1,9})(?:[.,][0-9]*)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


class CommandError(ValueError):
    """A command that is understood but cannot be done; the text goes out as the protocol's error."""


def clean_text(text: str, length: int = 200) -> str:
    """One printable ASCII line of at most `length` characters: what came from outside must not break the protocol."""
    line = " ".join(text.split())[:length]
    return "".join(character if " " <= character <= "~" else "?" for character in line)


def parse_number(text: str) -> int | None:
    """A whole number, or None. Stricter than int(): no underscores, no foreign digits, no thousand-digit numbers."""
    return int(text) if _NUMBER.fullmatch(text) else None


def format_score(progress: Progress) -> str:
    """Score in game units, or a proven result as `+M9` (win in 9 plies) and `-M12` (loss)."""
    if progress.win_in is None:
        return str(progress.score)
    return f"+M{progress.win_in}" if progress.win_in > 0 else f"-M{-progress.win_in}"


def parse_score(text: str) -> tuple[int, int | None]:
    """Score and distance to a proven end; foreign engines write fractions, which are rounded."""
    match = _SCORE.fullmatch(text)
    if not match:
        return 0, None
    number = int(match[1] + match[3])
    return (proven_score(number), number) if match[2] and number else (number, None)
