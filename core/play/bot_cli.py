"""Command line and `config.toml` of a bot: parse them, print `--help`, and create the player.

Precedence of settings: the command line, then the game's section of `config.toml`, then the entries above all sections,
then the defaults. `config.toml` is in the folder of the executable; from a source tree, in the working directory. Names
and help texts of settings come from the options of the players and of the protocol session.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from core.play.options import Option, OptionError, OptionSet
from core.play.player import Player, PlayerKind, parse_player
from core.system.early_interrupts import clean_up_on_interrupt
from core.system.files import read_text
from core.system.ownership import UnsafeFileError
from core.system.streams import discard_output, open_missing_streams

FormatTunable = Callable[[str, OptionSet], str]  # from name and options of a player; may raise OptionError

CONFIG_NAME = "config.toml"
SWITCHES = frozenset({"help", "version", "tunable"})  # arguments without a value


@dataclass(frozen=True)
class RawSetting:
    """An unchecked value of an option, and where it was given."""

    text: str
    file: str = ""  # path of the config file; empty for the command line


def player_from_command_line(
    game: str,
    kinds: Sequence[PlayerKind],
    title: str,
    version: str,
    session_options: OptionSet | None = None,
    *,
    all_games: Sequence[str] = (),
    format_tunable: FormatTunable | None = None,
) -> Player:
    """Create the player from command line and config file; exit on `--help`, `--version`, `--tunable` and errors.

    `title` is the program's name in the output of `--help` and `--version`. The options of the protocol session are set
    in place from the same sources. `all_games` are the games whose sections the config file may have besides `game`,
    because one file may serve several bots. `format_tunable` returns the listing of `--tunable`.
    """
    open_missing_streams()  # before any file is opened
    session_options = session_options or OptionSet(())
    try:
        arguments = parse_arguments(sys.argv[1:])
        if "help" in arguments:
            _print_and_exit(format_help(game, kinds, title, session_options.options), 0)
        if "version" in arguments:
            _print_and_exit(f"{title} {version}", 0)
        with clean_up_on_interrupt():  # in a source tree, creating the player may compile its kernels
            config = read_config(executable_folder() / CONFIG_NAME, game, all_games)
            is_listing = arguments.pop("tunable", None) is not None
            kind, options = choose_player(kinds, config | arguments, session_options)
            if is_listing:
                if format_tunable is None:
                    raise OptionError("there are no constants to tune")
                _print_and_exit(format_tunable(kind.name, options), 0)
            return kind.make(options)
    except OptionError as error:
        _print_and_exit(f"{_program_name()}: {error}", 2)
    except UnsafeFileError as error:
        _print_and_exit(f"{_program_name()}: {error}", 1)


def choose_player(
    kinds: Sequence[PlayerKind], settings: Mapping[str, RawSetting], session_options: OptionSet
) -> tuple[PlayerKind, OptionSet]:
    """Return the kind of player that the setting `player` names (default: the first one), and its options.

    All other settings must be options of the player or of the session; if both have an option, the player's is set.
    Settings from a file that only other kinds of players have are ignored, because one file may serve all kinds. Raise
    OptionError, with the name of the file.
    """
    option_settings = dict(settings)
    player_setting = option_settings.pop("player", RawSetting(kinds[0].name))
    with _naming_file(player_setting):
        kind, options = parse_player(kinds, player_setting.text)
    session_only = tuple(option for option in session_options.options if option.name not in options)
    known_options = OptionSet((*options.options, *session_only))
    options_of_all_kinds = OptionSet(tuple(option for any_kind in kinds for option in any_kind.options))
    for name, setting in option_settings.items():
        if setting.file and name in options_of_all_kinds and name not in known_options:
            continue
        with _naming_file(setting):
            owner = options if known_options.get_option(name).name in options else session_options
            owner.set(name, setting.text)
    return kind, options


@contextmanager
def _naming_file(setting: RawSetting) -> Iterator[None]:
    """Add the name of the setting's file to an OptionError that the block raises."""
    try:
        yield
    except OptionError as error:
        raise OptionError(f"{setting.file}: {error}" if setting.file else str(error)) from None


