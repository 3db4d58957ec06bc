"""Engines as tables of a TOML file, or as JSON where they pass as text: the fields of `--engine`, values of any kind.

[[engine]]
name = "Rapfi"
cmd = "./rapfi --mode gomocup"
dir = "/opt/rapfi"
options = { thread_num = 2 }
env = { OMP_NUM_THREADS = "2" }
tc = 0.1                    # its own time control
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

TEXTS = ("name", "cmd", "player", "proto", "dir")
TC = "tc"
TABLES = {"options": "option", "env": "env"}  # and what their keys are called in the text of an engine
STARTUP = "startup"
_ECHO = 200  # characters of what is wrong with a file


def engine_to_text(engine: object) -> str:
    """An engine of a TOML file as one text: a table as JSON, text as it is; raise UsageError for anything else."""
    if isinstance(engine, str):
        return engine
    if not isinstance(engine, Mapping):
        raise UsageError(f"an engine is a table or text such as 'player=NAME', not {engine!r}")
    return json.dumps(engine, default=str)


def split_table(text: str) -> Iterator[tuple[str, str]]:
    """The fields of an engine written as JSON, as the other form has them; raise UsageError."""
    try:
        table = json.loads(text)
    except ValueError as error:
        raise UsageError(f"engine {text!r}: {error}") from None
    for key, value in table.items():
        yield from _split_value(key, value, text)


def read_engines(path: Path) -> dict[str, str]:
    """The engines of a TOML file of `[[engine]]` tables, by name, each as one text; raise UsageError."""
    tables = read_toml(path).get("engine", [])
    if not isinstance(tables, Sequence) or not all(isinstance(table, dict) and table.get("name") for table in tables):
        raise UsageError(f"{path}: [[engine]] tables that have a name each are wanted")
    return {str(table["name"]): engine_to_text(table) for table in tables}


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file; raise UsageError."""
    try:
        content = tomllib.loads(read_text(path))
        has_nul = "\\u0000" in json.dumps(content, default=str)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except RecursionError:
        raise UsageError(f"{path}: nested too deeply") from None
    except ValueError as error:  # not TOML, not UTF-8, or a number of thousands of digits
        raise UsageError(f"{path}: {str(error)[:_ECHO]}") from None
    if has_nul:  # the system takes it for the end of a name
        raise UsageError(f"{path}: a character of number 0 stands in a text")
    return content


def _split_value(key: str, value: object, text: str) -> Iterator[tuple[str, str]]:
    if key in TEXTS:
        if not isinstance(value, str):
            raise UsageError(f"engine {text!r}: {key} must be text, not {value!r}")
        yield key, value
    elif key == TC:
        yield key, _format_scalar(key, value, text)
    elif key in TABLES:
        if not isinstance(value, Mapping):
            raise UsageError(f"engine {text!r}: {key} must be a table, not {value!r}")
        for name, part in value.items():
            yield f"{TABLES[key]}.{name}", _format_scalar(f"{key}.{name}", part, text)
    elif key == STARTUP:
        if not isinstance(value, list) or not all(isinstance(command, str) for command in value):
            raise UsageError(f"engine {text!r}: {key} must be a list of commands, not {value!r}")
        yield f"option.{STARTUP}", ";".join(value)
    else:
        raise UsageError(f"engine {text!r}: unknown field {key!r}; known: {', '.join((*TEXTS, TC, *TABLES, STARTUP))}")


def _format_scalar(key: str, value: object, text: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        raise UsageError(f"engine {text!r}: {key} must be text, a number, true or false, not {value!r}")
    return str(value)
