"""The log of a run: JSON lines, only ever appended to, each complete pair on disk before it is counted.

It is the one truth about a run; game records, tables and statistics are derived from it and can be rebuilt. The pair is
the unit: a game counts from the moment its pair is complete. What a run that was broken off left of other pairs stays
in the log and counts for nothing; when the run is resumed, they are played anew.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

import msgspec

from arena.errors import CommandFailedError
from arena.log.engine_output import make_event_printable
from arena.log.events import LOG_FORMAT, Event, GameEnded, GameStarted, PairEnded, RunEnded, RunResumed, RunStarted
from arena.log.rules import check_game, check_header, check_pair, check_resumption, check_sides
from core.system.files import read_file
from protocols.text import clean_text

LOG_NAME = "log.jsonl"
MAX_LOG_BYTES = 4 << 30  # a million games take less
MOST_TOLD = 300  # characters of what is wrong with a line, which may be of any length
_FORMAT_FIELD = re.compile(r'{\s*"event"\s*:\s*"run".*"format"\s*:\s*([0-9]{1,18})')


class LogError(CommandFailedError):
    """The log cannot be used; the text names the file and the line."""


@dataclass(frozen=True)
class Run:
    """What a log says of its run. `games` are those of complete pairs, ordered by number."""

    header: RunStarted
    games: tuple[GameEnded, ...]
    complete_pairs: frozenset[int]  # numbers of the complete ones
    ended: RunEnded | None = None  # of the last session, None where it was killed or still runs
    unfinished: tuple[GameEnded, ...] = field(default=(), compare=False)  # of pairs that the last session left behind
    lines: Mapping[int, int] = field(default_factory=dict, compare=False)  # of the log, of each game's end
    header_hash: str = field(default="", compare=False)  # SHA-256 of the header's line

    @property
    def names(self) -> tuple[str, ...]:
        """The engines' names in their order."""
        return tuple(engine.name for engine in self.header.engines)


class LogWriter:
    """Appends events to the log of a run directory; used as a context. One thread at a time may write.

    A last line without its end, which a power cut leaves, is taken away first. Where a line cannot be written whole,
    nothing of it stays and nothing more is written: LogError says how to go on.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / LOG_NAME
        self._problem: LogError | None = None
        self._file = self._path.open("ab", buffering=0)  # what fails must not be written later, on closing
        content = self._path.read_bytes()
        self._end = content.rfind(b"\n") + 1
        self._file.truncate(self._end)

    def write(self, event: Event) -> None:
        """Append one event; it waits until all is on disk, unless a game begins or ends: its pair waits for it."""
        if self._problem:
            raise self._problem
        line = encode_event(event)
        try:
            self._write_whole(line)
            if not isinstance(event, GameStarted | GameEnded):
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            advice = f"complete pairs are on record; `pentad resume {self._path.parent}` goes on when that is mended"
            self._problem = LogError(f"{self._path}: {error.strerror}; {advice}")
            raise self._problem from None
        self._end += len(line)

    def _write_whole(self, line: bytes) -> None:
        """Write a line; the system may take a part of it only, and say why with the next one."""
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def encode_event(event: Event) -> bytes:
    """The line of an event, its end included."""
    return msgspec.json.encode(event) + b"\n"


def decode_event(line: bytes) -> Event:
    """The event of a line, texts for people made printable; raise ValueError naming the field that is wrong."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        before = re.findall(rb'"(\w+)":', line[: error.start])
        field = before[-1].decode() if before else "event"
        raise ValueError(f"{field}: byte {error.start + 1} of the line is no UTF-8") from None
    found = _FORMAT_FIELD.match(text)
    if found and int(found[1]) > LOG_FORMAT:  # first of all, for there may be anything else
        raise ValueError(f"format: {found[1]} is of a later Pentad, this one reads up to {LOG_FORMAT}")
    event: Event = msgspec.json.decode(text, type=Event)
    return event if text.isprintable() and "\\" not in text else make_event_printable(event)


def read_run(directory: Path) -> Run:
    """What counts of a run; raise LogError naming the line and the field where events do not go together."""
    path = directory / LOG_NAME
    reader = _RunReader()
    for number, line in _read_lines(path):
        try:
            reader.take(decode_event(line), number)
        except ValueError as error:
            raise LogError(f"{path}, line {number}: {clean_text(str(error), MOST_TOLD)}") from None
        if number == 1:
            header_hash = hashlib.sha256(line).hexdigest()
    if reader.header is None:
        raise LogError(f"{path}: no run has begun here")
    return replace(reader.run(reader.header), header_hash=header_hash)


class _RunReader:
    """Puts a run together of its events; ValueError for one that cannot follow those before it."""

    def __init__(self) -> None:
        self.header: RunStarted | None = None
        self._ended: RunEnded | None = None
        self._open: dict[int, list[GameEnded]] = defaultdict(list)  # games of pairs that are not complete
        self._games: dict[int, GameEnded] = {}
        self._pairs: set[int] = set()
        self._lines: dict[int, int] = {}

    def take(self, event: Event, line: int) -> None:
        """The event of a line."""
        if isinstance(event, RunStarted):
            if self.header is not None:
                raise ValueError("event: a second run begins")
            check_header(event)
            self.header = event
            return
        if self.header is None:
            raise ValueError("event: no run has begun here")
        if isinstance(event, RunResumed):
            check_resumption(self.header, event)
            self._open.clear()
            self._ended = None
        elif isinstance(event, GameStarted):
            check_sides(self.header, event)
        elif isinstance(event, GameEnded):
            self._take_game(self.header, event, line)
        elif isinstance(event, PairEnded):
            self._take_pair(self.header, event)
        else:
            self._ended = event

    def run(self, header: RunStarted) -> Run:
        """All that was taken."""
        games = tuple(self._games[number] for number in sorted(self._games))
        left = tuple(game for pair in self._open.values() for game in pair)
        return Run(header, games, frozenset(self._pairs), self._ended, left, self._lines)

    def _take_game(self, header: RunStarted, game: GameEnded, line: int) -> None:
        check_game(header, game)
        if game.number in self._games or game.number in [other.number for other in self._open[game.pair]]:
            raise ValueError(f"number: game {game.number} has ended before")
        self._open[game.pair].append(game)
        self._lines[game.number] = line

    def _take_pair(self, header: RunStarted, pair: PairEnded) -> None:
        if pair.number in self._pairs:
            raise ValueError(f"number: pair {pair.number} has ended before")
        games = self._open.pop(pair.number, [])
        check_pair(header, pair.number, games)
        for game in games:
            if game.number in self._games:
                raise ValueError(f"number: game {game.number} has ended before, in another pair")
            self._games[game.number] = game
        self._pairs.add(pair.number)


def _read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        content = read_file(path, MAX_LOG_BYTES)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    yield from enumerate(content.split(b"\n")[:-1], 1)
