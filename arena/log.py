"""The log of a run: JSON lines, only ever appended to, each complete pair on disk before it is counted.

It is the one truth about a run; game records, tables and statistics are derived from it and can be rebuilt. The pair is
the unit: a game counts from the moment its pair is complete. What a run that was broken off left of other pairs stays
in the log and counts for nothing; when the run is resumed, they are played anew.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import msgspec

from arena.adjudication import NO_ADJUDICATION, Adjudication
from arena.ending import Ending
from arena.errors import CommandFailedError
from arena.house import USUAL_HOUSE, House
from arena.sprt import Sprt

LOG_NAME = "log.jsonl"


class LogError(CommandFailedError):
    """The log cannot be used; the text names the file and the line."""


class EngineEntry(msgspec.Struct, frozen=True, omit_defaults=True):
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


class MoveEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move with what was measured (`time_ms`) and what the engine told about it."""

    move: str
    time_ms: int = 0
    score: int | None = None  # for the side that moved, in the engine's units; near +-32000 for a proven end
    win_in: int | None = None  # plies to the win (> 0) or loss (< 0) that the engine claims
    depth: int | None = None
    nodes: int | None = None
    side: int = 0  # 0 for the player that began; in Kolibrat a side may be skipped, so the ply does not tell it
    pv: tuple[str, ...] = ()  # the line that it expected, as it wrote it
    messages: tuple[str, ...] = ()  # its own words since its last move, the last of them where there were many
    over_ms: int | None = None  # beyond the limit, 0 in time; None without a limit
    own_us: int = 0  # what the move took besides the engine's thinking, microseconds
    told_ms: int | None = None  # thinking time that the engine reported


class RunStarted(msgspec.Struct, frozen=True, tag="run", tag_field="event"):
    """The header: all that is needed to repeat the run, or to go on with it. `games` are those of each pairing."""

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
    planned: int = 0  # games in all
    gauntlet: int = 0  # so many engines play against the rest, 0: each against every other one
    position: str = ""  # where the game begins, empty for its own start
    book: tuple[tuple[str, ...], ...] = ()  # the openings themselves
    transform: bool = False  # whether openings are played under the board's symmetries
    sprt: Sprt | None = None  # the test that ends the run
    h0_fails: bool = False  # whether the command fails where the test accepts its lower hypothesis
    max_faults: int = 2
    strict: bool = False
    house: House = USUAL_HOUSE
    adjudication: Adjudication = NO_ADJUDICATION
    event_name: str = ""  # of which the run is part, as records name it
    site: str = ""  # where it is played
    swap2: bool = False  # whether engines agree on each opening; then its games have openings of their own
    max_plies: int = 0  # after which a game is a draw; 0: as the game has it


class RunResumed(msgspec.Struct, frozen=True, tag="resume", tag_field="event"):
    """The run goes on after it was broken off. Games of pairs that were not complete have no result."""

    started: str  # ISO time, UTC
    engines: tuple[EngineEntry, ...]  # as they are now
    forced: bool  # whether an engine's program was allowed to be another one than before


class GameStarted(msgspec.Struct, frozen=True, tag="start", tag_field="event"):
    """A game begins. Players are recorded by name and by colour."""

    number: int
    pair: int
    first: str
    second: str
    opening: tuple[str, ...]


class GameEnded(msgspec.Struct, frozen=True, tag="end", tag_field="event", omit_defaults=True):
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
    messages: tuple[str, ...] = ()  # of the engine to blame, or to move, since its last move
    stderr: tuple[str, ...] = ()  # what the first and the second wrote to standard error; none where both were silent
    over_ms: int | None = None  # beyond the limit, of an answer that came too late
    cpu_ms: tuple[int | None, int | None] = (None, None)  # of the first and the second; None: not measured

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


class PairEnded(msgspec.Struct, frozen=True, tag="pair", tag_field="event", omit_defaults=True):
    """All games of a pair have ended with a result: from here on they count."""

    number: int
    place: str = ""  # the worker and the machine that played it, empty for the runner's own


class RunEnded(msgspec.Struct, frozen=True, tag="stop", tag_field="event"):
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

    @property
    def names(self) -> tuple[str, ...]:
        """The engines' names in their order."""
        return tuple(engine.name for engine in self.header.engines)


class LogWriter:
    """Appends events to the log of a run directory; used as a context. One thread at a time may write.

    A last line without its end, which a power cut leaves, is taken away first.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / LOG_NAME
        self._file = path.open("ab")
        if path.exists():
            content = path.read_bytes()
            self._file.truncate(content.rfind(b"\n") + 1)

    def write(self, event: Event) -> None:
        """Append one event; it waits until all is on disk, unless a game begins or ends: its pair waits for it."""
        self._file.write(msgspec.json.encode(event) + b"\n")
        self._file.flush()
        if not isinstance(event, GameStarted | GameEnded):
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


def read_run(directory: Path) -> Run:
    """What counts of a run; raise LogError."""
    header: RunStarted | None = None
    ended: RunEnded | None = None
    open_games: dict[int, list[GameEnded]] = defaultdict(list)
    games: list[GameEnded] = []
    pairs = set()
    for event in read_log(directory):
        if isinstance(event, RunStarted):
            header = event
        elif isinstance(event, RunResumed):
            open_games.clear()
            ended = None
        elif isinstance(event, GameEnded):
            open_games[event.pair].append(event)
        elif isinstance(event, PairEnded):
            games += open_games.pop(event.number, [])
            pairs.add(event.number)
        elif isinstance(event, RunEnded):
            ended = event
    if header is None:
        raise LogError(f"{directory / LOG_NAME}: no run has begun here")
    left = tuple(game for pair in open_games.values() for game in pair)
    return Run(header, tuple(sorted(games, key=lambda game: game.number)), frozenset(pairs), ended, left)
