"""Write and read the log of a run, `log.jsonl`: one JSON line per event, in the order in which they happened.

A running match appends to it; `pentad resume` and `pentad report` read it. Game records, tables and
statistics are derived from it and can be written again. Games count in pairs, once the line of `PairEnded` is on
disk. Games of an interrupted pair stay in the log but do not count; a resumed run plays that pair again.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

import msgspec

from arena.errors import CommandFailedError, format_resume_command
from arena.formats.tournament import Tournament
from arena.log.engine_output import make_event_printable
from arena.log.events import (
    LOG_FORMAT,
    EngineEntry,
    Event,
    EventWithoutMoves,
    GameEnded,
    GameResult,
    GameStarted,
    PairEnded,
    RoundPaired,
    RunEnded,
    RunResumed,
    RunStarted,
)
from arena.log.validation import (
    FieldError,
    add_round,
    check_header,
    check_pair,
    check_planned,
    check_result,
    check_resumption,
    make_tournament,
    score_pair,
)
from core.system.files import read_file
from protocols.text import clean_text

LOG_NAME = "log.jsonl"
MAX_LOG_BYTES = 4 << 30  # a larger log is refused, because it is read into memory
MAX_ERROR_LENGTH = 300  # characters of an error message; it may quote a line of any length
# Finds the format number in a header line; parsing it as JSON would fail for a later format with unknown fields.
_FORMAT_KEY = re.compile(r'{\s*"event"\s*:\s*"run".*"format"\s*:\s*([0-9]{1,18})')


class LogError(CommandFailedError):
    """The log cannot be read or written. The message names the file and, for a wrong line, its number from 1."""


@dataclass(frozen=True)
class Run:
    """A run as read from its log."""

    header: RunStarted
    games: tuple[GameEnded, ...]  # games of complete pairs, ordered by number
    complete_pairs: frozenset[int]  # numbers of the complete pairs
    ended: RunEnded | None = None  # end of the last session; None if it was killed or is still running
    rounds: tuple[RoundPaired, ...] = ()  # of a Swiss or knock-out, in the order of the log
    # games of incomplete pairs that ended in the last session
    unfinished: tuple[GameEnded, ...] = field(default=(), compare=False)
    # engines of games that were played after a resumption with changed engines, by game number
    changed_engines: Mapping[int, tuple[EngineEntry, ...]] = field(default_factory=dict, compare=False)
    line_numbers: Mapping[int, int] = field(default_factory=dict, compare=False)  # of GameEnded lines, by game number
    header_hash: str = field(default="", compare=False)  # SHA-256 of the header's line without its line feed

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the engines, in the order of the header."""
        return tuple(engine.name for engine in self.header.engines)

    def replay_tournament(self) -> Tournament | None:
        """Return the tournament after the rounds and complete pairs of the run; None in formats without rounds."""
        tournament = make_tournament(self.header)
        if tournament is None:
            return None
        games_by_pair: dict[int, list[GameEnded]] = defaultdict(list)
        for game in self.games:
            games_by_pair[game.pair].append(game)
        for paired in self.rounds:
            first_pair = tournament.pair_count + 1
            add_round(self.header, tournament, paired)
            for number in range(first_pair, tournament.pair_count + 1):
                if number in self.complete_pairs:
                    tournament.add_pair(number, score_pair(self.header, tournament, number, games_by_pair[number]))
        return tournament


