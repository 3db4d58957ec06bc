"""How a bot is started: its player and options from the command line and from `config.toml` beside the executable.

The command line wins over the file, in the file the game's own section over what stands above all sections, the file
over the defaults. Everything is derived from the players' option records.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from core.play.options import Option, OptionError, OptionSet
from core.play.player import Player, PlayerKind, parse_player
from core.system.files import read_text
from core.system.ownership import UnsafeFileError
from core.system.streams import open_missing_streams

CONFIG_NAME = "config.toml"
SECTIONS = ("gomoku", "hex", "hive", "kolibrat", "pentago")  # of the file: a folder may hold all the bots


@dataclass(frozen=True)
class RawSetting:
    """A value as somebody wrote it, and the file that it stands in; empty for the command line."""

    text: str
    file: str = ""


def player_from_command_line(
    game: str, kinds: Sequence[PlayerKind], title: str, version: str, session: OptionSet | None = None
) -> Player:
    """The player that command line and config file ask for; `--help`, `--version` and mistakes end the process.

    `session` are options of the protocol's session, which are given in the same way and set here.
    """
    open_missing_streams()  # before any file is opened
    session = session or OptionSet(())
    try:
        told = parse_arguments(sys.argv[1:])
        if "help" in told:
            _leave(format_help(game, kinds, title, session.options), 0)
        if "version" in told:
            _leave(f"{title} {version}", 0)
        return make_player(kinds, read_config(executable_folder() / CONFIG_NAME, game) | told, session)
    except OptionError as error:
        _leave(f"{Path(sys.argv[0]).name}: {error}", 2)
    except UnsafeFileError as error:
        _leave(f"{Path(sys.argv[0]).name}: {error}", 1)


def make_player(kinds: Sequence[PlayerKind], settings: Mapping[str, RawSetting], session: OptionSet) -> Player:
    """Make the player named `player` (default: the first), with every other entry an option of it or of the session.

    What both have is the player's. In the file may stand what only other players have: it serves several. The player
    is made last, when nothing is wrong; OptionError names the file.
    """
    rest = dict(settings)
    chosen = rest.pop("player", RawSetting(kinds[0].name))
    try:
        setting = chosen
        kind, options = parse_player(kinds, chosen.text)
        others = tuple(option for option in session.options if option.name not in options)
        known = OptionSet((*options.options, *others))
        elsewhere = OptionSet(tuple(option for kind in kinds for option in kind.options))
        for name, setting in rest.items():
            if setting.file and name in elsewhere and name not in known:
                continue
            owner = options if known.get_option(name).name in options else session
            owner.set(name, setting.text)
    except OptionError as error:
        raise OptionError(f"{setting.file}: {error}" if setting.file else str(error)) from None
    return kind.make(options)


def parse_arguments(arguments: Sequence[str]) -> dict[str, RawSetting]:
    """Settings from `--name value` and `--name=value`; raise OptionError for anything else."""
    settings: dict[str, RawSetting] = {}
    words = iter(arguments)
    for word in words:
        if not word.startswith("--") or word == "--":
            raise OptionError(f"an option such as --player NAME is wanted, not {word!r}; --help lists them")
        name, equals, value = word[2:].partition("=")
        if not equals and name in {"help", "version"}:
            settings[name] = RawSetting("")
            continue
        if not equals:
            value = next(words, "")
            if not value:
                raise OptionError(f"--{name} wants a value")
        settings[name.lower()] = RawSetting(value)
    return settings


def read_config(path: Path, game: str) -> dict[str, RawSetting]:
    """Settings of a config file for a game, none where there is no file; raise OptionError naming a malformed file."""
    try:
        text = read_text(path)
        content = tomllib.loads(text)  # named after the reading: an executable loads it only where there is a file
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise OptionError(f"{path}: nested too deeply") from None
    except ValueError as error:  # not TOML, not UTF-8, or a number of thousands of digits
        raise OptionError(f"{path}: {error}") from None
    sections = {name: value for name, value in content.items() if isinstance(value, dict)}
    known = dict.fromkeys((*SECTIONS, game))
    strange = [name for name in sections if name not in known]
    if strange:
        raise OptionError(f"{path}: a section such as [{game}] is wanted, not [{strange[0]}]: {', '.join(known)}")
    common = {name: value for name, value in content.items() if name not in sections}
    return {
        name.lower(): RawSetting(_read_plain(path, name, value), str(path))
        for name, value in (*common.items(), *sections.get(game, {}).items())
    }


def _read_plain(path: Path, name: str, value: object) -> str:
    if isinstance(value, dict | list):
        raise OptionError(f"{path}: {name} must be a plain value")
    return str(value)


def format_help(game: str, kinds: Sequence[PlayerKind], title: str, session: Sequence[Option] = ()) -> str:
    """What `--help` prints: the players, their options and the session's with kind, default and meaning."""
    lines = [title, "", "  --player NAME[:OPTION=VALUE,...]   --help   --version", "", "Players and their options:"]
    for kind in kinds:
        lines.append(f"  {kind.name:12} {kind.help}")
        lines += map(_describe_option, kind.options)
    if session:
        lines += ["", "Options of the session, where the player has none of that name:"]
        lines += map(_describe_option, session)
    lines += ["", f'The same names may stand in {CONFIG_NAME} beside the executable: player = "{kinds[0].name}"']
    lines += [f"Where several games share that file, what is meant for this one alone stands below [{game}]."]
    return "\n".join(lines)


def _describe_option(option: Option) -> str:
    return f"    --{option.name:10} {option.help} ({option.expected}; {option.default})"


def executable_folder() -> Path:
    """Where the executable lies; from a source tree, the working folder."""
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else Path.cwd()


def _leave(text: str, status: int) -> NoReturn:
    print(text, file=sys.stderr if status else sys.stdout, flush=True)
    sys.exit(status)
