"""The files that engines need on another machine, by their content: what comes out there is what went in here.

Of a command, its program is packed where it is named with a folder, and every argument that names a file; a bare name
such as `python3` means the other machine's own program. Of a player in a file, the file. What a program reads besides
that, such as what lies in its `dir=`, has to be on the other machine already.
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

MARK = "packed:"  # begins a path of a packed engine: mark, hash, slash, name


@dataclass(frozen=True)
class FileBundle:
    """Engines whose files are named by content, and the files by their SHA-256."""

    engines: tuple[EngineEntry, ...]
    files: Mapping[str, bytes]


def pack(engines: Sequence[EngineEntry]) -> FileBundle:
    """Pack engines with their files; raise OSError where one cannot be read, CommandFailedError where one changed."""
    files: dict[str, bytes] = {}
    return FileBundle(tuple(_pack_engine(engine, files) for engine in engines), files)


def unpack(bundle: FileBundle, folder: Path | None = None) -> tuple[EngineEntry, ...]:
    """Write the files into a folder, by default in this user's cache, and return the engines as they start from there.

    Files that are there already are checked, not written. Raise CommandFailedError where a folder that an engine works
    in is missing, or where a file's content does not have its hash.
    """
    root = folder or cache_folder() / "engines"
    make_private_folder(root)  # what lies there is run
    for engine in bundle.engines:
        if engine.directory and not Path(engine.directory).is_dir():
            raise CommandFailedError(f"engine {engine.name}: no folder {engine.directory} on this machine")
    return tuple(_unpack_engine(engine, bundle.files, root) for engine in bundle.engines)


def _pack_engine(engine: EngineEntry, files: dict[str, bytes]) -> EngineEntry:
    directory = str(Path(engine.directory).absolute()) if engine.directory else ""
    engine = structs.replace(engine, directory=directory)
    file = parse_player_file(engine.player)
    if file:
        packed = _add(file.path, files)
        if engine.file_hash and not packed.startswith(f"{MARK}{engine.file_hash}/"):
            raise CommandFailedError(f"engine {engine.name}: {file.path} has changed since it was read")
        return structs.replace(engine, player=":".join(filter(None, (packed, file.cls, file.parameters))))
    if not engine.command:
        return engine
    program, *arguments = split_command(engine.command)
    located = resolve_program(program, directory or None)
    words = [program if located == program and not Path(program).is_absolute() else _add(Path(located), files)]
    for word in arguments:
        path = Path(directory) / word
        words.append(_add(path, files) if path.is_file() else word)
    return structs.replace(engine, command=join_command(words))


def _add(path: Path, files: dict[str, bytes]) -> str:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    files[digest] = data
    return f"{MARK}{digest}/{path.name}"


def _unpack_engine(engine: EngineEntry, files: Mapping[str, bytes], root: Path) -> EngineEntry:
    if engine.player.startswith(MARK):
        packed, suffix, rest = engine.player.partition(".py:")
        return structs.replace(engine, player=_provide(packed + suffix[:-1], files, root) + ":" + rest)
    words = split_command(engine.command) if engine.command else []
    provided = [_provide(word, files, root) if word.startswith(MARK) else word for word in words]
    return structs.replace(engine, command=join_command(provided))


def _provide(packed: str, files: Mapping[str, bytes], root: Path) -> str:
    """The path of a packed file, written first where it is not there yet."""
    digest, _, name = packed.removeprefix(MARK).partition("/")
    path = root / digest / name
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
        data = files[digest]
        if hashlib.sha256(data).hexdigest() != digest:
            raise CommandFailedError(f"{name}: its content is not what its hash {digest} says")
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_program(path, data)
    path.chmod(0o755)
    return str(path)


def _write_program(path: Path, data: bytes) -> None:
    """Write an executable file whole or not at all: others may do the same at the same time."""
    handle, part = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(part).chmod(0o755)
    os.replace(part, path)