class LogWriter:
    """Append events to the log in a run's directory. Use it as a context manager, from one thread at a time.

    An incomplete last line, such as after a power cut, is removed when the log is opened. If a write fails, the part
    that was written is removed, and this and all further writes raise a LogError that says how to resume the run.
    `on_line` is called with each line that was written. `name` is the file's name; events of the types `unsynced` are
    written without waiting until they are on disk.
    """

    def __init__(
        self,
        directory: Path,
        on_line: Callable[[bytes], None] = lambda _: None,
        *,
        name: str = LOG_NAME,
        unsynced: tuple[type[msgspec.Struct], ...] = (GameStarted, GameEnded),
    ) -> None:
        self._on_line = on_line
        self._path = directory / name
        self._unsynced = unsynced
        self._problem: LogError | None = None
        # Unbuffered: a buffer would write a failed line again when the file is closed.
        self._file = self._path.open("ab", buffering=0)
        content = self._path.read_bytes()
        self._end = content.rfind(b"\n") + 1  # size of the log in bytes, without an incomplete last line
        self._file.truncate(self._end)

    def write(self, event: msgspec.Struct) -> None:
        """Append one event. Except for those of the types `unsynced`, wait until all events so far are on disk.

        Games need no wait of their own, because they do not count before the `PairEnded` that follows them.
        """
        if self._problem:
            raise self._problem
        line = encode_event(event)
        try:
            self._write_whole(line)
            if not isinstance(event, self._unsynced):
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):  # if this fails too, the next LogWriter removes the incomplete line
                self._file.truncate(self._end)
            command = format_resume_command(self._path.parent)
            advice = f"complete pairs are recorded; once this is fixed, continue with `{command}`"
            self._problem = LogError(f"{self._path}: {error.strerror}; {advice}")
            raise self._problem from None
        self._end += len(line)
        self._on_line(line)

    def _write_whole(self, line: bytes) -> None:
        """Write a line with as many calls as needed: on a full disk, `write` may store a part before it raises."""
        remaining = memoryview(line)
        while remaining:
            remaining = remaining[self._file.write(remaining) :]

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def encode_event(event: msgspec.Struct) -> bytes:
    """Return an event as a line of JSON, including the line feed."""
    return msgspec.json.encode(event) + b"\n"


