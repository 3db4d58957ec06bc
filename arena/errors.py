"""Exceptions that end a `pentad` command, and error messages of one line for the user."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path

from protocols.command_line import join_command


class UsageError(Exception):
    """The command line or an input file is wrong; the message says what is expected. Exit code 2."""


class CommandFailedError(Exception):
    """The command could not be completed; the message says why. Exit code 1."""


class Terminated(KeyboardInterrupt):
    """The process received a signal to terminate (such as SIGTERM or SIGHUP), not Ctrl-C."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra such as `web`. It needs the sources: the project is not on PyPI."""
    return f'pip install -e ".[{extra}]" in the source folder'


def format_resume_command(directory: Path) -> str:
    """Return the command that resumes the run or tuning in a folder, as a user types it."""
    return f"pentad resume {join_command([str(directory)])}"


_DISK_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


def format_os_error(error: OSError) -> str:
    """Format an OSError in one line: the file, the error and, if the disk is full, advice."""
    if error.strerror is None:
        return str(error) or type(error).__name__
    file_name = f"{error.filename}: " if error.filename is not None else ""
    advice = "; free some space and try again" if error.errno in _DISK_FULL else ""
    return f"{file_name}{error.strerror}{advice}"


def format_foreign_error(error: BaseException, path: Path | None = None) -> str:
    """Format an exception of other people's code, with the number of the innermost line of the file `path`.

    Example: `line 12: KeyError: 'x'`.
    """
    line_numbers = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if path is not None and Path(frame.filename) == path.resolve()
    ]
    return f"{f'line {line_numbers[-1]}: ' if line_numbers else ''}{type(error).__name__}: {error}"
