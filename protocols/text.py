"""Formats and parses the texts that all protocols share: numbers, scores and quotations. Pure functions."""

from __future__ import annotations

import re

from core.play.player import Progress
from core.search.scores import MAX_DISTANCE, proven_score

# The words that replace a score if the result is proven but its distance is unknown, with the equivalent scores.
RESULTS = {"win": proven_score(MAX_DISTANCE), "loss": proven_score(-MAX_DISTANCE), "draw": 0}
ECHO_LENGTH = 60  # maximum number of characters of a bad input line that an error answer repeats
QUOTE_LENGTH = 120  # maximum number of characters of an engine's line that a message to people quotes

_SCORE = re.compile(r"([+-]?)(M?)([0-9]{1,9})(?:[.,][0-9]*)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


class CommandError(ValueError):
    """A known command cannot be executed; its text is sent to the host as the protocol's error."""


def clean_text(text: str, length: int = 200) -> str:
    """Return the text as one line of printable ASCII, at most `length` characters long.

    Text from outside could otherwise break the protocol, by a line feed for example.
    """
    line = " ".join(text.split())[:length]
    return "".join(character if " " <= character <= "~" else "?" for character in line)


def quote_argument(text: str) -> str:
    """Quote a host's bad input for an error answer; long input is cut."""
    return repr(clean_text(text, ECHO_LENGTH))


def quote_line(text: str) -> str:
    """Quote an engine's line for a message to people; a long line is cut."""
    return repr(text if len(text) <= QUOTE_LENGTH else f"{text[:QUOTE_LENGTH]}...")


def parse_number(text: str) -> int | None:
    """Return the integer that the text is, or None.

    Stricter than int(): no underscores, ASCII digits only, at most 18 digits.
    """
    return int(text) if _NUMBER.fullmatch(text) else None


def format_score(progress: Progress) -> str:
    """Return the score in game units, or a proven result.

    Proven results are `+M9` (win in 9 plies), `-M12` (loss in 12 plies), `win`, `loss` and `draw`.
    """
    if not progress.win_in:
        return progress.result or str(progress.score)
    return f"+M{progress.win_in}" if progress.win_in > 0 else f"-M{-progress.win_in}"


def parse_score(text: str) -> Progress:
    """Parse the output of `format_score`. A fraction, which other engines write, is cut off.

    Text of another form gives a `Progress` without a score.
    """
    if text in RESULTS:
        return Progress(score=RESULTS[text], proven_result=text)
    match = _SCORE.fullmatch(text)
    if not match:
        return Progress()
    number = int(match[1] + match[3])
    return Progress(score=proven_score(number), win_in=number) if match[2] and number else Progress(score=number)
