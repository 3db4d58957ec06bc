"""Pack the files of engines to send them to the workers of a cluster, and unpack them there.

Packed are the program of a command if it is named with a folder, each argument that is a file, and the `.py` file of a
player. A bare name such as `python3` is not packed: the worker uses its own program. Other files that an engine reads,
for example in its `dir=`, must exist on the worker.

A packed file is named by its SHA-256, such as `packed:9f86d0.../engine.py`. Unpacking checks the hash.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from arena.engines.plugins import parse_player_file
from arena.errors import CommandFailedError
from arena.log.events import EngineEntry
from core.native.library_cache import cache_folder
from core.system.ownership import make_private_folder
from protocols.command_line import join_command, split_command
from protocols.driving.process import resolve_program

PACKED_PREFIX = "packed:"  # prefix of the path of a packed file, then its hash, a slash and its name


@dataclass(frozen=True)
class FileBundle:
    """Engines with packed paths, and the contents of the files by their SHA-256 (hexadecimal)."""

    engines: tuple[EngineEntry, ...]
    files: Mapping[str, bytes]


def pack(engines: Sequence[EngineEntry]) -> FileBundle:
    """Pack engines with their files.

    Raise OSError if a file cannot be read, CommandFailedError if a player file differs from its recorded hash.
    """
    files: dict[str, bytes] = {}
    return FileBundle(tuple(_pack_engine(engine, files) for engine in engines), files)


def unpack(bundle: FileBundle, folder: Path | None = None) -> tuple[EngineEntry, ...]:
    """Write the files into a folder (default: in the user's cache) and return the engines with paths in this folder.

    Existing files with the right hash are kept. Raise CommandFailedError if the working directory of an engine does not
    exist, or if the content of a packed file does not match its hash.
    """
    root = folder or cache_folder() / "engines"
    make_private_folder(root)  # its files are executed, so nobody else may write there
    for engine in bundle.engines:
        if engine.directory and not Path(engine.directory).is_dir():
            raise CommandFailedError(f"engine {engine.name}: no folder {engine.directory} on this machine")
    return tuple(_unpack_engine(engine, bundle.files, root) for engine in bundle.engines)


def _pack_engine(engine: EngineEntry, files: dict[str, bytes]) -> EngineEntry:
    directory = str(Path(engine.directory).absolute()) if engine.directory else ""
    engine = structs.replace(engine, directory=directory)
    file = parse_player_file(engine.player)
    if file:
        packed = _pack_file(file.path, files)
        if engine.file_hash and not packed.startswith(f"{PACKED_PREFIX}{engine.file_hash}/"):
            raise CommandFailedError(f"engine {engine.name}: {file.path} has changed since it was read")
        return structs.replace(engine, player=":".join(filter(None, (packed, file.cls, file.parameters))))
    if not engine.command:
        return engine
    program, *arguments = split_command(engine.command)
    located = resolve_program(program, directory or None)
    words = [program if located == program and not Path(program).is_absolute() else _pack_file(Path(located), files)]
    for word in arguments:
        path = Path(directory) / word
        words.append(_pack_file(path, files) if path.is_file() else word)
    return structs.replace(engine, command=join_command(words))


def _pack_file(path: Path, files: dict[str, bytes]) -> str:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    files[digest] = data
    return f"{PACKED_PREFIX}{digest}/{path.name}"


def _unpack_engine(engine: EngineEntry, files: Mapping[str, bytes], root: Path) -> EngineEntry:
    if engine.player.startswith(PACKED_PREFIX):
        packed, suffix, rest = engine.player.partition(".py:")
        return structs.replace(engine, player=_unpack_file(packed + suffix[:-1], files, root) + ":" + rest)
    words = split_command(engine.command) if engine.command else []
    provided = [_unpack_file(word, files, root) if word.startswith(PACKED_PREFIX) else word for word in words]
    return structs.replace(engine, command=join_command(provided))


def _unpack_file(packed: str, files: Mapping[str, bytes], root: Path) -> str:
    """Return the path of an unpacked file; write it if it is missing or differs from its hash."""
    digest, _, name = packed.removeprefix(PACKED_PREFIX).partition("/")
    path = root / digest / name
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
        data = files[digest]
        if hashlib.sha256(data).hexdigest() != digest:
            raise CommandFailedError(f"{name}: its content does not match its hash {digest}")
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_program(path, data)
    path.chmod(0o755)
    return str(path)


def _write_program(path: Path, data: bytes) -> None:
    """Write an executable file atomically, because other threads may write the same file at the same time."""
    handle, part = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(part).chmod(0o755)
    os.replace(part, path)
