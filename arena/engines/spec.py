"""What takes part in a match, as the command line describes it, and how a Player is made of it.

`cmd=./rapfi --mode gomocup,name=Rapfi,tc=0.1,option.thread_num=2` or `player=paper:depth=2,seed=7,name=paper`;
a player may also be one of a file, `player=path/to/file.py:Class`, or one that is installed (arena/engines/plugins.py).
A comma begins a new field only before a known field name, so commas in commands and parameters need no quoting. The
same as a table, `{"cmd": "./rapfi", "options": {"thread_num": 2}}`, is what `arena/engines/toml_format.py` reads.
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

from arena.engines.names import derive_name, name_apart
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

FIELDS = ("cmd", "player", "proto", "name", "dir", "tc")
COMMON_FIELDS = ("proto", "dir", "tc")  # that all engines may share, besides options and environment
_FIELD_START = re.compile(rf"(?:^|,)({'|'.join(FIELDS)}|(?:option|env)\.[^=,]+)=")


@dataclass(frozen=True)
class EngineSpec:
    """One engine: a command line, the name of one of our players, or the name or the file of another one."""

    name: str
    command: str = ""
    player: str = ""
    protocol: str = ""
    directory: str = ""  # working directory of the command, empty for the runner's own
    options: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()  # added to the runner's own
    tc: str = ""  # its own time control, empty for that of the match
    player_source: PlayerSource | None = field(
        default=None, compare=False, repr=False
    )  # of a player in a file, read once

    @property
    def needs_seed(self) -> bool:
        """Whether the match seeds the player: one in this process whose seed nobody gave."""
        keys = {key.lower() for key, _ in self.options}
        return bool(self.player) and "seed" not in keys and not re.search(r"[:,]\s*seed\s*=", self.player)

    def log_entry(self, game: Game) -> EngineEntry:
        """The engine as the log's header records it; raise UsageError where a player is not there any more."""
        origin = load_origin(self.player, game, self.player_source) if self.player else None
        program_hash = _hash_program(self.command, self.directory) if self.command else ""
        return EngineEntry(
            **engine_fields(self),
            file_hash=origin.file_hash if origin else program_hash,
            source=origin.place if origin else "",
        )


def engine_fields(engine: EngineSpec | EngineEntry) -> dict[str, Any]:
    """What an engine is in both, by name, to make the one of the other."""
    return {known.name: getattr(engine, known.name) for known in fields(EngineSpec) if known.name != "player_source"}


def parse_engine(text: str, game: Game, common: Sequence[tuple[str, str]] = ()) -> EngineSpec:
    """Read the text of one `--engine`; raise UsageError. Of the `common` fields it has those that it has not itself."""
    fields: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    environment: list[tuple[str, str]] = []
    own = list(_split_fields(text))
    for key, value in [*own, *((key, value) for key, value in common if key not in dict(own))]:
        if key.startswith("option."):
            options.append((key.removeprefix("option."), value))
        elif key.startswith("env."):
            environment.append((key.removeprefix("env."), value))
        elif key in fields:
            raise UsageError(f"engine {text!r}: {key}= is given twice")
        else:
            fields[key] = value
    command, player = fields.get("cmd", ""), fields.get("player", "")
    name = fields.get("name", "")
    if not name.isprintable():
        raise UsageError(f"engine {text!r}: name= wants printable characters, not {name!r}")
    spec = EngineSpec(
        name=name or make_printable(_default_name(command, player)),
        command=command,
        player=player,
        protocol=fields.get("proto", game.protocol).lower() if command else "",
        directory=fields.get("dir", ""),
        options=tuple(options),
        environment=tuple(environment),
        tc=fields.get("tc", ""),
        player_source=read_player_source(player),
    )
    check_engine(spec, f"engine {text!r}", game)
    return spec


