"""Read engines from the tables of a TOML file. A table is passed on as JSON, which `--engine` accepts as well.

The keys are the fields of `--engine`. Values in the tables `options` and `env` may be text, numbers or booleans:

[[engine]]
name = "Rapfi"
cmd = "./rapfi --mode gomocup"
dir = "/opt/rapfi"
options = { thread_num = 2 }
env = { OMP_NUM_THREADS = "2" }
tc = 0.1                    # time control of this engine
startup = ["komi 0"]        # GTP commands sent at each start
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.errors import UsageError
from core.system.files import read_text

TEXT_KEYS = ("name", "cmd", "player", "proto", "dir")
TC_KEY = "tc"
PREFIX_BY_TABLE = {"options": "option", "env": "env"}  # key with a table -> prefix of its keys in an engine's text
STARTUP_KEY = "startup"
_MAX_ERROR_CHARS = 200  # of the parser's message about a file


def engine_to_text(engine: object) -> str:
    """Return an engine of a TOML file as text: a table as JSON, a text unchanged; raise UsageError otherwise."""
    if isinstance(engine, str):
        return engine
    if not isinstance(engine, Mapping):
        raise UsageError(f"an engine is a table or text such as 'player=NAME', not {engine!r}")
    return json.dumps(engine, default=str)


def split_table(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of an engine written as JSON as (key, text), such as ("option.hash", "64"); raise UsageError."""
    try:
        table = json.loads(text)
    except ValueError as error:
        raise UsageError(f"engine {text!r}: {error}") from None
    for key, value in table.items():
        yield from _split_value(key, value, text)


def read_engines(path: Path) -> dict[str, str]:
    """Return the texts of the engines of a TOML file of `[[engine]]` tables, by name; raise UsageError."""
    tables = read_toml(path).get("engine", [])
    if not isinstance(tables, Sequence) or not all(isinstance(table, dict) and table.get("name") for table in tables):
        raise UsageError(f"{path}: engine must be a list of [[engine]] tables, each with a name")
    return {str(table["name"]): engine_to_text(table) for table in tables}


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file; raise UsageError if it cannot be read."""
    try:
        content = tomllib.loads(read_text(path))
        has_nul = "\\u0000" in json.dumps(content, default=str)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise UsageError(f"{path}: nested too deeply") from None
    except ValueError as error:  # not TOML, not UTF-8, or a number of thousands of digits
        raise UsageError(f"{path}: {str(error)[:_MAX_ERROR_CHARS]}") from None
    if has_nul:  # it would end a file name or an argument early
        raise UsageError(f"{path}: a text contains the character NUL (0)")
    return content


def _split_value(key: str, value: object, text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of one key of an engine's table; `text` is the whole table, for error messages."""
    if key in TEXT_KEYS:
        if not isinstance(value, str):
            raise UsageError(f"engine {text!r}: {key} must be text, not {value!r}")
        yield key, value
    elif key == TC_KEY:
        yield key, _format_scalar(key, value, text)
    elif key in PREFIX_BY_TABLE:
        if not isinstance(value, Mapping):
            raise UsageError(f"engine {text!r}: {key} must be a table, not {value!r}")
        for name, scalar in value.items():
            yield f"{PREFIX_BY_TABLE[key]}.{name}", _format_scalar(f"{key}.{name}", scalar, text)
    elif key == STARTUP_KEY:
        if not isinstance(value, list) or not all(isinstance(command, str) for command in value):
            raise UsageError(f"engine {text!r}: {key} must be a list of commands, not {value!r}")
        yield f"option.{STARTUP_KEY}", ";".join(value)
    else:
        known = ", ".join((*TEXT_KEYS, TC_KEY, *PREFIX_BY_TABLE, STARTUP_KEY))
        raise UsageError(f"engine {text!r}: unknown field {key!r}; known: {known}")


def _format_scalar(key: str, value: object, text: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        raise UsageError(f"engine {text!r}: {key} must be text, a number, true or false, not {value!r}")
    return str(value)
