"""Tuning files (TOML) of `pentad tune spsa`: the keys are its options; options of the command line override them.

In addition to the keys of options a file has a table of parameters. `engine` may be text or a table.

engine = "cmd=dist/pentad-hive"
game = "hive"
iterations = 2000

[parameters]
margin = {value = 80, min = 0, max = 300, step = 10, type = "int"}
scale = {value = 0.5, min = 0.1, max = 2.0, step = 0.05, type = "float"}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import NoneType
from typing import get_args

from cyclopts import App, ArgumentCollection, Token
from cyclopts.argument import Argument
from cyclopts.utils import UNSET

from arena.engines.toml_format import engine_to_text, read_toml
from arena.errors import UsageError
from arena.options.tournament_file import ENGINE, add_file_values, check_whole_numbers, find_file, options_by_name
from arena.terms.tuning import FLOAT, INT, TunedParameter, check_parameters

PARAMETERS, PARAMETER, GIVEN = "parameters", "parameter", "given"
NUMBER_KEYS = ("value", "min", "max", "step")  # of a parameter, in the order of --parameter
NOT_KEPT = frozenset({GIVEN, PARAMETER, "out", "seed", "force"})  # options that another run with the result needs not
TYPES = (INT, FLOAT)


def complete_tuning(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Add the values of the tuning file to the arguments, and record all values as they were given.

    cyclopts calls this as a `config`. Raise UsageError for a wrong key or value.
    """
    check_whole_numbers(app, commands, arguments)
    options = options_by_name(arguments)
    path = find_file(arguments)
    if path:
        content = read_toml(Path(path))
        _add_parameters(path, content.pop(PARAMETERS, {}), options[PARAMETER])
        engine = content.pop(ENGINE, None)
        if engine is not None and not options[ENGINE].tokens:
            options[ENGINE].append(Token(keyword=ENGINE, value=_format_engine(path, engine), source=path))
        for key in (GIVEN, PARAMETER):
            if key in content:
                raise UsageError(f"{path}: unknown key {key!r}; parameters are in the table [{PARAMETERS}]")
        add_file_values(path, content, options)
    given = {
        name: _read_value(argument)
        for name, argument in options.items()
        if argument.tokens and name not in NOT_KEPT and argument.names[0] == f"--{name}"
    }
    seed = {"seed": True} if options["seed"].tokens else {}
    options[GIVEN].append(Token(keyword=GIVEN, value=json.dumps(given | seed), source="given"))


def parse_parameters(texts: list[str]) -> tuple[TunedParameter, ...]:
    """Parse the values of `--parameter`; raise UsageError for the first that is wrong."""
    parameters = tuple(map(_parse_parameter, texts))
    try:
        check_parameters(parameters)
    except ValueError as error:
        raise UsageError(f"parameters: {error}") from None
    return parameters


def format_parameter(parameter: TunedParameter) -> str:
    """Return a parameter as a value of `--parameter`."""
    numbers = ",".join(_format_number(getattr(parameter, key)) for key in NUMBER_KEYS)
    return f"{parameter.name}={numbers},{parameter.type}"


def _add_parameters(path: str, table: object, option: Argument) -> None:
    """Add the parameters of a file that the command line does not give as values of `--parameter`."""
    if not isinstance(table, Mapping):
        raise UsageError(f"{path}: {PARAMETERS} must be a table, not {table!r}")
    given = {token.value.partition("=")[0].strip().lower() for token in option.tokens}
    texts = [_format_table(f"{path}: {PARAMETERS}.{name}", name, value) for name, value in table.items()]
    kept = [text for text in texts if text.partition("=")[0].lower() not in given]
    given_tokens = list(option.tokens)
    option.tokens.clear()
    for index, text in enumerate(kept):
        option.append(Token(keyword=PARAMETER, value=text, source=path, index=index))
    for token in given_tokens:
        option.append(Token(keyword=PARAMETER, value=token.value, source=token.source, index=len(option.tokens)))


def _format_table(location: str, name: str, table: object) -> str:
    """Return the table of a parameter as a value of `--parameter`; raise UsageError."""
    if not isinstance(table, Mapping):
        example = '{value = 5, min = 0, max = 9, step = 1, type = "int"}'
        raise UsageError(f"{location} must be a table such as {example}, not {table!r}")
    for key in table:
        if key not in (*NUMBER_KEYS, "type"):
            raise UsageError(f"{location}: unknown key {key!r}; known: {', '.join((*NUMBER_KEYS, 'type'))}")
    for key in NUMBER_KEYS:
        if key not in table:
            raise UsageError(f"{location}: {key} is missing")
        if not isinstance(table[key], int | float) or isinstance(table[key], bool):
            raise UsageError(f"{location}.{key} must be a number, not {table[key]!r}")
    kind = table.get("type")
    if kind not in TYPES:
        given = f"not {kind!r}" if "type" in table else "but it is missing"
        raise UsageError(f'{location}.type must be "int" or "float", {given}')
    return f"{name}={','.join(_format_number(table[key]) for key in NUMBER_KEYS)},{kind}"


def _parse_parameter(text: str) -> TunedParameter:
    name, equals, rest = text.partition("=")
    words = [word.strip() for word in rest.split(",")]
    if not equals or len(words) != len(NUMBER_KEYS) + 1 or words[-1] not in TYPES:
        raise UsageError(f"--parameter must be NAME=VALUE,MIN,MAX,STEP,TYPE with the type int or float, not {text!r}")
    numbers = {}
    for key, word in zip(NUMBER_KEYS, words, strict=False):
        try:
            numbers[key] = float(word)
        except ValueError:
            raise UsageError(f"--parameter {name.strip()}: {key} must be a number, not {word!r}") from None
    return TunedParameter(name.strip(), **numbers, type=INT if words[-1] == INT else FLOAT)


def _format_number(value: float) -> str:
    """Return a number without a point if it is a whole number, and without loss."""
    return str(int(value)) if isinstance(value, int) or float(value).is_integer() else repr(value)


def _format_engine(path: str, engine: object) -> str:
    try:
        return engine_to_text(engine)
    except UsageError as error:
        raise UsageError(f"{path}: engine: {error}") from None


def _read_value(argument: Argument) -> object:
    """Return the value that was given for an option as a value of a TOML file."""
    values = [
        token.value if token.implicit_value is UNSET else token.implicit_value  # a flag such as --transform
        for token in argument.tokens
    ]
    hint = next((part for part in get_args(argument.hint) if part is not NoneType), argument.hint)
    value = values[-1]
    if hint is bool:
        return str(value).lower() not in ("false", "no", "0")
    return {int: int, float: float}.get(hint, str)(value) if hint in (int, float) else str(value)