def parse_engines(texts: Sequence[str], game: Game, each: str = "") -> tuple[EngineSpec, ...]:
    """Read all `--engine` texts and the fields of `each`, which they share; raise UsageError.

    Equal default names get a number, equal given ones are refused.
    """
    common = _parse_common(each)
    specs = [parse_engine(text, game, common) for text in texts]
    has_name = [has_explicit_name(text) for text in texts]
    given = [spec.name for spec, named in zip(specs, has_name, strict=True) if named]
    for name, count in Counter(given).items():
        if count > 1:
            raise UsageError(f"two engines are called {name!r}: each needs a name of its own")
    derived = iter(name_apart([spec.name for spec, named in zip(specs, has_name, strict=True) if not named], given))
    return tuple(
        spec if named else replace(spec, name=next(derived)) for spec, named in zip(specs, has_name, strict=True)
    )


def has_explicit_name(text: str) -> bool:
    """Whether the text of an engine gives it a name; raise UsageError."""
    return any(key == "name" and value for key, value in _split_fields(text))


def _parse_common(text: str) -> list[tuple[str, str]]:
    """The fields that all engines share; raise UsageError for those that belong to one."""
    fields = list(_split_fields(text)) if text else []
    for key, _ in fields:
        if key not in COMMON_FIELDS and not key.startswith(("option.", "env.")):
            known = ", ".join(f"{name}=" for name in COMMON_FIELDS)
            raise UsageError(f"--each {text!r}: {key}= belongs to one engine; known: {known}, option.X=, env.X=")
    return fields


def _split_fields(text: str) -> Iterator[tuple[str, str]]:
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


def _default_name(command: str, player: str) -> str:
    file = parse_player_file(player)
    return derive_name(command) if command else file.cls if file else player


def check_engine(spec: EngineSpec, place: str, game: Game) -> None:
    """Raise UsageError, beginning with `place`, where an engine cannot be started; a player's code is run for that."""
    if bool(spec.command) == bool(spec.player):
        raise UsageError(f"{place}: either cmd=COMMAND or player=NAME is wanted")
    try:
        effective_control(spec.tc, TimeControl())
    except ValueError as error:
        raise UsageError(f"{place}: tc: {error}") from None
    if spec.command and spec.protocol != game.protocol:
        raise UsageError(f"{place}: {game.title} is played over proto={game.protocol}, not {spec.protocol!r}")
    if spec.player:
        try:
            _check_player(spec, game)
        except OptionError as error:
            raise UsageError(f"{place}: {error}") from None
    elif spec.directory and not Path(spec.directory).is_dir():
        raise UsageError(f"{place}: dir= wants a folder, and there is none at {spec.directory!r}")
    elif find_program(spec.command, spec.directory) is None:
        raise UsageError(f"{place}: no program to start in {spec.command!r}")


def _check_player(spec: EngineSpec, game: Game) -> None:
    """Raise what `make_player` would; a game's own player is not made, for it may have to compile kernels first."""
    if is_builtin(spec.player, game):
        _, options = parse_player(game.players(), spec.player)
        options.update(spec.options)
    else:
        make_player(spec, game).close()


def make_player(spec: EngineSpec, game: Game) -> Player:
    """Make the player of an engine that plays in this process, options set; raise OptionError, UsageError."""
    player = load_player(spec.player, game, spec.player_source)
    for key, value in spec.options:
        player.set_option(key, value)
    return player


def find_program(command: str, directory: str) -> Path | None:
    """The file that a command line starts, in the engine's directory, here or on the path; None where there is none."""
    try:
        program = split_command(command)[0]
    except (ValueError, IndexError):  # quotes left open, or nothing but quotes
        return None
    places = [Path(directory), Path()] if Path(program).name != program else []
    found = next((place / program for place in places if (place / program).is_file()), shutil.which(program))
    return Path(found).absolute() if found else None


def _hash_program(command: str, directory: str) -> str:
    """The hash of the program or, where arguments are files such as a script, of all their hashes in turn."""
    program = find_program(command, directory)
    if program is None:
        return ""
    files = [program, *_find_files(split_command(command)[1:], directory)]
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256(" ".join(hashes).encode()).hexdigest()


def _find_files(arguments: Sequence[str], directory: str) -> list[Path]:
    """The arguments that are files, as the engine finds them from its directory."""
    return [place for argument in arguments if _is_file(place := Path(directory) / argument)]


def _is_file(place: Path) -> bool:
    try:
        return place.is_file() and os.access(place, os.R_OK)
    except OSError:  # such as a name that is too long
        return False
