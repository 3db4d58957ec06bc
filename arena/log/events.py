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
from typing import Annotated, Literal

import msgspec

from arena.errors import CommandFailedError
from arena.log.rules import check_game, check_header, check_keys, check_pair, check_resumption, check_sides
from arena.statistics.sprt import Sprt
from arena.terms.adjudication import NO_ADJUDICATION, Adjudication
from arena.terms.ending import Ending
from arena.terms.engine_rules import USUAL_HOUSE, House
from arena.terms.plan import MOST_GAMES
from protocols.text import clean_text

LOG_NAME = "log.jsonl"
MOST_TOLD = 300  # characters of what is wrong with a line, which may be of any length
_FORMAT_FIELD = re.compile(r'{\s*"event"\s*:\s*"run".*"format"\s*:\s*([0-9]{1,18})')
FORMAT = 1  # of the log, counted up where an older Pentad would take a newer log for something else


class LogError(CommandFailedError):
    """The log cannot be used; the text names the file and the line."""


# A time in a unit that was measured here; what comes of a sum of them is still a number.
Measured = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Number = Annotated[int, msgspec.Meta(ge=1)]
Games = Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]
Concurrency = Annotated[int, msgspec.Meta(ge=0, le=MOST_GAMES)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Side = Annotated[int, msgspec.Meta(ge=0, le=1)]


class _Event(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """A line of the log."""


class EngineEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An engine as the run's header records it."""

    name: str
    command: str = ""
    player: str = ""
    protocol: str = ""
    directory: str = ""
    options: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    tc: str = ""  # its own time control, empty for that of the run
    file_hash: str = ""  # SHA-256 of the program or of the player's file, empty for Pentad's own players
    source: str = ""  # where a player comes from that is not Pentad's own


class MoveEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A move with what was measured (`time_ms`) and what the engine told about it."""

    move: str
    time_ms: Measured = 0
    score: int | None = None  # for the side that moved, in the engine's units; near +-32000 for a proven end
    win_in: int | None = None  # plies to the win (> 0) or loss (< 0) that the engine claims
    depth: int | None = None
    nodes: int | None = None
    side: Side = 0  # 0 for the player that began; in Kolibrat a side may be skipped, so the ply does not tell it
    pv: tuple[str, ...] = ()  # the line that it expected, as it wrote it
    messages: tuple[str, ...] = ()  # its own words since its last move, the last of them where there were many
    over_ms: Measured | None = None  # beyond the limit, 0 in time; None without a limit
    own_us: Measured = 0  # what the move took besides the engine's thinking, microseconds
    told_ms: Measured | None = None  # thinking time that the engine reported
    result: str = ""  # `win`, `loss` or `draw` that it claims without a number of plies


class RunStarted(_Event, frozen=True, tag="run"):
    """The header: all that is needed to repeat the run, or to go on with it. `games` are those of each pairing."""

    engines: tuple[EngineEntry, ...]
    game: str
    width: int
    height: int
    variant: str
    games: Games
    seed: int
    order: Literal["random", "sequential"]
    control: dict[str, int | None]
    openings: str  # file, empty where there is none
    openings_hash: str
    concurrency: Concurrency
    restart: bool
    command_line: tuple[str, ...]
    versions: dict[str, str]
    machine: dict[str, str]
    started: str  # ISO time, UTC
    planned: Count = 0  # games in all
    gauntlet: Count = 0  # so many engines play against the rest, 0: each against every other one
    position: str = ""  # where the game begins, empty for its own start
    book: tuple[tuple[str, ...], ...] = ()  # the openings themselves
    transform: bool = False  # whether openings are played under the board's symmetries
    sprt: Sprt | None = None  # the test that ends the run
    h0_fails: bool = False  # whether the command fails where the test accepts its lower hypothesis
    max_faults: Count = 2
    strict: bool = False
    house: House = USUAL_HOUSE
    adjudication: Adjudication = NO_ADJUDICATION
    event_name: str = ""  # of which the run is part, as records name it
    site: str = ""  # where it is played
    swap2: bool = False  # whether engines agree on each opening; then its games have openings of their own
    max_plies: Count = 0  # after which a game is a draw; 0: as the game has it
    format: Annotated[int, msgspec.Meta(ge=0, le=FORMAT)] = 0  # `FORMAT`; logs that are older than it have none


class RunResumed(_Event, frozen=True, tag="resume"):
    """The run goes on after it was broken off. Games of pairs that were not complete have no result."""

    started: str  # ISO time, UTC
    engines: tuple[EngineEntry, ...]  # as they are now
    forced: bool  # whether an engine's program was allowed to be another one than before


class GameStarted(_Event, frozen=True, tag="start"):
    """A game begins. Players are recorded by name and by colour."""

    number: Number
    pair: Number
    first: str
    second: str
    opening: tuple[str, ...]


class GameEnded(_Event, frozen=True, tag="end", omit_defaults=True):
    """A game has ended. `winner` and `blamed` are names, empty where there is none; `detail` says more to a person."""

    number: Number
    pair: Number
    first: str
    second: str
    ending: Ending
    winner: str
    blamed: str
    detail: str
    opening: tuple[str, ...]
    moves: tuple[MoveEntry, ...]  # without those of the opening
    messages: tuple[str, ...] = ()  # of the engine to blame, or to move, since its last move
    stderr: tuple[str, ...] = ()  # what the first and the second wrote to standard error; none where both were silent
    over_ms: Measured | None = None  # beyond the limit, of an answer that came too late
    cpu_ms: tuple[Measured | None, Measured | None] = (None, None)  # of the first and the second; None: not measured

    def score(self, name: str) -> float:
        """Score of an engine: 1, 0.5 or 0. Meaningless where the ending does not count."""
        return 0.5 if not self.winner else float(self.winner == name)

    @property
    def line(self) -> tuple[str, ...]:
        """All moves, those of the opening included."""
        return self.opening + tuple(entry.move for entry in self.moves)

    def moves_of(self, side: int) -> list[MoveEntry]:
        """The moves of side 0 or 1, the opening left out."""
        return [entry for entry in self.moves if entry.side == side]

    def times_ms(self, side: int) -> list[int]:
        """Times of these moves."""
        return [entry.time_ms for entry in self.moves_of(side)]


class PairEnded(_Event, frozen=True, tag="pair", omit_defaults=True):
    """All games of a pair have ended with a result: from here on they count."""

    number: Number
    place: str = ""  # the worker and the machine that played it, empty for the runner's own


class RunEnded(_Event, frozen=True, tag="stop"):
    """The run is over. `reason` is empty where it came to its planned end: all games, or the verdict of its test."""

    played: int  # games that count
    planned: int
    reason: str


Event = RunStarted | RunResumed | GameStarted | GameEnded | PairEnded | RunEnded


@dataclass(frozen=True)
class Run:
    """What a log says of its run. `games` are those of complete pairs, ordered by number."""

    header: RunStarted
    games: tuple[GameEnded, ...]
    pairs: frozenset[int]  # numbers of the complete ones
    ended: RunEnded | None = None  # of the last session, None where it was killed or still runs
    unfinished: tuple[GameEnded, ...] = field(default=(), compare=False)  # of pairs that the last session left behind
    lines: Mapping[int, int] = field(default_factory=dict, compare=False)  # of the log, of each game's end
    digest: str = field(default="", compare=False)  # SHA-256 of the header's line

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
    """The event of a line; raise ValueError naming the field that is wrong."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        before = re.findall(rb'"(\w+)":', line[: error.start])
        field = before[-1].decode() if before else "event"
        raise ValueError(f"{field}: byte {error.start + 1} of the line is no UTF-8") from None
    found = _FORMAT_FIELD.match(text)
    if found and int(found[1]) > FORMAT:  # first of all, for there may be anything else
        raise ValueError(f"format: {found[1]} is of a later Pentad, this one reads up to {FORMAT}")
    event: Event = msgspec.json.decode(text, type=Event)
    if isinstance(event, RunStarted):
        check_keys(line, event)
    return event


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
            digest = hashlib.sha256(line).hexdigest()
    if reader.header is None:
        raise LogError(f"{path}: no run has begun here")
    return replace(reader.run(reader.header), digest=digest)


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
        content = path.read_bytes()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    yield from enumerate(content.split(b"\n")[:-1], 1)
