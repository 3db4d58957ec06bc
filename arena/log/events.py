"""The events of a run: one line each in its log, `log.jsonl`.

The structs are the format of that file, and arena/results/README.md explains every key. A field may be renamed as long
as `msgspec.field(name=...)` keeps its key. Which events may follow each other is checked in arena/log/validation.py.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from arena.terms.ending import Ending
from arena.terms.settings import Count, Games, RunSettings

LOG_FORMAT = 1  # of the log; incremented when an older Pentad would misread a new log


# A measured time. The bounds keep sums and means of what an edited log says within the range of a float.
Measured = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Number = Annotated[int, msgspec.Meta(ge=1)]
Side = Annotated[int, msgspec.Meta(ge=0, le=1)]


class _Event(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """A line of the log. Its key `event` holds the tag of the struct, such as `run` or `end`."""


class EngineEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An engine as the header records it. It has either a command line or the name of a player."""

    name: str
    command: str = ""  # command line of a program
    player: str = ""  # name or file of a player that runs in the arena's process
    protocol: str = ""  # of a program: gomocup, uhp or gtp
    directory: str = ""  # working directory of a program, empty for the arena's own
    options: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()  # added to the arena's own environment
    tc: str = ""  # the engine's own time control, empty for that of the run
    file_hash: str = ""  # SHA-256 of the program and its files or of the player's file; empty for built-in players
    source: str = ""  # where a third-party player comes from: file and class, or package, version and class


class MoveEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A move, the times the arena measured and what the engine reported with it.

    The reported fields are None or empty if the engine did not report them.
    """

    move: str
    time_ms: Measured = 0  # measured by the arena
    score: int | None = None  # reported, for the side that moved, in the engine's units; near +-32000 if proven
    win_in: int | None = None  # reported plies to a proven win (> 0) or loss (< 0)
    depth: int | None = None  # reported
    nodes: int | None = None  # reported
    side: Side = 0  # 0 for the player that began; in Kolibrat a side may be skipped, so the ply does not tell it
    pv: tuple[str, ...] = ()  # reported principal variation, in the engine's own spelling
    messages: tuple[str, ...] = ()  # the last lines that the engine printed since its previous move
    over_ms: Measured | None = None  # time beyond the limit, 0 if in time, None without a limit
    overhead_us: Measured = msgspec.field(default=0, name="own_us")  # the arena's own time for this move, microseconds
    reported_ms: Measured | None = msgspec.field(default=None, name="told_ms")  # reported thinking time
    result: str = ""  # `win`, `loss` or `draw`, reported as proven without a number of plies


class RunStarted(
    RunSettings, _Event, frozen=True, kw_only=True, tag_field="event", tag="run", forbid_unknown_fields=True
):
    """The header, the first line of every log: everything needed to repeat or to resume the run."""

    games: Games  # no default here: every header has it
    seed: int  # likewise
    engines: tuple[EngineEntry, ...]
    game: str
    width: int
    height: int
    variant: str
    openings: str  # path of the opening file, empty without one
    openings_hash: str  # SHA-256 of the opening file
    command_line: tuple[str, ...]
    versions: dict[str, str]
    machine: dict[str, str]
    started: str  # ISO time, UTC
    planned: Count = 0  # number of games of the whole run
    position: str = ""  # start position, empty for that of the game
    book: tuple[tuple[str, ...], ...] = ()  # the moves of every opening
    format: Annotated[int, msgspec.Meta(ge=0, le=LOG_FORMAT)] = 0  # `LOG_FORMAT`; 0 in logs written before it existed


class RunResumed(_Event, frozen=True, tag="resume"):
    """The run was resumed. Games before this line whose pair is not complete do not count; they are played again."""

    started: str  # ISO time, UTC
    engines: tuple[EngineEntry, ...]  # as they are now
    forced: bool  # whether --force allowed an engine to differ from the one in the header


class GameStarted(_Event, frozen=True, tag="start"):
    """A game begins."""

    number: Number  # of the game in the run, from 1
    pair: Number  # number of its pair in the run, from 1
    first: str  # name of the engine that moves first
    second: str
    opening: tuple[str, ...]


class GameEnded(_Event, frozen=True, tag="end", omit_defaults=True):
    """A game has ended. `number`, `pair`, `first`, `second` and `opening` are those of its `GameStarted`."""

    number: Number
    pair: Number
    first: str
    second: str
    ending: Ending
    winner: str  # name, empty if the game was drawn or does not count
    blamed: str  # name of the engine that lost by its own fault or could not start, empty if there is none
    detail: str  # more about the ending, for people
    opening: tuple[str, ...]
    moves: tuple[MoveEntry, ...]  # after the opening
    messages: tuple[str, ...] = ()  # last lines of the blamed engine, else of the one to move, since its last move
    stderr: tuple[str, ...] = ()  # standard error of first and second; empty if neither wrote any
    over_ms: Measured | None = None  # of an answer that lost on time: by how much it exceeded the limit
    cpu_ms: tuple[Measured | None, Measured | None] = (None, None)  # CPU time of first and second, None if unknown

    def score(self, name: str) -> float:
        """Return the score of the engine `name`: 1, 0.5 or 0. It has no meaning if the ending does not count."""
        return 0.5 if not self.winner else float(self.winner == name)

    @property
    def all_moves(self) -> tuple[str, ...]:
        """All moves of the game, including those of the opening."""
        return self.opening + tuple(entry.move for entry in self.moves)

    def moves_of(self, side: int) -> list[MoveEntry]:
        """Return the moves of side 0 or 1 after the opening."""
        return [entry for entry in self.moves if entry.side == side]

    def times_ms(self, side: int) -> list[int]:
        """Return the measured times of the moves of side 0 or 1 after the opening."""
        return [entry.time_ms for entry in self.moves_of(side)]


class PairEnded(_Event, frozen=True, tag="pair", omit_defaults=True):
    """All games of a pair have a result. Its games count from this line on."""

    number: Number  # of the pair in the run, from 1
    worker: str = msgspec.field(default="", name="place")  # cluster worker and host, empty if played by this process


class RunEnded(_Event, frozen=True, tag="stop"):
    """A session of the run has ended, either because everything is played or early."""

    played: int  # games that have ended with a result so far
    planned: int  # number of games of the whole run
    reason: str  # why it stopped early; empty if all games are played or the SPRT has accepted a hypothesis


Event = RunStarted | RunResumed | GameStarted | GameEnded | PairEnded | RunEnded
