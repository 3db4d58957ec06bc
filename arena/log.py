"""The log of a match: JSON lines, only ever appended to, each event on disk before the match goes on.

It is the one truth about a run; game records, tables and statistics are derived from it and can be rebuilt.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from arena.ending import Ending

LOG_NAME = "log.jsonl"


class LogError(Exception):
    """The log cannot be used; the text names the file and the line."""


class EngineEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """An engine as the run's header records it."""

    name: str
    command: str = ""
    player: str = ""
    protocol: str = ""
    directory: str = ""
    options: tuple[tuple[str, str], ...] = ()
    file_hash: str = ""  # SHA-256 of the program, empty for players in this process


class MoveEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move with what was measured (`time_ms`) and what the engine told about it."""

    move: str
    time_ms: int = 0
    score: int | None = None  # for the side that moved, in the engine's units; near +-32000 for a proven end
    win_in: int | None = None  # plies to the win (> 0) or loss (< 0) that the engine claims
    depth: int | None = None
    nodes: int | None = None


class RunStarted(msgspec.Struct, frozen=True, tag="run", tag_field="event"):
    """The header: all that is needed to repeat the run."""

    engines: tuple[EngineEntry, ...]
    game: str
    width: int
    height: int
    variant: str
    games: int
    seed: int
    order: str
    control: dict[str, int | None]
    openings: str  # file, empty where there is none
    openings_hash: str
    concurrency: int
    restart: bool
    command_line: tuple[str, ...]
    versions: dict[str, str]
    machine: dict[str, str]
    started: str  # ISO time, UTC


class GameStarted(msgspec.Struct, frozen=True, tag="start", tag_field="event"):
    """A game begins. Players are recorded by name and by colour."""

    number: int
    pair: int
    first: str
    second: str
    opening: tuple[str, ...]


class GameEnded(msgspec.Struct, frozen=True, tag="end", tag_field="event"):
    """A game has ended. `winner` and `blamed` are names, empty where there is none; `detail` says more to a person."""

    number: int
    pair: int
    first: str
    second: str
    ending: Ending
    winner: str
    blamed: str
    detail: str
    opening: tuple[str, ...]
    moves: tuple[MoveEntry, ...]  # without those of the opening

    def score(self, name: str) -> float:
        """Score of an engine: 1, 0.5 or 0. Meaningless where the ending does not count."""
        return 0.5 if not self.winner else float(self.winner == name)

    @property
    def line(self) -> tuple[str, ...]:
        """All moves, those of the opening included."""
        return self.opening + tuple(entry.move for entry in self.moves)


class RunEnded(msgspec.Struct, frozen=True, tag="stop", tag_field="event"):
    """The run is over. `reason` is empty where all planned games were played."""

    played: int
    planned: int
    reason: str


Event = RunStarted | GameStarted | GameEnded | RunEnded


class LogWriter:
    """Appends events to the log of a run directory; used as a context. One thread at a time may write."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / LOG_NAME
        self._file = self._path.open("ab")

    def write(self, event: Event) -> None:
        """Append one event and wait until it is on disk."""
        self._file.write(msgspec.json.encode(event) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def read_log(directory: Path) -> Iterator[Event]:
    """The events of a run in order; raise LogError. A last line without its end (a power cut) is left out."""
    path = directory / LOG_NAME
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        try:
            event: Event = msgspec.json.decode(line, type=Event)
        except msgspec.MsgspecError as error:
            raise LogError(f"{path}, line {number}: {error}") from None
        yield event