def parse_arguments(arguments: Sequence[str]) -> dict[str, RawSetting]:
    """Parse `--name value` and `--name=value`; raise OptionError for anything else.

    `--help`, `--version` and `--tunable` are the settings of these names, with empty text.
    """
    settings: dict[str, RawSetting] = {}
    remaining = iter(arguments)
    for argument in remaining:
        if not argument.startswith("--") or argument == "--":
            raise OptionError(f"unknown argument {argument!r}: options begin with -- and a name; --help lists them")
        name, equals, value = argument[2:].partition("=")
        if not equals and name in SWITCHES:
            settings[name] = RawSetting("")
            continue
        if not equals:
            value = next(remaining, "")
            if not value:
                raise OptionError(f"--{name} needs a value")
        settings[name.lower()] = RawSetting(value)
    return settings


def read_config(path: Path, game: str, all_games: Sequence[str] = ()) -> dict[str, RawSetting]:
    """Return the settings for a game from a config file; an empty dictionary if there is no file.

    Raise OptionError, with the file's name, if the file cannot be read, is malformed, or has a section that is named
    after neither `game` nor one of `all_games`.
    """
    try:
        text = read_text(path)
        content = tomllib.loads(text)  # executables import tomllib at this first use (core/system/lazy.py)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise OptionError(f"{path}: nested too deeply") from None
    except ValueError as error:  # not TOML, not UTF-8, or a number with more digits than `int` accepts
        raise OptionError(f"{path}: {error}") from None
    sections = {name: value for name, value in content.items() if isinstance(value, dict)}
    allowed_sections = dict.fromkeys((*all_games, game))
    unknown_sections = [name for name in sections if name not in allowed_sections]
    if unknown_sections:
        allowed = ", ".join(allowed_sections)
        raise OptionError(f"{path}: unknown section [{unknown_sections[0]}]; allowed: {allowed}")
    top_level = {name: value for name, value in content.items() if name not in sections}
    return {
        name.lower(): RawSetting(_scalar_text(path, name, value), str(path))
        for name, value in (*top_level.items(), *sections.get(game, {}).items())
    }


def _scalar_text(path: Path, name: str, value: object) -> str:
    if isinstance(value, dict | list):
        raise OptionError(f"{path}: {name} must be a text, a number, true or false, not a list or table")
    return str(value)


def format_help(game: str, kinds: Sequence[PlayerKind], title: str, session_options: Sequence[Option] = ()) -> str:
    """Return the text of `--help`: the players and their options, then the options of the session."""
    lines = [title, "", "  --player NAME[:OPTION=VALUE,...]   --help   --version", ""]
    if any(option.is_hidden for kind in kinds for option in kind.options):
        lines[3:] = ["  --tunable   list the constants of the player's search as a file for `pentad tune spsa`", ""]
    lines += [f"Players and their options. Without --player, {kinds[0].name} plays.", ""]
    width = max(len(kind.name) for kind in kinds)
    for kind in kinds:
        lines.append(f"  {kind.name:{width}} {kind.help}")
        lines += _format_options([option for option in kind.options if not option.is_hidden])
    if session_options:
        lines += ["", "Session options, for every player. If the player that is chosen has an option of the same"]
        lines += ["name, the command line sets the player's.", "", *_format_options(session_options)]
    lines += [
        "",
        f'{CONFIG_NAME} beside the executable may set the same names, for example: player = "{kinds[0].name}"',
    ]
    lines += [f"If several games share that file, put settings for this game only below [{game}]."]
    return "\n".join(lines)


def _format_options(options: Sequence[Option]) -> Iterator[str]:
    """Yield one line per option."""
    width = max((len(option.name) for option in options), default=0)
    for option in options:
        default = str(option.default).lower() if isinstance(option.default, bool) else option.default
        default = "none" if default == "" else default
        yield f"    --{option.name:{width}} {option.help} ({option.expected}; default {default})"


def executable_folder() -> Path:
    """Return the folder of the executable; from a source tree, the working directory."""
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else Path.cwd()


def _program_name() -> str:
    """Return the program's name for error messages; for `python -m bots.hex`, whose file is `__main__.py`, `hex`."""
    program = Path(sys.argv[0])
    return program.parent.name if program.name == "__main__.py" else program.name


def _print_and_exit(text: str, status: int) -> NoReturn:
    stream = sys.stderr if status else sys.stdout
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:  # such as `pentad-hex --help | head`
        discard_output(stream)
    sys.exit(status)
