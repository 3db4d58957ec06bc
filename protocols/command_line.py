"""Splits and joins command lines such as `"C:\\My engines\\a.exe" --threads 2`, by the rules of POSIX or of Windows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Sequence

IS_WINDOWS = os.name == "nt"
# The tokens of a Windows command line: a quote with the backslashes before it, blanks, anything else
_WINDOWS_TOKEN = re.compile(r'(\\*)(")|([ \t]+)|(\\+|[^\\" \t]+)')


def split_command(command: str | Sequence[str], *, windows: bool = IS_WINDOWS) -> list[str]:
    """Split a command line into arguments; a quoted path with blanks stays one argument.

    A sequence is returned as a list, unchanged. Raise ValueError if a POSIX quotation is not closed.
    """
    if not isinstance(command, str):
        return list(command)
    return _split_windows(command) if windows else shlex.split(command)


def join_command(words: Sequence[str], *, windows: bool = IS_WINDOWS) -> str:
    """Join arguments into one command line; the inverse of `split_command`."""
    return subprocess.list2cmdline(words) if windows else shlex.join(words)


def _split_windows(text: str) -> list[str]:
    """Split by Microsoft's rules ("Parsing C command-line arguments").

    Single quotes are ordinary characters. Backslashes are special only before a double quote: each two of them stand
    for one backslash, and an odd one left over makes the quote an ordinary character.
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
