"""The log of a run, `log.jsonl`: one JSON line per event, only ever appended to.

The log is the single source of truth about a run. Game records, tables and statistics are derived from it and can be
rebuilt. The unit is the pair: its games count once the line of its `PairEnded` is on disk. Games of a pair that was
interrupted stay in the log but do not count; the pair is played again when the run is resumed.
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
from arena.log.validation import (
    FieldError,
    check_header,
    check_pair,
    check_planned,
    check_result,
    check_resumption,
)
from core.system.files import read_file
from protocols.text import clean_text

LOG_NAME = "log.jsonl"
MAX_LOG_BYTES = 4 << 30  # a million games take less
MAX_ERROR_LENGTH = 300  # characters of an error message; it may quote a line of any length
_FORMAT_KEY = re.compile(r'{\s*"event"\s*:\s*"run".*"format"\s*:\s*([0-9]{1,18})')


class LogError(CommandFailedError):
    """The log cannot be used. The text names the file and, where there is one, the line."""


@dataclass(frozen=True)
class Run:
    """What the log of a run says. `games` are those of complete pairs, ordered by number."""

    header: RunStarted
    games: tuple[GameEnded, ...]
    complete_pairs: frozenset[int]  # numbers of the complete pairs
    ended: RunEnded | None = None  # end of the last session; None if it was killed or is still running
    unfinished: tuple[GameEnded, ...] = field(default=(), compare=False)  # games of the last session's incomplete pairs
    line_numbers: Mapping[int, int] = field(default_factory=dict, compare=False)  # of each game's end, by game number
    header_hash: str = field(default="", compare=False)  # SHA-256 of the header's line

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the engines, in the order of the header."""
        return tuple(engine.name for engine in self.header.engines)


class LogWriter:
    """Append events to the log in a run's directory. Use it as a context manager, from one thread at a time.

    An incomplete last line, as a power cut leaves it, is removed first. If a line cannot be written whole, its
    beginning is removed and all further writes fail with a LogError that says how to resume.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / LOG_NAME
        self._problem: LogError | None = None
        # Unbuffered: a line whose write failed must not be written again when the file is closed.
        self._file = self._path.open("ab", buffering=0)
        content = self._path.read_bytes()
        self._end = content.rfind(b"\n") + 1
        self._file.truncate(self._end)

    def write(self, event: Event) -> None:
        """Append one event and wait until it is on disk.

        Games do not wait for the disk: the `PairEnded` that makes them count does.
        """
        if self._problem:
            raise self._problem
        line = encode_event(event)
        try:
            self._write_whole(line)
            if not isinstance(event, GameStarted | GameEnded):
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):  # the disk may refuse this, too; then the next LogWriter removes the rest
                self._file.truncate(self._end)
            advice = (
                f"complete pairs are recorded; once this is fixed, continue with `pentad resume {self._path.parent}`"
            )
            self._problem = LogError(f"{self._path}: {error.strerror}; {advice}")
            raise self._problem from None
        self._end += len(line)

    def _write_whole(self, line: bytes) -> None:
        """Write a line. On a full disk the first call may write a part of it, and only the next one raises."""
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
    """Return the line of an event, including the line feed."""
    return msgspec.json.encode(event) + b"\n"


def decode_event(line: bytes) -> Event:
    """Return the event of a line, with texts for people made printable; raise FieldError naming the wrong field."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        before = re.findall(rb'"(\w+)":', line[: error.start])
        field = before[-1].decode() if before else "event"
        raise FieldError(f"{field}: byte {error.start + 1} of the line is not UTF-8") from None
    found = _FORMAT_KEY.match(text)
    if found and int(found[1]) > LOG_FORMAT:  # checked first: the rest of a later format may be anything
        raise FieldError(f"format: {found[1]} is of a later Pentad, this one reads up to {LOG_FORMAT}")
    try:
        event: Event = msgspec.json.decode(text, type=Event)
    except msgspec.DecodeError as error:
        raise FieldError(str(error)) from None
    except RecursionError:
        raise FieldError("event: arrays or objects are nested too deeply") from None
    return event if text.isprintable() and "\\" not in text else make_event_printable(event)


def read_run(directory: Path) -> Run:
    """Read and check the log of a run; raise LogError naming the line and the field that is wrong."""
    path = directory / LOG_NAME
    reader = _RunReader()
    for number, line in _read_lines(path):
        try:
            reader.add(decode_event(line), number)
        except FieldError as error:
            raise LogError(f"{path}, line {number}: {clean_text(str(error), MAX_ERROR_LENGTH)}") from None
        if number == 1:
            header_hash = hashlib.sha256(line).hexdigest()
    if reader.header is None:
        raise LogError(f"{path}: the file does not hold the beginning of a run")
    return replace(reader.run(reader.header), header_hash=header_hash)


class _RunReader:
    """Builds a Run from its events, one after the other."""

    def __init__(self) -> None:
        self.header: RunStarted | None = None
        self._ended: RunEnded | None = None
        self._open_pairs: dict[int, list[GameEnded]] = defaultdict(list)  # games of pairs that are not complete yet
        self._games: dict[int, GameEnded] = {}  # those that count, by number
        self._pairs: set[int] = set()
        self._line_numbers: dict[int, int] = {}

    def add(self, event: Event, line_number: int) -> None:
        """Add the event of a line; raise FieldError if it cannot follow the events before it."""
        if isinstance(event, RunStarted):
            if self.header is not None:
                raise FieldError("event: a second run begins")
            check_header(event)
            self.header = event
            return
        if self.header is None:
            raise FieldError("event: no run has begun here")
        if isinstance(event, RunResumed):
            check_resumption(self.header, event)
            self._open_pairs.clear()
            self._ended = None
        elif isinstance(event, GameStarted):
            check_planned(self.header, event)
        elif isinstance(event, GameEnded):
            self._add_game(self.header, event, line_number)
        elif isinstance(event, PairEnded):
            self._add_pair(self.header, event)
        else:
            self._ended = event

    def run(self, header: RunStarted) -> Run:
        """Return the run as the events so far describe it."""
        games = tuple(self._games[number] for number in sorted(self._games))
        unfinished = tuple(game for pair in self._open_pairs.values() for game in pair)
        return Run(header, games, frozenset(self._pairs), self._ended, unfinished, self._line_numbers)

    def _add_game(self, header: RunStarted, game: GameEnded, line_number: int) -> None:
        check_result(header, game)
        if game.number in self._games or game.number in [other.number for other in self._open_pairs[game.pair]]:
            raise FieldError(f"number: game {game.number} has ended before")
        self._open_pairs[game.pair].append(game)
        self._line_numbers[game.number] = line_number

    def _add_pair(self, header: RunStarted, pair: PairEnded) -> None:
        if pair.number in self._pairs:
            raise FieldError(f"number: pair {pair.number} has ended before")
        games = self._open_pairs.pop(pair.number, [])
        check_pair(header, pair.number, games)
        for game in games:
            if game.number in self._games:
                raise FieldError(f"number: game {game.number} has ended before, in another pair")
            self._games[game.number] = game
        self._pairs.add(pair.number)


def _read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the complete lines of the log with their numbers, from 1. What follows the last line feed is ignored."""
    try:
        content = read_file(path, MAX_LOG_BYTES)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    yield from enumerate(content.split(b"\n")[:-1], 1)
