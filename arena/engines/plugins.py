"""Third-party players: a class in a file, `path/to/file.py:Class`, or one that a package installs under a name.

A package installs one by the entry point group `pentad.players`. In both cases the class derives from
`core.play.player.Player`, and its instances are made with the options that it declares:

- `OPTIONS`, a tuple of `core.play.options.Option`, declares its parameters (`file.py:Class:depth=3`); without it the
  player has none;
- `GAME` is the name of the one game that it plays; without it the user has to choose a player that fits the game.

Loading a player runs its code with all rights of this process. The hash in the log covers one file: the player's, or
that of the module or package that the entry point names. It does not cover what this file imports. The file is read
once for each engine of a run, and the bytes that were hashed are those that run, never a cached `.pyc`. A module that
other code has already imported is used as it is; its hash is that of its file on disk when the run begins.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec, module_from_spec, spec_from_loader
from inspect import isabstract, isclass
from pathlib import Path
from types import CodeType, ModuleType

from arena.errors import UsageError, format_foreign_error
from core.play.game import Game
from core.play.options import OptionError
from core.play.player import Player, PlayerKind, build_player
from core.system.files import read_file

GROUP = "pentad.players"
_PLAYER_FILE = re.compile(r"(?P<file>.+?\.py)(?::(?P<cls>[^:]*))?(?::(?P<parameters>.*))?", re.DOTALL)


@dataclass(frozen=True)
class PlayerOrigin:
    """The origin of a third-party player, as the log records it."""

    location: str  # file and class (`/home/a/x.py:Class`), or package, version, module and class (`x 1.5: mod:Class`)
    file_hash: str  # SHA-256 of the file


@dataclass(frozen=True)
class PlayerFileText:
    """The parts of a text `path/to/file.py:Class:parameters`; the last two may be empty."""

    path: Path
    cls: str
    parameters: str


@dataclass(frozen=True)
class PlayerSource:
    """The content of a player's file, which is hashed and run."""

    path: Path
    data: bytes

    @property
    def file_hash(self) -> str:
        """SHA-256 of the content."""
        return hashlib.sha256(self.data).hexdigest()


def read_player_source(text: str) -> PlayerSource | None:
    """Read the file of a player such as `file.py:Class`; return None for any other. Raise UsageError on an error."""
    file = parse_player_file(text)
    if file is None:
        return None
    try:
        return PlayerSource(file.path.resolve(), read_file(file.path))
    except OSError as error:
        raise UsageError(f"player {text!r}: {file.path}: {error.strerror}") from None


def load_player(text: str, game: Game, source: PlayerSource | None = None) -> Player:
    """Return a new player: a built-in one, one from a file or an installed one, as `text` says.

    Built-in players take precedence over installed ones. `source` is the content of the player's file; if it is None,
    the file is read.
    Raise OptionError for an unknown player or option, UsageError if third-party code fails or does not play the game.
    """
    file, source = parse_player_file(text), source or read_player_source(text)
    if file and source:
        return _build(f"player {text!r}", _find_class(text, file, source), file.parameters, game)
    if is_builtin(text, game):
        return build_player(game.players(), text)
    name, _, parameters = text.strip().partition(":")
    entry_point = _find_entry_point(name.strip())
    if entry_point is None:
        known = [kind.name for kind in game.players()] + sorted(
            {entry_point.name for entry_point in entry_points(group=GROUP)}
        )
        raise OptionError(f"unknown player {name!r}; known: {', '.join(known)}; or a file: path/to/file.py:Class")
    return _build(f"player {name!r}", _load_entry_point(entry_point), parameters, game)


def parse_player_file(text: str) -> PlayerFileText | None:
    """Parse `path/to/file.py:Class` or `path/to/file.py:Class:parameters`; return None for any other text."""
    match = _PLAYER_FILE.fullmatch(text.strip())
    return PlayerFileText(Path(match["file"]), match["cls"] or "", match["parameters"] or "") if match else None


def load_origin(text: str, game: Game, source: PlayerSource | None = None) -> PlayerOrigin | None:
    """Return the origin of a third-party player; None for a built-in or unknown one.

    An installed player is loaded for this, which runs its code; of a player's file only the content is hashed. Raise
    UsageError if that fails.
    """
    file, source = parse_player_file(text), source or read_player_source(text)
    if file and source:
        return PlayerOrigin(f"{source.path}:{file.cls}", source.file_hash)
    entry_point = None if is_builtin(text, game) else _find_entry_point(_name(text))
    if entry_point is None:
        return None
    distribution = f"{entry_point.dist.name} {entry_point.dist.version}" if entry_point.dist else "?"
    return PlayerOrigin(
        f"{distribution}: {entry_point.value}", _hash_module(sys.modules[_load_entry_point(entry_point).__module__])
    )


