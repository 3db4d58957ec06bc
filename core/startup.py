"""How a bot is started: its player and options from the command line and from `config.toml` beside the executable.

The command line wins over the file, the file over the defaults. Everything is derived from the players' option records.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from core.options import Option, OptionError, OptionSet
from core.player import Player, PlayerKind, build_player

CONFIG_NAME = "config.toml"


def start_player(kinds: Sequence[PlayerKind], title: str, version: str, session: OptionSet | None = None) -> Player:
    """The player that command line and config file ask for; `--help`, `--version` and mistakes end the process.

    `session` are options of the protocol's session, which are given in the same way and set here.
    """
    session = session or OptionSet(())
    try:
        settings = read_config(executable_folder() / CONFIG_NAME) | parse_arguments(sys.argv[1:])
        if "help" in settings:
            _leave(describe(kinds, title, session.declared), 0)
        if "version" in settings:
            _leave(f"{title} {version}", 0)
        session.update([(name, settings.pop(name)) for name in list(settings) if name in session])
        return configure(kinds, settings)
    except OptionError as error:
        _leave(f"{Path(sys.argv[0]).name}: {error}", 2)


def configure(kinds: Sequence[PlayerKind], settings: dict[str, str]) -> Player:
    """Build the player named `player` (default: the first) and set every other entry as an option of it."""
    rest = dict(settings)
    player = build_player(kinds, rest.pop("player", kinds[0].name))
    for name, value in rest.items():
        player.set_option(name, value)
    return player


def parse_arguments(arguments: Sequence[str]) -> dict[str, str]:
    """Settings from `--name value` and `--name=value`; raise OptionError for anything else."""
    settings: dict[str, str] = {}
    words = iter(arguments)
    for word in words:
        if not word.startswith("--") or word == "--":
            raise OptionError(f"an option such as --player NAME is wanted, not {word!r}; --help lists them")
        name, equals, value = word[2:].partition("=")
        if not equals and name in {"help", "version"}:
            settings[name] = ""
            continue
        if not equals:
            value = next(words, "")
            if not value:
                raise OptionError(f"--{name} wants a value")
        settings[name.lower()] = value
    return settings


def read_config(path: Path) -> dict[str, str]:
    """Settings of a config file, none where there is no file; raise OptionError naming a file that is malformed."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OptionError(f"{path}: {error}") from None
    nested = [name for name, value in content.items() if isinstance(value, dict | list)]
    if nested:
        raise OptionError(f"{path}: {nested[0]} must be a plain value")
    return {name.lower(): str(value) for name, value in content.items()}


def describe(kinds: Sequence[PlayerKind], title: str, session: Sequence[Option] = ()) -> str:
    """What `--help` prints: the players, their options and the session's with kind, default and meaning."""
    lines = [title, "", "  --player NAME[:OPTION=VALUE,...]   --help   --version", "", "Players and their options:"]
    for kind in kinds:
        lines.append(f"  {kind.name:12} {kind.help}")
        lines += map(_describe_option, kind.options)
    if session:
        lines += ["", "Options of the session:", *map(_describe_option, session)]
    lines += ["", f"The same names may stand in {CONFIG_NAME} beside the executable: player = \"{kinds[0].name}\""]
    return "\n".join(lines)


def _describe_option(option: Option) -> str:
    return f"    --{option.name:10} {option.help} ({option.kind}; {option.default})"


def executable_folder() -> Path:
    """Where the executable lies; from a source tree, the working folder."""
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else Path.cwd()


def _leave(text: str, status: int) -> NoReturn:
    print(text, file=sys.stderr if status else sys.stdout, flush=True)
    sys.exit(status)
