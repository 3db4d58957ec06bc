"""Text that every protocol reads and writes in the same way; without I/O and without state."""

from __future__ import annotations

import re

from core.play.player import Progress
from core.search.scores import MAX_DISTANCE, proven_score

# Proven results, told instead of a score, with the scores that they are.
RESULTS = {"win": proven_score(MAX_DISTANCE), "loss": proven_score(-MAX_DISTANCE), "draw": 0}
ECHO_LENGTH = 60  # characters of a bad line that an answer repeats
QUOTE_LENGTH = 120  # of a line that a message quotes

_SCORE = re.compile(r"([+-]?)(M?)([0-9]{1,9})(?:[.,][0-9]*)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


class CommandError(ValueError):
    """A command that is understood but cannot be done; the text goes out as the protocol's error."""


def clean_text(text: str, length: int = 200) -> str:
    """One printable ASCII line of at most `length` characters: what came from outside must not break the protocol."""
    line = " ".join(text.split())[:length]
    return "".join(character if " " <= character <= "~" else "?" for character in line)


def quote_argument(text: str) -> str:
    """What an answer repeats of a bad line, in quotation marks."""
    return repr(clean_text(text, ECHO_LENGTH))


def quote_line(text: str) -> str:
    """An engine's line in a message for people, in quotation marks and cut short."""
    return repr(text if len(text) <= QUOTE_LENGTH else f"{text[:QUOTE_LENGTH]}...")


def parse_number(text: str) -> int | None:
    """A whole number, or None. Stricter than int(): no underscores, no foreign digits, no thousand-digit numbers."""
    return int(text) if _NUMBER.fullmatch(text) else None


def format_score(progress: Progress) -> str:
    """Score in game units, or a proven result: `+M9` (win in 9 plies), `-M12` (loss), `win`, `loss` or `draw`."""
    if not progress.win_in:
        return progress.result or str(progress.score)
    return f"+M{progress.win_in}" if progress.win_in > 0 else f"-M{-progress.win_in}"


def parse_score(text: str) -> Progress:
    """What `format_score` tells; foreign engines write fractions, which are rounded."""
    if text in RESULTS:
        return Progress(score=RESULTS[text], proven_result=text)
    match = _SCORE.fullmatch(text)
    if not match:
        return Progress()
    number = int(match[1] + match[3])
    return Progress(score=proven_score(number), win_in=number) if match[2] and number else Progress(score=number)
