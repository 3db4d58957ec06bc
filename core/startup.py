"""How a bot is started: its player and options from the command line and from `config.toml` beside the executable.

The command line wins over the file, the file over the defaults. Everything is derived from the players' option records.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from core.options import OptionError
from core.player import Player, PlayerKind, build_player

CONFIG_NAME = "config.toml"


def start_player(kinds: Sequence[PlayerKind], title: str, version: str) -> Player:
    """The player that command line and config file ask for; `--help`, `--version` and mistakes end the process."""
    try:
        settings = read_config(executable_folder() / CONFIG_NAME) | parse_arguments(sys.argv[1:])
        if "help" in settings:
            _leave(describe(kinds, title), 0)
        if "version" in settings:
            _leave(f"{title} {version}", 0)
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


def describe(kinds: Sequence[PlayerKind], title: str) -> str:
    """What `--help` prints: the players and their options with kind, default and meaning."""
    lines = [title, "", "  --player NAME[:OPTION=VALUE,...]   --help   --version", "", "Players and their options:"]
    for kind in kinds:
        lines.append(f"  {kind.name:12} {kind.help}")
        for option in kind.options:
            lines.append(f"    --{option.name:10} {option.help} ({option.kind}; {option.default})")
    lines += ["", f"The same names may stand in {CONFIG_NAME} beside the executable: player = \"{kinds[0].name}\""]
    return "\n".join(lines)


def executable_folder() -> Path:
    """Where the executable lies; from a source tree, the working folder."""
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else Path.cwd()


def _leave(text: str, status: int) -> NoReturn:
    print(text, file=sys.stderr if status else sys.stdout, flush=True)
    sys.exit(status)
