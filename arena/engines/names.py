"""Default engine names, derived from command lines: the program's name, or the script's if an interpreter runs it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from protocols.command_line import split_command

_RUNNERS = re.compile(
    r"(?:python|pypy|java|wine|node|deno|bun|perl|ruby|lua|mono|dotnet|sh|bash|dash|zsh|cmd|env|nice|ionice|nohup|stdbuf"
    r"|setsid|taskset|timeout|time|xvfb-run|uv|poetry|run)[\d.w-]*",
    re.IGNORECASE,
)
_WITH_VALUE = frozenset({"-W", "-X", "-cp", "-classpath", "--class-path", "-p", "--module-path", "-I"})
_NAMES_PROGRAM = frozenset({"-m", "-jar", "--module"})
_INLINE = frozenset({"-c", "-e"})  # the program is the next word itself
_PINS = frozenset({"taskset", "ionice"})  # to which -c means something else
_SUFFIX = re.compile(r"(?<=.)\.(?:[a-z][a-z0-9]{0,6}|[A-Z]{2,4})$")  # of a file; neither a version nor a class
_NO_PROGRAM = re.compile(r"-.*|/c|\w+=.*|[\d.,]+[smhd]?", re.IGNORECASE)  # options, settings and numbers of runners


def derive_name(command: str) -> str:
    """Return a name for a command line: `bot` for `python3 -u bot.py`; an empty command is returned unchanged."""
    try:
        words = split_command(command)
    except ValueError:  # quotes left open
        return command
    return _name_words(words) if words else command


def name_apart(derived: Sequence[str], given: Sequence[str]) -> list[str]:
    """Return the derived names, numbered if necessary so that they differ from each other and from `given`."""
    taken = {*given, *(name for name in derived if derived.count(name) == 1)}
    names = []
    for name in derived:
        if derived.count(name) == 1 and name not in given:
            names.append(name)
        else:
            names.append(next(free for number in count(1) if (free := f"{name}-{number}") not in taken))
            taken.add(names[-1])
    return names


def _name_words(words: Sequence[str]) -> str:
    own = _stem(words[0])
    if not _RUNNERS.fullmatch(own):
        return own
    for place, word in enumerate(words[1:], 1):
        before = words[place - 1]
        if word in _INLINE and own not in _PINS:
            break
        if before in _NAMES_PROGRAM:
            return word.rpartition("/")[2] if before != "-jar" else _stem(word)
        if before not in _WITH_VALUE and not _NO_PROGRAM.fullmatch(word):
            return _name_words(words[place:])
    return own


def _stem(word: str) -> str:
    """Return the file name without folder and suffix, for POSIX and Windows paths."""
    return _SUFFIX.sub("", re.split(r"[/\\]", word)[-1]) or word