def is_builtin(text: str, game: Game) -> bool:
    """Return whether a player's text names one of the game's built-in players."""
    return parse_player_file(text) is None and any(kind.name.lower() == _name(text).lower() for kind in game.players())


def _name(text: str) -> str:
    """Return the name of a built-in or installed player without its parameters."""
    return text.partition(":")[0].strip()


def _hash_module(module: ModuleType) -> str:
    """Return the hash of the bytes that were run, or of the file on disk if other code had imported the module."""
    loader = module.__spec__.loader if module.__spec__ else None
    data = loader.data if isinstance(loader, _BytesLoader) else Path(module.__file__ or "").read_bytes()
    return hashlib.sha256(data).hexdigest()


def _find_entry_point(name: str) -> EntryPoint | None:
    return next(
        (entry_point for entry_point in entry_points(group=GROUP) if entry_point.name.lower() == name.lower()), None
    )


def _load_entry_point(entry_point: EntryPoint) -> type[Player]:
    location = f"player {entry_point.name!r}, installed as {entry_point.value}"
    try:
        _import_from_bytes(entry_point.module)
        cls = entry_point.load()
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        raise UsageError(f"{location}: {format_foreign_error(error)}") from error
    return _check_class(location, cls)


def _find_class(text: str, file: PlayerFileText, source: PlayerSource) -> type[Player]:
    location = f"player {text!r}"
    if not file.cls:
        raise UsageError(f"{location}: name the class in the file: {file.path}:CLASS")
    try:
        module = _load_code(source)
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        raise UsageError(
            f"{location}: {file.path} cannot be loaded: {format_foreign_error(error, file.path)}"
        ) from error
    cls = getattr(module, file.cls, None)
    if cls is None:
        raise UsageError(f"{location}: no class {file.cls!r} in {file.path}; players there: {_list_players(module)}")
    return _check_class(location, cls)


class _BytesLoader(SourceFileLoader):
    """Runs the bytes that it is given, whatever the file or its `__pycache__` holds when the module is loaded."""

    def __init__(self, name: str, path: str, data: bytes) -> None:
        super().__init__(name, path)
        self.data = data

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the signature of the base class
        """Compile the bytes."""
        code: CodeType = self.source_to_code(self.data, self.path)
        return code


@lru_cache
def _load_code(source: PlayerSource) -> ModuleType:
    """Return the module of a file. It is run again only if its path or content differs."""
    name = f"pentad_player_{hashlib.sha256(str(source.path).encode() + source.data).hexdigest()[:16]}"
    loader = _BytesLoader(name, str(source.path), source.data)
    return _run_module(spec_from_loader(name, loader, is_package=False))


def _import_from_bytes(name: str) -> None:
    """Import an installed module or package from bytes that are kept for its hash, unless it is imported already."""
    if name in sys.modules:
        return
    spec = find_spec(name)
    if spec and spec.origin and isinstance(spec.loader, SourceFileLoader):
        spec.loader = _BytesLoader(name, spec.origin, spec.loader.get_data(spec.origin))
        module = _run_module(spec)
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)


def _run_module(spec: ModuleSpec | None) -> ModuleType:
    """Create and run a module as an import does."""
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # before it runs, because dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return module


def _list_players(module: ModuleType) -> str:
    """Return the names of the players that the module defines itself, separated by commas."""
    classes = {name: value for name, value in vars(module).items() if isclass(value) and issubclass(value, Player)}
    return ", ".join(name for name, cls in classes.items() if cls.__module__ == module.__name__) or "none"


def _check_class(location: str, cls: object) -> type[Player]:
    """Return the class of a player; raise UsageError, whose message begins with `location`, if it cannot be used."""
    if not isclass(cls) or not issubclass(cls, Player):
        raise UsageError(f"{location}: the class must derive from core.play.player.Player; {cls!r} does not")
    if isabstract(cls):
        missing: Sequence[str] = sorted(cls.__abstractmethods__)
        raise UsageError(f"{location}: {cls.__name__} does not implement these methods of Player: {', '.join(missing)}")
    return cls


def _build(location: str, cls: type[Player], parameters: str, game: Game) -> Player:
    game_name = getattr(cls, "GAME", game.name)
    if game_name != game.name:
        raise UsageError(f"{location}: {cls.__name__} plays {game_name}, not {game.name}")
    kind = PlayerKind(cls.__name__, cls.__doc__ or "", cls, tuple(getattr(cls, "OPTIONS", ())))
    try:
        return build_player([kind], f"{kind.name}:{parameters}")
    except OptionError:
        raise
    except Exception as error:  # foreign code may raise anything
        raise UsageError(
            f"{location}: {cls.__name__} cannot be made with its options: {format_foreign_error(error)}"
        ) from error
