"""Default engine names, derived from command lines: the program's name, or the script's if an interpreter runs it.

Launchers such as `nice` or `wine` are skipped like interpreters, so that two engines of a match are not both called
`wine`. The tests list examples.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count, pairwise

from protocols.command_line import split_command

_LAUNCHERS = re.compile(
    r"(?:python|pypy|java|wine|node|deno|bun|perl|ruby|lua|mono|dotnet|sh|bash|dash|zsh|cmd|env|nice|ionice|nohup|stdbuf"
    r"|setsid|taskset|timeout|time|xvfb-run|uv|poetry|run)[\d.w-]*",
    re.IGNORECASE,
)
# The argument after one of these options is its value
_VALUE_OPTIONS = frozenset({"-W", "-X", "-cp", "-classpath", "--class-path", "-p", "--module-path", "-I"})
_PROGRAM_OPTIONS = frozenset({"-m", "-jar", "--module"})  # the next argument is the program
_CODE_OPTIONS = frozenset({"-c", "-e"})  # the next argument is source code
_NOT_INTERPRETERS = frozenset({"taskset", "ionice"})  # launchers whose option -c is not followed by code
_SUFFIX = re.compile(
    r"(?<=.)\.(?:[a-z][a-z0-9]{0,6}|[A-Z]{2,4})$"
)  # of a file name; it does not match the end of `strong-1.2` or `a.Main`
_NO_PROGRAM = re.compile(r"-.*|/c|\w+=.*|[\d.,]+[smhd]?", re.IGNORECASE)  # options, variables, numbers and durations


def derive_name(command: str) -> str:
    """Return a name for a command line: `bot` for `python3 -u bot.py`; an empty command is returned unchanged."""
    try:
        arguments = split_command(command)
    except ValueError:  # an unclosed quote
        return command
    return _derive_from_arguments(arguments) if arguments else command


def make_unique(derived: Sequence[str], given_names: Sequence[str]) -> list[str]:
    """Return the derived names, numbered if necessary so that they differ from each other and from `given_names`."""
    taken_names = {*given_names, *(name for name in derived if derived.count(name) == 1)}
    unique_names = []
    for name in derived:
        if derived.count(name) == 1 and name not in given_names:
            unique_names.append(name)
        else:
            unique_names.append(
                next(numbered for number in count(1) if (numbered := f"{name}-{number}") not in taken_names)
            )
            taken_names.add(unique_names[-1])
    return unique_names


def _derive_from_arguments(arguments: Sequence[str]) -> str:
    name = _stem(arguments[0])
    if not _LAUNCHERS.fullmatch(name):
        return name
    for index, (previous, argument) in enumerate(pairwise(arguments), 1):
        if argument in _CODE_OPTIONS and name not in _NOT_INTERPRETERS:
            break
        if previous in _PROGRAM_OPTIONS:
            return argument.rpartition("/")[2] if previous != "-jar" else _stem(argument)
        if previous not in _VALUE_OPTIONS and not _NO_PROGRAM.fullmatch(argument):
            return _derive_from_arguments(arguments[index:])
    return name


def _stem(path: str) -> str:
    """Return the file name of a POSIX or Windows path without its suffix."""
    return _SUFFIX.sub("", re.split(r"[/\\]", path)[-1]) or path
