"""Whether files can be trusted as code: nobody but this user may have written them. POSIX only, others pass."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class UnsafeFileError(Exception):
    """Somebody else could have written a file that is to be run; the text names it, why, and what to do."""


def check_trusted(*paths: Path, program: Path | None = None) -> None:
    """Raise UnsafeFileError where a file or folder is not this user's or root's, or others may write it.

    A file that belongs to `program` may be its owner's, and may be written by whom the program itself may: they could
    change the one as well as the other. A link is refused, whosever it is. Raise OSError where a path is missing.
    """
    if os.name != "posix":
        return
    owners, allowed = {0, os.geteuid()}, 0
    if program is not None:
        found = program.stat()
        owners.add(found.st_uid)
        allowed = found.st_mode & _WRITABLE_BY_OTHERS
    for path in paths:
        reason = _find_hole(path.lstat(), owners, allowed)
        if reason:
            raise UnsafeFileError(f"{path} {reason}: code in it is not run")


def make_private_folder(path: Path) -> None:
    """Make a folder that only this user may write, or close one of this user's to others; raise UnsafeFileError."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name != "posix":
        return
    found = path.stat()  # a user may keep the folder elsewhere and link to it
    if found.st_uid == os.geteuid():
        deny_write_to_others(path)
    elif reason := _find_hole(found, {0}, 0):
        raise UnsafeFileError(f"{path} {reason}: code in it is not run")


def deny_write_to_others(path: Path) -> None:
    """Let nobody but its owner write a file or folder."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & _WRITABLE_BY_OTHERS:
        path.chmod(mode & ~_WRITABLE_BY_OTHERS)


def _find_hole(found: os.stat_result, owners: set[int], allowed: int) -> str:
    """What is wrong with a file, in words; empty where nothing is."""
    if stat.S_ISLNK(found.st_mode):
        return "is a link"
    if found.st_uid not in owners:
        return "belongs to another user"
    return "can be written by other users" if found.st_mode & _WRITABLE_BY_OTHERS & ~allowed else ""
