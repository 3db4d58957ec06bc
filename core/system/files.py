"""Writing files whole or not at all, tables as data files, and errors that say which file they are about."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError name the file: the system does so where it is opened, and not where a write fails."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
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


def replace_file(path: Path, text: str) -> None:
    """Write a whole text file, lines as they are, or leave the old one."""
    replace_content(path, text.encode("utf-8"))


def replace_content(path: Path, content: bytes) -> None:
    """The same of any file."""
    with replacing(path) as file:
        file.write(content)


def read_table(path: Path) -> dict[str, Any]:
    """What `write_table` has written."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write_table(path: Path, table: Mapping[str, Any]) -> None:
    """Write a table as JSON, an entry a line."""
    rows = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()]
    replace_file(path, "{\n" + ",\n".join(rows) + "\n}\n")
