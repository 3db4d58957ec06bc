"""Command lines of programs: words to text and back, by the rules of the system that is to run them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Sequence

IS_WINDOWS = os.name == "nt"
# What a Windows command line is made of: a quote with the backslashes before it, blanks, anything else
_WINDOWS_TOKEN = re.compile(r'(\\*)(")|([ \t]+)|(\\+|[^\\" \t]+)')


def split_command(command: str | Sequence[str], *, windows: bool = IS_WINDOWS) -> list[str]:
    """The words of a command line; a quoted program with blanks in its path stays one word.

    Raise ValueError where a POSIX quotation is not closed.
    """
    if not isinstance(command, str):
        return list(command)
    return _split_windows(command) if windows else shlex.split(command)


def join_command(words: Sequence[str], *, windows: bool = IS_WINDOWS) -> str:
    """The command line of words; the inverse of `split_command`."""
    return subprocess.list2cmdline(words) if windows else shlex.join(words)


def _split_windows(text: str) -> list[str]:
    """Microsoft's rules ("Parsing C command-line arguments"): single quotes mean nothing, and neither does a backslash
    but before a double quote, where two are one and an odd one makes the quote a plain character.
    """
    words: list[str] = []
    word: str | None = None  # None between words
    is_quoted = False
    for backslashes, quote, blanks, other in _WINDOWS_TOKEN.findall(text):
        if blanks and not is_quoted:
            words += [] if word is None else [word]
            word = None
            continue
        word = word or ""
        if quote:
            word += "\\" * (len(backslashes) // 2) + '"' * (len(backslashes) % 2)
            is_quoted ^= len(backslashes) % 2 == 0
        else:
            word += blanks or other
    return words if word is None else [*words, word]
