"""The engines of a match: parse their descriptions on the command line, check them, and make their players.

The text of an engine is for example `cmd=./rapfi --mode gomocup,name=Rapfi,tc=0.1,option.thread_num=2` for a program,
or `player=alphabeta:depth=2,seed=7,name=weak` for a player, which runs in this process. A player may also come from a
file, `player=path/to/file.py:Class`, or from an installed package (arena/engines/plugins.py). A comma begins a new
field only before a known field name, so commas in commands and parameters need no quoting. The text may also be a JSON
object, `{"cmd": "./rapfi", "options": {"thread_num": 2}}` (arena/engines/toml_format.py). A command may begin with a
ZIP as sent to Gomocup; its program is then the command of the engine (arena/engines/gomocup_zip.py).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from arena.engines.gomocup_zip import ZipTarget, archive_digest, find_archive, unpack_engine
from arena.engines.names import derive_name, make_unique
from arena.engines.plugins import (
    PlayerSource,
    is_builtin,
    load_origin,
    load_player,
    parse_player_file,
    read_player_source,
)
from arena.engines.toml_format import split_table
from arena.errors import UsageError
from arena.log.engine_output import make_printable
from arena.log.events import EngineEntry
from arena.terms.clock import TimeControl, effective_control
from core.play.game import Game
from core.play.options import OptionError
from core.play.player import Player, parse_player
from protocols.command_line import split_command
from protocols.driving.deadlines import DEFAULT_DEADLINES, Deadlines
from protocols.driving.engine_client import ClientSettings

FIELDS = ("cmd", "player", "proto", "name", "dir", "tc")
COMMON_FIELDS = ("proto", "dir", "tc")  # fields that --each accepts, besides option.X and env.X
_FIELD_START = re.compile(rf"(?:^|,)({'|'.join(FIELDS)}|(?:option|env)\.[^=,]+)=")
_POSSIBLE_FIELD = re.compile(r"^[^: ]*,\s*(\w+=)")  # a word such as `depth=`, before any parameter or argument


@dataclass(frozen=True)
class EngineSpec:
    """An engine: either a program with its command line, or a player that runs in this process."""

    name: str
    command: str = ""  # empty for a player
    player: str = ""  # name or file of a player with its parameters, such as `alphabeta:depth=2`; empty for a program
    protocol: str = ""  # of a program: gomocup, uhp or gtp
    directory: str = ""  # working directory of a program, empty for that of the arena
    options: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()  # variables added to the environment of the arena
    tc: str = ""  # the engine's time control, empty for that of the match
    archive: str = ""  # the ZIP from which the program was unpacked into `directory`; empty without one
    # Content of the file of a player such as `file.py:Class`, read once; None for other engines
    player_source: PlayerSource | None = field(default=None, compare=False, repr=False)

    @property
    def needs_seed(self) -> bool:
        """True if the match sets the seed: the engine is a player in this process, and the user gave no seed."""
        keys = {key.lower() for key, _ in self.options}
        return bool(self.player) and "seed" not in keys and not re.search(r"[:,]\s*seed\s*=", self.player)

    def client_settings(self, grace_ms: int, deadlines: Deadlines = DEFAULT_DEADLINES) -> ClientSettings:
        """Return the arguments that the clients of all protocols take; the engine is a program."""
        return {
            "cwd": self.directory or None,
            "env": dict(self.environment),
            "grace_ms": grace_ms,
            "deadlines": deadlines,
        }

    def log_entry(self, game: Game) -> EngineEntry:
        """Return the engine as the log's header records it; raise UsageError if its player cannot be loaded."""
        origin = load_origin(self.player, game, self.player_source) if self.player else None
        program_hash = _hash_program(self.command, self.directory) if self.command else ""
        if self.archive and program_hash:  # the files beside the program, such as weights, belong to the engine
            program_hash = hashlib.sha256(f"{program_hash} {archive_digest(self.directory)}".encode()).hexdigest()
        return EngineEntry(
            **engine_fields(self),
            file_hash=origin.file_hash if origin else program_hash,
            source=origin.location if origin else "",
        )


def engine_fields(engine: EngineSpec | EngineEntry) -> dict[str, Any]:
    """Return the fields that `EngineSpec` and `EngineEntry` share, to make one from the other."""
    names = [spec_field.name for spec_field in fields(EngineSpec) if spec_field.name != "player_source"]
    return {name: getattr(engine, name) for name in names}


