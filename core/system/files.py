"""Files: read text of bounded size, replace a file atomically, and add the file name to an OSError."""

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

MAX_TEXT_BYTES = 16 << 20  # maximal size of a text file that a user names, such as an opening book


def read_file(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a file; raise OSError if it has more than `max_bytes` or is not a regular file.

    Reading a pipe or a device could wait for ever or fill the memory.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # opening a pipe must not block
    with naming_file(path), open(path, "rb", buffering=0, opener=lambda name, _: os.open(name, flags)) as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            kind = "pipe" if stat.S_ISFIFO(mode) else "device"
            raise OSError(errno.EINVAL, f"a regular file is required, not a {kind}", str(path))
        content = _read_at_most(file, max_bytes + 1)  # st_size is wrong for a growing file and in /proc
        if len(content) > max_bytes:
            raise OSError(errno.EINVAL, f"the file must have at most {max_bytes} bytes", str(path))
    return content


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark; raise OSError or UnicodeDecodeError.

    The file must be regular and have at most MAX_TEXT_BYTES.
    """
    return read_file(path).decode("utf-8-sig")


def _read_at_most(file: RawIOBase, max_bytes: int) -> bytes:
    content = bytearray()
    while len(content) < max_bytes and (chunk := file.read(min(1 << 20, max_bytes - len(content)))):
        content += chunk
    return bytes(content)


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """Add the file name to an OSError raised in the block: the system sets it for `open`, but not for `write`."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


@contextmanager
def open_replacement(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces `path` at the end of the block; if the block fails, the old file stays.

    Several processes may do this at the same time: their temporary files have different names, and the file of the
    process that finishes last stays.
    """
    temporary = path.with_name(f".{path.name}-{os.urandom(4).hex()}.part")
    try:
        with temporary.open("xb") as file:
            yield file
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):  # the first error is the one to report
            temporary.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(temporary)):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def replace_text_file(path: Path, text: str) -> None:
    """Replace a text file atomically; write UTF-8 without converting line ends."""
    replace_binary_file(path, text.encode("utf-8"))


def replace_binary_file(path: Path, content: bytes) -> None:
    """Replace a file atomically."""
    with open_replacement(path) as file:
        file.write(content)


def read_json_object(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file; raise OSError, or ValueError with the path if it has none."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(entries, dict):
        raise ValueError(f"{path}: expected a JSON object, not {type(entries).__name__}")
    return entries


def write_json_object(path: Path, entries: Mapping[str, Any]) -> None:
    """Write a JSON object, one entry per line, replacing the file atomically."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items()]
    replace_text_file(path, "{\n" + ",\n".join(lines) + "\n}\n")
