"""Splits and joins command lines such as `"C:\\My engines\\a.exe" --threads 2`, by the rules of POSIX or of Windows.

The arena uses it for the engine commands that users give.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Sequence

IS_WINDOWS = os.name == "nt"
# A token of a Windows command line: a quote with the backslashes before it, blanks, or anything else
_WINDOWS_TOKEN = re.compile(r'(\\*)(")|([ \t]+)|(\\+|[^\\" \t]+)')


def split_command(command: str | Sequence[str], *, windows: bool = IS_WINDOWS) -> list[str]:
    """Split a command line into arguments; a quoted path with blanks stays one argument.

    A command that is a sequence of arguments already is returned as a list. Raise ValueError if a quotation of a POSIX
    command line is not closed.
    """
    if not isinstance(command, str):
        return list(command)
    return _split_windows(command) if windows else shlex.split(command)


def join_command(arguments: Sequence[str], *, windows: bool = IS_WINDOWS) -> str:
    """Join arguments into one command line; the inverse of `split_command`."""
    return subprocess.list2cmdline(arguments) if windows else shlex.join(arguments)


def _split_windows(text: str) -> list[str]:
    """Split by Microsoft's rules ("Parsing C command-line arguments").

    Single quotes are ordinary characters. Backslashes are special only before a double quote: two of them mean one
    backslash, and a single one that is left over makes the quote an ordinary character.
    """
    arguments: list[str] = []
    argument: str | None = None  # None between two arguments
    is_quoted = False
    for backslashes, quote, blanks, other in _WINDOWS_TOKEN.findall(text):
        if blanks and not is_quoted:
            arguments += [] if argument is None else [argument]
            argument = None
            continue
        argument = argument or ""
        if quote:
            argument += "\\" * (len(backslashes) // 2) + '"' * (len(backslashes) % 2)
            is_quoted ^= len(backslashes) % 2 == 0
        else:
            argument += blanks or other
    return arguments if argument is None else [*arguments, argument]
