"""Tournament files (TOML) of `pentad match`: the keys are its options; options of the command line override them.

The file is read after cyclopts has split the command line into arguments and before it converts their values. So a
value from the file goes through the same conversion as one from the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import NoneType
from typing import Literal, get_args, get_origin

from cyclopts import App, ArgumentCollection, Token
from cyclopts.argument import Argument

from arena.engines.toml_format import engine_to_text, read_toml
from arena.errors import UsageError

FILE = "file"  # the parameter that names the tournament file
ENGINE, EACH = "engine", "each"  # options whose values may be tables
ANCHOR = "anchor"  # an option whose value may be a list of text
LINKED_DEFAULTS = (  # (option, other option, default of the other option if the first one is given)
    ("sprt", "games", "40000"),  # the test usually stops the run much earlier
    ("scheduler", "concurrency", "0"),
)
_FLAG_VALUES = ("", "true", "false")  # of an option with an optional number, such as --live
MAX_DIGITS = 18  # of an integer, so that it fits int64
# Type of an option -> its description for messages, and the types that its value may have in a TOML file
_EXPECTED_TYPES: dict[object, tuple[str, tuple[type, ...]]] = {
    int: ("a whole number", (int,)),
    float: ("a number", (int, float)),
    bool: ("true or false", (bool,)),
    str: ("text", (str, int, float)),
    Path: ("text", (str,)),
}


def complete_arguments(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Add the values of the tournament file to the arguments, and the defaults of LINKED_DEFAULTS.

    cyclopts calls this as a `config`. Raise UsageError for a wrong key or value.
    """
    check_whole_numbers(app, commands, arguments)
    options = options_by_name(arguments)
    path = find_file(arguments)
    if path:
        add_file_values(path, read_toml(Path(path)), options)
    for given_option, option, text in LINKED_DEFAULTS:
        if given_option in options and options[given_option].tokens and not options[option].tokens:
            options[option].append(Token(keyword=option, value=text, source=f"default with --{given_option}"))


def options_by_name(arguments: ArgumentCollection) -> dict[str, Argument]:
    """Return the options of a command by their names without `--`."""
    options = [argument for argument in arguments if argument.parse]  # the others are not on the command line
    return {name.removeprefix("--"): option for option in options for name in option.names if "--" in name}


def find_file(arguments: ArgumentCollection) -> str:
    """Return the path of the file that the command line names, empty if it names none."""
    files = [argument for argument in arguments if FILE in argument.field_info.names]
    return files[0].tokens[0].value if files and files[0].tokens else ""


def add_file_values(path: str, content: Mapping[str, object], options: Mapping[str, Argument]) -> None:
    """Add the values of a file to the options that the command line does not set; raise UsageError."""
    seen_keys: set[str] = set()
    for key, value in content.items():
        name = key.replace("_", "-")
        if name not in options:
            raise UsageError(f"{path}: unknown key {key!r}; known: {', '.join(options)}")
        if name in seen_keys:
            raise UsageError(f"{path}: {name} is given twice, once with _ instead of -")
        seen_keys.add(name)
        if not options[name].tokens:
            for index, text in enumerate(_format_values(f"{path}: {key}", value, options[name])):
                options[name].append(Token(keyword=name, value=text, source=path, index=index))


def check_whole_numbers(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:  # noqa: ARG001
    """Raise UsageError for a number such as 2.5 if an integer is needed, because cyclopts would round it.

    cyclopts calls this as a `config`.
    """
    for argument in arguments:
        if int in (argument.hint, *get_args(argument.hint)):
            for token in argument.tokens:
                if bool in get_args(argument.hint) and token.value in _FLAG_VALUES:
                    continue
                digits = token.value.removeprefix("-")
                if not digits.isdecimal() or len(digits) > MAX_DIGITS:
                    shown = token.value if len(token.value) <= 40 else f"{token.value[:40]}..."
                    kind = _EXPECTED_TYPES[int][0] + (f" of at most {MAX_DIGITS} digits" if digits.isdecimal() else "")
                    raise UsageError(f"{argument.name} must be {kind}, not {shown!r}")


def _format_values(location: str, value: object, option: Argument) -> list[str]:
    """Return a TOML value as command line arguments; raise UsageError if its type does not fit the option.

    `location` begins the error message, such as `tournament.toml: games`.
    """
    if ENGINE in option.field_info.names:
        if not isinstance(value, list):
            raise UsageError(f"{location} must be [[engine]] tables or a list of text, not {value!r}")
        return [engine_to_text(engine) for engine in value]
    if ANCHOR in option.field_info.names and isinstance(value, list):
        return [text for part in value for text in _format_values(location, part, option)]
    if EACH in option.field_info.names and isinstance(value, dict):
        return [engine_to_text(value)]
    kinds = get_args(option.hint)
    if bool in kinds and int in kinds:  # such as `live`: true or a port
        if not isinstance(value, int):
            raise UsageError(f"{location} must be true, false or a whole number, not {value!r}")
        return [str(value).lower()]
    hint = next((part for part in get_args(option.hint) if part is not NoneType), option.hint)
    if get_origin(option.hint) is Literal:
        expected, fits = f"one of {', '.join(get_args(option.hint))}", value in get_args(option.hint)
    else:
        expected, types = _EXPECTED_TYPES.get(hint, _EXPECTED_TYPES[str])  # options with a converter are given as text
        fits = isinstance(value, types) and (hint is bool or not isinstance(value, bool))
    if not fits:
        raise UsageError(f"{location} must be {expected}, not {value!r}")
    return [str(value).lower() if isinstance(value, bool) else str(value)]
