"""Check, before a file is run as code, that no other user can have written it. On Windows nothing is checked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class UnsafeFileError(Exception):
    """Another user can have written a file that is to be run; the message names the file and the reason."""


def check_trusted(*paths: Path, program: Path | None = None) -> None:
    """Raise UnsafeFileError if another user can have written a file or folder: by owning it, or by its permissions.

    Files of this user and of root are accepted if neither the group nor others can write to them.

    `program` is the executable that the files are a part of. Its owner and those who can write to it may also write to
    the files, because they could change the program itself. Symbolic links are refused. Raise OSError if a path does
    not exist.
    """
    if os.name != "posix":
        return
    allowed_owners, allowed_mode = {0, os.geteuid()}, 0
    if program is not None:
        status = program.stat()
        allowed_owners.add(status.st_uid)
        allowed_mode = status.st_mode & _WRITABLE_BY_OTHERS
    for path in paths:
        reason = _unsafe_reason(path.lstat(), allowed_owners, allowed_mode)
        if reason:
            raise UnsafeFileError(f"{path} {reason}: code in it is not run")


def make_private_folder(path: Path) -> None:
    """Create a folder that only this user can write to; if it exists, remove the write permission of others.

    A folder of root that others cannot write to is accepted. Raise UnsafeFileError if any other folder exists there.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name != "posix":
        return
    status = path.stat()  # follows symbolic links: a user may keep the folder elsewhere
    if status.st_uid == os.geteuid():
        deny_write_to_others(path)
    elif reason := _unsafe_reason(status, {0}, 0):
        raise UnsafeFileError(f"{path} {reason}: code in it is not run")


def deny_write_to_others(path: Path) -> None:
    """Remove the write permission of the group and of all others."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & _WRITABLE_BY_OTHERS:
        path.chmod(mode & ~_WRITABLE_BY_OTHERS)


def _unsafe_reason(status: os.stat_result, allowed_owners: set[int], allowed_mode: int) -> str:
    """Return the reason why a file is not safe, as the end of an error message; empty if it is safe.

    `allowed_mode` has the write permissions of others that are accepted.
    """
    if stat.S_ISLNK(status.st_mode):
        return "is a link"
    if status.st_uid not in allowed_owners:
        return "belongs to another user"
    return "can be written by other users" if status.st_mode & _WRITABLE_BY_OTHERS & ~allowed_mode else ""
