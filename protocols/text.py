"""Formats and parses texts that occur in all protocols: numbers, scores and quotations. Pure functions."""

from __future__ import annotations

import re

from core.play.player import Progress
from core.search.scores import MAX_DISTANCE, proven_score

# Proven result, written instead of a score if its distance is unknown -> score that stands for it
RESULT_SCORES = {"win": proven_score(MAX_DISTANCE), "loss": proven_score(-MAX_DISTANCE), "draw": 0}
ECHO_LENGTH = 60  # maximum number of characters of a bad input that an error answer quotes
QUOTE_LENGTH = 120  # maximum number of characters of an engine's line that a message to people quotes

_SCORE = re.compile(r"([+-]?)(M?)([0-9]{1,9})(?:[.,][0-9]*)?")
MAX_DIGITS = 18  # of a number, so that it fits int64
_NUMBER = re.compile(rf"[+-]?[0-9]{{1,{MAX_DIGITS}}}")
_LARGE_NUMBER = re.compile(r"([+-]?)[0-9]+")


class CommandError(ValueError):
    """A command cannot be executed. The message is sent to the host in the protocol's form of an error."""


def clean_text(text: str, length: int = 200) -> str:
    """Return the text as one line of printable ASCII, at most `length` characters long.

    Runs of white space become one blank, other characters `?`. Text from outside could otherwise break the protocol,
    for example by a line feed.
    """
    line = " ".join(text.split())[:length]
    return "".join(character if " " <= character <= "~" else "?" for character in line)


def quote_argument(text: str) -> str:
    """Return a host's bad input in quotes for an error answer, cut to ECHO_LENGTH characters."""
    return repr(clean_text(text, ECHO_LENGTH))


def quote_line(text: str) -> str:
    """Return an engine's line in quotes for a message to people, cut to QUOTE_LENGTH characters."""
    return repr(text if len(text) <= QUOTE_LENGTH else f"{text[:QUOTE_LENGTH]}...")


def parse_number(text: str) -> int | None:
    """Parse an integer; return None for other texts.

    Stricter than int(): no underscores or blanks, ASCII digits only, at most MAX_DIGITS.
    """
    return int(text) if _NUMBER.fullmatch(text) else None


def parse_large_number(text: str) -> int | None:
    """Parse an integer as `parse_number` does, but replace one of more digits by the largest or smallest of MAX_DIGITS.

    For settings, whose numbers out of range are replaced by the nearest allowed one.
    """
    match = _LARGE_NUMBER.fullmatch(text)
    if match is None or len(text) - len(match[1]) <= MAX_DIGITS:
        return parse_number(text)
    return int(match[1] + "9" * MAX_DIGITS)


def format_score(progress: Progress) -> str:
    """Return the score of a search as text, such as `-15`, or a proven result.

    Proven results are `+M9` (win in 9 plies), `-M12` (loss in 12 plies), and `win`, `loss` and `draw` if the number of
    plies is unknown.
    """
    if not progress.win_in:
        return progress.result or str(progress.score)
    return f"+M{progress.win_in}" if progress.win_in > 0 else f"-M{-progress.win_in}"


def parse_score(text: str) -> Progress:
    """Parse the output of `format_score` and return a `Progress` with that score.

    The fraction that some engines write is cut off. Other texts give the default `Progress`, whose score is 0.
    """
    if text in RESULT_SCORES:
        return Progress(score=RESULT_SCORES[text], proven_result=text)
    match = _SCORE.fullmatch(text)
    if not match:
        return Progress()
    number = int(match[1] + match[3])
    return Progress(score=proven_score(number), win_in=number) if match[2] and number else Progress(score=number)
