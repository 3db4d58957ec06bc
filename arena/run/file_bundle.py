"""Pack the files of engines to send them to the workers of a cluster, and unpack them there.

A bundle contains the program of a command, the arguments that are files, and the `.py` file of a player. A program
named without a folder, such as `python3`, is not packed: the worker starts the program of that name on its machine.
Other files that an engine reads, for example in its `dir=`, must exist on the worker. If an engine is a ZIP, the ZIP is
packed.

The path of a packed file contains its SHA-256, such as `packed:9f86d0.../engine.py`. Unpacking checks the hash.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from arena.engines.gomocup_zip import move_to_cache
from arena.engines.plugins import parse_player_file
from arena.errors import CommandFailedError, UsageError
from arena.log.events import EngineEntry
from core.native.library_cache import cache_folder
from core.system.ownership import make_private_folder
from protocols.command_line import join_command, split_command
from protocols.driving.process import resolve_program

PACKED_PREFIX = "packed:"  # the path of a packed file is this prefix, its hash, a slash and its name


@dataclass(frozen=True)
class FileBundle:
    """Engines with packed paths, and the contents of the files by their SHA-256 (hexadecimal)."""

    engines: tuple[EngineEntry, ...]
    files: Mapping[str, bytes]


def pack(engines: Sequence[EngineEntry]) -> FileBundle:
    """Return the engines with the contents of their files.

    Raise OSError if a file cannot be read, CommandFailedError if the file of a player differs from `file_hash`.
    """
    files: dict[str, bytes] = {}
    return FileBundle(tuple(_pack_engine(engine, files) for engine in engines), files)


def unpack(bundle: FileBundle, folder: Path | None = None) -> tuple[EngineEntry, ...]:
    """Write the files into a folder (default: in the user's cache) and return the engines with paths in this folder.

    Existing files with the right hash are kept. Raise CommandFailedError if the working directory of an engine does not
    exist, or if the content of a packed file does not match its hash.
    """
    root = folder or cache_folder() / "engines"
    make_private_folder(root)  # its files are executed, so no other user may write there
    for engine in bundle.engines:
        if engine.directory and not engine.archive and not Path(engine.directory).is_dir():
            raise CommandFailedError(f"engine {engine.name}: no folder {engine.directory} on this machine")
    return tuple(_unpack_engine(engine, bundle.files, root) for engine in bundle.engines)


def _pack_engine(engine: EngineEntry, files: dict[str, bytes]) -> EngineEntry:
    """Add the files of an engine to `files` (content by hash) and return the engine with packed paths."""
    directory = str(Path(engine.directory).absolute()) if engine.directory else ""
    engine = structs.replace(engine, directory=directory)
    player_file = parse_player_file(engine.player)
    if player_file:
        packed = _pack_file(player_file.path, files)
        if engine.file_hash and not packed.startswith(f"{PACKED_PREFIX}{engine.file_hash}/"):
            raise CommandFailedError(f"engine {engine.name}: {player_file.path} has changed since it was read")
        player = ":".join(filter(None, (packed, player_file.cls, player_file.parameters)))
        return structs.replace(engine, player=player)
    if engine.archive:
        return structs.replace(engine, archive=_pack_file(Path(engine.archive), files))
    if not engine.command:
        return engine
    program, *arguments = split_command(engine.command)
    resolved = resolve_program(program, directory or None)
    # a name such as python3, or a program that is missing after a forced resumption: it cannot start there either
    is_on_worker = (resolved == program and not Path(program).is_absolute()) or not Path(resolved).is_file()
    packed_command = [program if is_on_worker else _pack_file(Path(resolved), files)]
    for argument in arguments:
        path = Path(directory) / argument
        packed_command.append(_pack_file(path, files) if path.is_file() else argument)
    return structs.replace(engine, command=join_command(packed_command))


def _pack_file(path: Path, files: dict[str, bytes]) -> str:
    """Add a file to `files` (content by hash) and return its packed path."""
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    files[digest] = data
    return f"{PACKED_PREFIX}{digest}/{path.name}"


def _unpack_engine(engine: EngineEntry, files: Mapping[str, bytes], root: Path) -> EngineEntry:
    """Write the packed files of an engine into `root` and return the engine with their paths."""
    if engine.player.startswith(PACKED_PREFIX):
        packed, suffix, class_and_parameters = engine.player.partition(".py:")
        path = _unpack_file(packed + suffix[:-1], files, root)
        return structs.replace(engine, player=f"{path}:{class_and_parameters}")
    if engine.archive:
        return _unpack_archive(engine, Path(_unpack_file(engine.archive, files, root)))
    parts = split_command(engine.command) if engine.command else []
    unpacked = [_unpack_file(part, files, root) if part.startswith(PACKED_PREFIX) else part for part in parts]
    return structs.replace(engine, command=join_command(unpacked))


def _unpack_archive(engine: EngineEntry, archive: Path) -> EngineEntry:
    """Return an engine that is a ZIP with the folder into which the ZIP is unpacked here."""
    try:
        directory = move_to_cache(archive, engine.directory)
    except UsageError as error:
        raise CommandFailedError(f"engine {engine.name}: {error}") from None
    return structs.replace(engine, directory=directory, archive=str(archive))


def _unpack_file(packed: str, files: Mapping[str, bytes], root: Path) -> str:
    """Return the path of an unpacked file; write it if it is missing or does not match its hash."""
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
    """Write an executable file atomically, because other workers may write the same file at the same time."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    Path(temporary).chmod(0o755)
    os.replace(temporary, path)
