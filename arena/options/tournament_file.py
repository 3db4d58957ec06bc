"""Whole tournaments from a TOML file. Its keys are the options of `pentad match`, and the command line goes before it.

The file is read where cyclopts has the arguments but has not made values of them yet, so that there is one list of
options, one list of defaults and one way to say what is wrong with a value.
"""

from __future__ import annotations

from pathlib import Path
from types import NoneType
from typing import Literal, get_args, get_origin

from cyclopts import App, ArgumentCollection, Token
from cyclopts.argument import Argument

from arena.engines.toml_format import engine_to_text, read_toml
from arena.errors import UsageError

FILE = "file"  # the parameter that names the tournament file
ENGINE, EACH = "engine", "each"
MOST_DIGITS = 18  # of a whole number, so that it fits 64 bits
_KINDS: dict[object, tuple[str, tuple[type, ...]]] = {
    int: ("a whole number", (int,)),
    float: ("a number", (int, float)),
    bool: ("true or false", (bool,)),
    str: ("text", (str, int, float)),
    Path: ("text", (str,)),
}


def take_tournament(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:  # noqa: ARG001
    """Fill what the command line left open from the tournament file, where one is given; raise UsageError.

    Whole numbers of the command line are checked, too: cyclopts would round 2.5.
    """
    _check_whole_numbers(arguments)
    files = [argument for argument in arguments if FILE in argument.field_info.names]
    if not files or not files[0].tokens:
        return
    given = files[0].tokens[0].value
    options = {name.removeprefix("--"): argument for argument in arguments for name in argument.names if "--" in name}
    seen: set[str] = set()
    for key, value in read_toml(Path(given)).items():
        name = key.replace("_", "-")
        if name not in options:
            raise UsageError(f"{given}: unknown key {key!r}; known: {', '.join(options)}")
        if name in seen:
            raise UsageError(f"{given}: {name} is given twice, once with _ for -")
        seen.add(name)
        if not options[name].tokens:
            for index, text in enumerate(_format_values(f"{given}: {key}", value, options[name])):
                options[name].append(Token(keyword=name, value=text, source=given, index=index))


def _check_whole_numbers(arguments: ArgumentCollection) -> None:
    for argument in arguments:
        if int in (argument.hint, *get_args(argument.hint)):
            for token in argument.tokens:
                digits = token.value.removeprefix("-")
                if not digits.isdecimal() or len(digits) > MOST_DIGITS:
                    shown = token.value if len(token.value) <= 40 else f"{token.value[:40]}..."
                    raise UsageError(f"{argument.name} wants {_KINDS[int][0]}, not {shown!r}")


def _format_values(place: str, value: object, option: Argument) -> list[str]:
    """A value as the command line would have it; raise UsageError where it is of another kind than the option."""
    if ENGINE in option.field_info.names:
        if not isinstance(value, list):
            raise UsageError(f"{place} wants [[engine]] tables, or a list of text, not {value!r}")
        return [engine_to_text(engine) for engine in value]
    if EACH in option.field_info.names and isinstance(value, dict):
        return [engine_to_text(value)]
    hint = next((part for part in get_args(option.hint) if part is not NoneType), option.hint)
    if get_origin(option.hint) is Literal:
        kind, fits = f"one of {', '.join(get_args(option.hint))}", value in get_args(option.hint)
    else:
        kind, types = _KINDS[hint]
        fits = isinstance(value, types) and (hint is bool or not isinstance(value, bool))
    if not fits:
        raise UsageError(f"{place} wants {kind}, not {value!r}")
    return [str(value).lower() if isinstance(value, bool) else str(value)]
