"""How a `pentad` command ends early: two ways to fail, each text one line for a person, and being told to stop."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path


class UsageError(Exception):
    """What was asked for makes no sense; the text says what is wanted. Exit code 2."""


class CommandFailedError(Exception):
    """What was asked for could not be done; the text says why and what to do. Exit code 1."""


class Terminated(KeyboardInterrupt):
    """The process was told to end, by something less patient than a person at the keyboard."""


def install_command(extra: str) -> str:
    """What installs the packages of an extra; from a clone, for no index has the project."""
    return f'pip install -e ".[{extra}]" in the folder of the sources'


_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


def format_os_error(error: OSError) -> str:
    """What the system refused, and of which file; where that is full, what to do."""
    if error.strerror is None:
        return str(error) or type(error).__name__
    place = f"{error.filename}: " if error.filename is not None else ""
    advice = "; make room there and try again" if error.errno in _FULL else ""
    return f"{place}{error.strerror}{advice}"


def format_foreign_error(error: BaseException, path: Path | None = None) -> str:
    """What code that is not ours raised, and the last line of its file that it came from."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if path is not None and Path(frame.filename) == path.resolve()
    ]
    return f"{f'line {lines[-1]}: ' if lines else ''}{type(error).__name__}: {error}"
