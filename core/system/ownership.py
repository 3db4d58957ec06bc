"""Check that only this user can have written a file before it is run as code. On Windows every file passes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class UnsafeFileError(Exception):
    """Another user could have written a file that is to be run; the message names the file and the reason."""


def check_trusted(*paths: Path, program: Path | None = None) -> None:
    """Raise UnsafeFileError if a file or folder belongs to another user (except root) or others can write to it.

    With `program`, the executable that the files belong to, the owner of the program and those who can write to it are
    allowed as well, because they could change the program itself. Symbolic links are refused. Raise OSError if a path
    does not exist.
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
    """Create a folder that only this user can write to, or remove the write permission of others from it.

    Raise UnsafeFileError if it belongs to another user.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name != "posix":
        return
    found = path.stat()  # a user may keep the folder elsewhere and link to it
    if found.st_uid == os.geteuid():
        deny_write_to_others(path)
    elif reason := _find_hole(found, {0}, 0):
        raise UnsafeFileError(f"{path} {reason}: code in it is not run")


def deny_write_to_others(path: Path) -> None:
    """Remove the write permission of group and others."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & _WRITABLE_BY_OTHERS:
        path.chmod(mode & ~_WRITABLE_BY_OTHERS)


def _find_hole(found: os.stat_result, owners: set[int], allowed: int) -> str:
    """Return why a file is not safe, in words; empty if it is safe."""
    if stat.S_ISLNK(found.st_mode):
        return "is a link"
    if found.st_uid not in owners:
        return "belongs to another user"
    return "can be written by other users" if found.st_mode & _WRITABLE_BY_OTHERS & ~allowed else ""