def parse_engine(
    text: str, game: Game, common: Sequence[tuple[str, str]] = (), target: ZipTarget | None = None
) -> EngineSpec:
    """Parse the text of one `--engine`; raise UsageError. It overrides `common`, the fields of `--each`.

    If the engine is a ZIP, it is unpacked; `target` is the game that its program has to play, by default the game's
    usual one.
    """
    value_by_key: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    environment: list[tuple[str, str]] = []
    own_fields = list(_split_fields(text))
    for key, value in [*own_fields, *((key, value) for key, value in common if key not in dict(own_fields))]:
        if key.startswith("option."):
            options.append((key.removeprefix("option."), value))
        elif key.startswith("env."):
            environment.append((key.removeprefix("env."), value))
        elif key in value_by_key:
            raise UsageError(f"engine {text!r}: {key}= is given twice")
        else:
            value_by_key[key] = value
    command, player = value_by_key.get("cmd", ""), value_by_key.get("player", "")
    if player and "proto" in dict(own_fields):
        raise UsageError(f"engine {text!r}: proto= is for programs: leave it out, or give cmd= instead of player=")
    name = value_by_key.get("name", "")
    if not name.isprintable():
        raise UsageError(f"engine {text!r}: name= must have printable characters only, not {name!r}")
    spec = EngineSpec(
        name=name or make_printable(_default_name(command, player)),
        command=command,
        player=player,
        protocol=value_by_key.get("proto", game.protocol).lower() if command else "",
        directory=value_by_key.get("dir", ""),
        options=tuple(options),
        environment=tuple(environment),
        tc=value_by_key.get("tc", ""),
        player_source=read_player_source(player),
    )
    if command and find_archive(command):
        if "dir" in dict(own_fields):
            raise UsageError(f"engine {text!r}: a ZIP is played in the folder that it is unpacked into: leave dir= out")
        spec = _unpack(spec, target or ZipTarget(game.default_setup), f"engine {text!r}")
    check_engine(spec, f"engine {text!r}", game)
    return spec


def parse_engines(
    texts: Sequence[str], game: Game, each: str = "", target: ZipTarget | None = None
) -> tuple[EngineSpec, ...]:
    """Parse the texts of all engines; `each` has the default fields of every engine. Raise UsageError.

    Equal default names are numbered; two engines must not be given the same name. `target` is that of `parse_engine`.
    """
    common = _parse_common(each)
    specs = [parse_engine(text, game, common, target) for text in texts]
    unnamed = [index for index, text in enumerate(texts) if not has_explicit_name(text)]
    given_names = [spec.name for index, spec in enumerate(specs) if index not in unnamed]
    for name, count in Counter(given_names).items():
        if count > 1:
            raise UsageError(f"two engines are called {name!r}: each needs a name of its own")
    unique_names = make_unique([specs[index].name for index in unnamed], given_names)
    for index, name in zip(unnamed, unique_names, strict=True):
        specs[index] = replace(specs[index], name=name)
    return tuple(specs)


def has_explicit_name(text: str) -> bool:
    """Return whether the text of an engine gives it a name; raise UsageError if it is not the text of an engine."""
    return any(key == "name" and value for key, value in _split_fields(text))


def _parse_common(text: str) -> list[tuple[str, str]]:
    """Parse the fields of --each; raise UsageError for a field that only one engine can have."""
    common = list(_split_fields(text)) if text else []
    for key, _ in common:
        if key not in COMMON_FIELDS and not key.startswith(("option.", "env.")):
            known = ", ".join(f"{name}=" for name in COMMON_FIELDS)
            raise UsageError(f"--each {text!r}: {key}= belongs to one engine; known: {known}, option.X=, env.X=")
    return common


def _split_fields(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of an engine's text as (key, value); raise UsageError if it does not begin with a field."""
    if text.startswith("{"):
        yield from split_table(text)
        return
    starts = list(_FIELD_START.finditer(text))
    if not starts or starts[0].start() != 0:
        known = ", ".join(f"{name}=" for name in FIELDS)
        raise UsageError(f"engine {text!r}: it must begin with one of {known} option.X= env.X=")
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends, strict=True):
        yield match.group(1), text[match.end() : end].strip()


def _unpack(spec: EngineSpec, target: ZipTarget, location: str) -> EngineSpec:
    """Return the engine with the program of its ZIP; raise UsageError, whose message begins with `location`."""
    if spec.protocol != "gomocup":
        raise UsageError(f"{location}: a ZIP must be an engine of proto=gomocup, not {spec.protocol!r}")
    try:
        unpacked = unpack_engine(spec.command, target)
    except UsageError as error:
        raise UsageError(f"{location}: {error}") from None
    own_variables = dict(spec.environment)
    added = tuple((name, value) for name, value in unpacked.environment if name not in own_variables)
    return replace(
        spec,
        command=unpacked.command,
        directory=unpacked.directory,
        archive=unpacked.archive,
        environment=added + spec.environment,
    )


