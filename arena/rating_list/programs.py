"""Tell programs with the same name apart: an entry of a rating list is a program under a name.

Two programs with the same name are the same if all their aspects are equal: the hash of the program, the version of
Pentad for its own players, arguments, options, environment and time control. Folders are left out, because they differ
between machines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain, count

from arena.log.events import EngineEntry, RunStarted
from arena.terms.clock import describe_limits, effective_control
from protocols.command_line import split_command

ASPECT_NAMES = ("hash", "version", "arguments", "options", "environment", "time control")
HASH_DIGITS = 8  # of a hash in a label
MAX_ASPECT_LENGTH = 40  # characters of an aspect in a label
_FOLDER = re.compile(r"[^=\s]*[/\\]")  # before a file name; keeps `--weights=` before it
_PLAYER_FOLDER = re.compile(r".*[/\\](?=[^/\\]*\.py:)")  # of a player such as `path/to/file.py:Class`


@dataclass(frozen=True)
class Program:
    """A program or player under the name that it has in a run."""

    name: str
    aspects: tuple[str, ...]  # in the order of ASPECT_NAMES

    @property
    def version(self) -> str:
        """Hash of a program or of a player's file, else the version of Pentad or of the package of a player."""
        return self.aspects[0] or self.aspects[1]

    @property
    def limits(self) -> str:
        """The time control as text."""
        return self.aspects[-1]


def identify_program(entry: EngineEntry, header: RunStarted) -> Program:
    """Return the program that an engine of a run is."""
    is_builtin = bool(entry.player) and not entry.file_hash and not entry.source
    aspects = (
        entry.file_hash or ("" if entry.player else _FOLDER.sub("", entry.command.split(" ")[0])),
        f"Pentad {header.versions.get('pentad', 'of unknown version')}" if is_builtin else entry.source,
        _PLAYER_FOLDER.sub("", entry.player) if entry.player else " ".join(_list_arguments(entry.command)),
        ",".join(f"{key}={value}" for key, value in sorted(entry.options)),
        ",".join(f"{key}={value}" for key, value in sorted(entry.environment)),
        describe_limits(effective_control(entry.tc, header.control)),
    )
    # the source of a player's file is its path; the file's hash identifies it
    return Program(entry.name, (aspects[0], "", *aspects[2:]) if entry.player and entry.file_hash else aspects)


def describe_difference(programs: Sequence[Program]) -> str:
    """Return what differs between programs with the same name, such as `hash and time control`."""
    *others, last = [ASPECT_NAMES[index] for index in _list_differing(programs)]
    return f"{', '.join(others)} and {last}" if others else last


def make_labels(programs: Sequence[Program], names: Collection[str]) -> list[str]:
    """Return a label for each of several programs with the same name: the name and what differs.

    They differ from each other and from `names`, the names of all programs.
    """
    differing = _list_differing(programs)
    labels: list[str] = []
    for program in programs:
        parts = [_shorten(program.aspects[index], is_hash=index == 0) for index in differing]
        label = f"{program.name} [{', '.join(parts)}]"
        numbered = chain([label], (f"{label} ({number})" for number in count(2)))
        labels.append(next(text for text in numbered if text not in labels and text not in names))
    return labels


def _list_differing(programs: Sequence[Program]) -> list[int]:
    """Return the indices of the aspects that are not equal in all programs."""
    return [index for index in range(len(ASPECT_NAMES)) if len({p.aspects[index] for p in programs}) > 1]


def _list_arguments(command: str) -> list[str]:
    """Return the arguments of a command line, without folders."""
    try:
        arguments = split_command(command)[1:]
    except ValueError:  # an unclosed quote, in a log that was edited by hand
        return [command]
    return [_FOLDER.sub("", argument) for argument in arguments]


def _shorten(aspect: str, *, is_hash: bool) -> str:
    """Return an aspect for a label."""
    if not aspect:
        return "none"
    length = HASH_DIGITS if is_hash else MAX_ASPECT_LENGTH
    return aspect[:length]
