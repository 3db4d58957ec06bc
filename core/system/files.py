"""Reading people's files within bounds, writing files whole or not at all, and errors that say which file they mean."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path
from typing import Any, BinaryIO

MAX_TEXT_BYTES = 16 << 20  # of a file that a person wrote or chose: openings, a tournament, a game, a player


def read_file(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a regular file of at most `max_bytes`; raise OSError, also for any other kind of file.

    Whoever names a device or a pipe would else wait for its end, or have all memory filled with it.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a pipe must not block the opening
    with naming_file(path), open(path, "rb", buffering=0, opener=lambda name, _: os.open(name, flags)) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            kind = "pipe" if stat.S_ISFIFO(found.st_mode) else "device"
            raise OSError(errno.EINVAL, f"a regular file is wanted, not a {kind}", str(path))
        content = _read_at_most(file, max_bytes + 1)  # its size says little of a file that grows, or of one in /proc
        if len(content) > max_bytes:
            raise OSError(errno.EINVAL, f"a file of at most {max_bytes} bytes is wanted, not a longer one", str(path))
    return content


def read_text(path: Path) -> str:
    """Return the UTF-8 text of a regular file as `read_file` reads it; raise OSError, UnicodeDecodeError."""
    return read_file(path).decode("utf-8-sig")


def _read_at_most(file: RawIOBase, max_bytes: int) -> bytes:
    content = bytearray()
    while len(content) < max_bytes and (chunk := file.read(min(1 << 20, max_bytes - len(content)))):
        content += chunk
    return bytes(content)


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """Let an OSError name the file: the system does so where it is opened, and not where a write fails."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


@contextmanager
def open_replacement(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when all is written; where that fails, the old one stays.

    Others may do the same at the same time: each writes a file of its own, and the last one wins.
    """
    part = path.with_name(f".{path.name}-{os.urandom(4).hex()}.part")
    try:
        with part.open("xb") as file:
            yield file
        os.replace(part, path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(part)):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def replace_text_file(path: Path, text: str) -> None:
    """Write a whole text file, lines as they are, or leave the old one."""
    replace_binary_file(path, text.encode("utf-8"))


def replace_binary_file(path: Path, content: bytes) -> None:
    """The same of any file."""
    with open_replacement(path) as file:
        file.write(content)


def read_json_object(path: Path) -> dict[str, Any]:
    """What `write_json_object` has written."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write_json_object(path: Path, table: Mapping[str, Any]) -> None:
    """Write a table as JSON, an entry a line."""
    rows = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()]
    replace_text_file(path, "{\n" + ",\n".join(rows) + "\n}\n")