def _default_name(command: str, player: str) -> str:
    """Return the name of an engine without `name=`: that of its program, ZIP, class or player."""
    file, archive = parse_player_file(player), find_archive(command) if command else None
    if archive:
        return archive[0].stem
    return derive_name(command) if command else file.cls if file else player


def check_engine(spec: EngineSpec, location: str, game: Game) -> None:
    """Raise UsageError if the settings of an engine are wrong or its program is missing."""
    check_settings(spec, location, game)
    check_program(spec, location)


def check_program(spec: EngineSpec, location: str) -> None:
    """Raise UsageError if the program of an engine or its folder is missing; the message begins with `location`."""
    if spec.player:
        return
    if spec.archive and not Path(spec.directory).is_dir():
        raise UsageError(f"{location}: {spec.archive} has changed or is gone, and {spec.directory} with its files too")
    if spec.directory and not Path(spec.directory).is_dir():
        raise UsageError(f"{location}: dir= must be a folder, and there is none at {spec.directory!r}")
    if find_program(spec.command, spec.directory) is None:
        raise UsageError(f"{location}: no program to start in {spec.command!r}{_explain_field(spec.command)}")


def check_settings(spec: EngineSpec, location: str, game: Game) -> None:
    """Raise UsageError if the settings of an engine are wrong; the message begins with `location`.

    The code of a third-party player is run for this check.
    """
    if bool(spec.command) == bool(spec.player):
        raise UsageError(f"{location}: give either cmd=COMMAND or player=NAME")
    try:
        effective_control(spec.tc, TimeControl())
    except ValueError as error:
        raise UsageError(f"{location}: tc: {error}") from None
    if spec.command and spec.protocol != game.protocol:
        raise UsageError(f"{location}: {game.title} is played over proto={game.protocol}, not {spec.protocol!r}")
    if spec.player:
        try:
            _check_player(spec, game)
        except OptionError as error:
            raise UsageError(f"{location}: {error}{_explain_field(spec.player)}") from None


def _explain_field(text: str) -> str:
    """Return the end of an error message if a command or player contains what looks like an unknown field, else ''."""
    match = _POSSIBLE_FIELD.match(text)
    if match is None:
        return ""
    known = ", ".join(f"{name}=" for name in FIELDS)
    return f"; {match[1]} is not a field of an engine, known are {known}, option.X= and env.X="


def _check_player(spec: EngineSpec, game: Game) -> None:
    """Raise what `make_player` would. A built-in player is not made, because it may have to compile kernels first."""
    if is_builtin(spec.player, game):
        _, options = parse_player(game.players(), spec.player)
        options.update(spec.options)
    else:
        make_player(spec, game).close()


def make_player(spec: EngineSpec, game: Game) -> Player:
    """Return a new player with the options of the engine; raise OptionError or UsageError."""
    player = load_player(spec.player, game, spec.player_source)
    for key, value in spec.options:
        player.set_option(key, value)
    return player


def find_program(command: str, directory: str) -> Path | None:
    """Return the file that a command line starts, or None if there is none.

    A path is looked up in the engine's directory and then in ours, a bare name on the PATH.
    """
    try:
        program = split_command(command)[0]
    except (ValueError, IndexError):  # an unclosed quote, or no program
        return None
    paths = [Path(directory, program), Path(program)] if Path(program).name != program else []
    existing = next((path for path in paths if path.is_file()), shutil.which(program))
    return Path(existing).absolute() if existing else None


def _hash_program(command: str, directory: str) -> str:
    """Return the SHA-256 of the program file of a command, empty if it is not found.

    If arguments are files, such as a script, return the SHA-256 of the hashes of the program and these files.
    """
    program = find_program(command, directory)
    if program is None:
        return ""
    files = [program, *_find_files(split_command(command)[1:], directory)]
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256(" ".join(hashes).encode()).hexdigest()


def _find_files(arguments: Sequence[str], directory: str) -> list[Path]:
    """Return the arguments that are readable files; relative paths start at the engine's directory."""
    return [path for argument in arguments if _is_file(path := Path(directory) / argument)]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file() and os.access(path, os.R_OK)
    except OSError:  # such as a name that is too long
        return False