def decode_event(line: bytes, *, with_moves: bool = True) -> Event:
    """Return the event of a line, its displayed texts made printable. Raise FieldError if the line is not valid.

    Without moves, a finished game has only its result; its other fields are empty and not checked.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        keys_before = re.findall(rb'"(\w+)":', line[: error.start])
        key = keys_before[-1].decode() if keys_before else "event"
        raise FieldError(f"{key}: byte {error.start + 1} of the line is not UTF-8") from None
    log_format = _FORMAT_KEY.match(text)
    if log_format and int(log_format[1]) > LOG_FORMAT:
        raise FieldError(f"format: {log_format[1]} needs a newer Pentad (known: up to {LOG_FORMAT})")
    try:
        if with_moves:
            event: Event = msgspec.json.decode(text, type=Event)
        else:
            reduced: EventWithoutMoves = msgspec.json.decode(text, type=EventWithoutMoves)
            if isinstance(reduced, GameResult):
                return _complete_result(reduced)
            event = reduced
    except msgspec.DecodeError as error:
        raise FieldError(str(error)) from None
    except RecursionError:
        raise FieldError("event: arrays or objects are nested too deeply") from None
    return event if text.isprintable() and "\\" not in text else make_event_printable(event)


def _complete_result(result: GameResult) -> Event:
    """Return the game of a result, its names made printable."""
    game = result.without_moves()
    names = (result.first, result.second, result.winner, result.blamed)
    return game if all(map(str.isprintable, filter(None, names))) else make_event_printable(game)


def read_run(directory: Path, *, with_moves: bool = True) -> Run:
    """Read and check the log of a run. Raise LogError with the first wrong line and field.

    Without moves, which is faster, finished games have only their results.
    """
    path = directory / LOG_NAME
    reader = RunReader()
    for number, line in read_lines(path):
        try:
            reader.add(decode_event(line, with_moves=with_moves), number)
        except FieldError as error:
            raise LogError(f"{path}, line {number}: {clean_text(str(error), MAX_ERROR_LENGTH)}") from None
        if number == 1:
            header_hash = hashlib.sha256(line).hexdigest()
    if reader.header is None:
        raise LogError(f"{path}: the file has no complete line")
    return replace(reader.build_run(reader.header), header_hash=header_hash)


class RunReader:
    """Checks the events of a log, added one after the other, and builds a `Run` from them."""

    def __init__(self) -> None:
        self.header: RunStarted | None = None
        self._ended: RunEnded | None = None
        # games of incomplete pairs since the last resumption, by pair number
        self._open_pairs: dict[int, list[GameEnded]] = defaultdict(list)
        self._tournament: Tournament | None = None  # None until the header, and in formats without rounds
        self._rounds: list[RoundPaired] = []
        self._games: dict[int, GameEnded] = {}  # games of complete pairs, by game number
        self._complete_pairs: set[int] = set()
        self._line_numbers: dict[int, int] = {}  # of GameEnded lines, by game number
        self._engines: tuple[EngineEntry, ...] = ()  # of the last resumption if they differ from those of the header
        self._changed_engines: dict[int, tuple[EngineEntry, ...]] = {}  # by game number

    def add(self, event: Event, line_number: int) -> None:
        """Add the event of a line; raise FieldError if it cannot follow the events before it."""
        if isinstance(event, RunStarted):
            if self.header is not None:
                raise FieldError("event: a second run begins")
            check_header(event)
            self.header = event
            self._tournament = make_tournament(event)
            return
        if self.header is None:
            raise FieldError("event: the first line must have the event 'run'")
        if isinstance(event, RunResumed):
            check_resumption(self.header, event)
            self._open_pairs.clear()
            self._ended = None
            self._engines = event.engines if event.engines != self.header.engines else ()
        elif isinstance(event, RoundPaired):
            add_round(self.header, self._tournament, event)
            self._rounds.append(event)
        elif isinstance(event, GameStarted):
            check_planned(self.header, self._tournament, event)
        elif isinstance(event, GameEnded):
            self._add_game(self.header, event, line_number)
        elif isinstance(event, PairEnded):
            self._add_pair(self.header, event)
        else:
            self._ended = event

    @property
    def planned(self) -> int:
        """Number of games of the whole run; in a knock-out with the tie-breaks so far, 0 before the header."""
        if self._tournament:
            return self._tournament.planned
        return self.header.planned if self.header else 0

    def build_run(self, header: RunStarted) -> Run:
        """Return the run after the events added so far."""
        games = tuple(self._games[number] for number in sorted(self._games))
        unfinished = tuple(game for games_of_pair in self._open_pairs.values() for game in games_of_pair)
        return Run(
            header,
            games,
            frozenset(self._complete_pairs),
            self._ended,
            tuple(self._rounds),
            unfinished,
            self._changed_engines,
            self._line_numbers,
        )

    def _add_game(self, header: RunStarted, game: GameEnded, line_number: int) -> None:
        check_result(header, self._tournament, game)
        if game.number in self._games or game.number in [other.number for other in self._open_pairs[game.pair]]:
            raise FieldError(f"number: game {game.number} has already ended")
        self._open_pairs[game.pair].append(game)
        self._line_numbers[game.number] = line_number

    def _add_pair(self, header: RunStarted, pair: PairEnded) -> None:
        if pair.number in self._complete_pairs:
            raise FieldError(f"number: pair {pair.number} has already ended")
        games = self._open_pairs.pop(pair.number, [])
        check_pair(header, pair.number, games)
        for game in games:
            if game.number in self._games:
                raise FieldError(f"number: game {game.number} has already ended in another pair")
            self._games[game.number] = game
            if self._engines:
                self._changed_engines[game.number] = self._engines
        self._complete_pairs.add(pair.number)
        if self._tournament:
            self._tournament.add_pair(pair.number, score_pair(header, self._tournament, pair.number, games))


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the complete lines of the log with their numbers, from 1. An incomplete last line is ignored."""
    try:
        content = read_file(path, MAX_LOG_BYTES)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    yield from enumerate(content.split(b"\n")[:-1], 1)
