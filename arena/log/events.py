"""The events of a run, as the lines of its log record them. What they must say to belong together is in rules.py."""

from __future__ import annotations

from typing import Annotated

import msgspec

from arena.terms.ending import Ending
from arena.terms.settings import Count, RunSettings

LOG_FORMAT = 1  # of the log, counted up where an older Pentad would take a newer log for something else


# A time in a unit that was measured here; what comes of a sum of them is still a number.
Measured = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Number = Annotated[int, msgspec.Meta(ge=1)]
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
    file_hash: str = ""  # SHA-256 of the program and its files or of the player's file, empty for Pentad's own players
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
    overhead_us: Measured = 0  # what the move took besides the engine's thinking, microseconds
    told_ms: Measured | None = None  # thinking time that the engine reported
    result: str = ""  # `win`, `loss` or `draw` that it claims without a number of plies


class RunStarted(
    RunSettings, _Event, frozen=True, kw_only=True, tag_field="event", tag="run", forbid_unknown_fields=True
):
    """The header: all that is needed to repeat the run, or to go on with it."""

    engines: tuple[EngineEntry, ...]
    game: str
    width: int
    height: int
    variant: str
    control: dict[str, int | None]
    openings: str  # file, empty where there is none
    openings_hash: str
    command_line: tuple[str, ...]
    versions: dict[str, str]
    machine: dict[str, str]
    started: str  # ISO time, UTC
    planned: Count = 0  # games in all
    position: str = ""  # where the game begins, empty for its own start
    book: tuple[tuple[str, ...], ...] = ()  # the openings themselves
    format: Annotated[int, msgspec.Meta(ge=0, le=LOG_FORMAT)] = 0  # `LOG_FORMAT`; logs that are older than it have none


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
    def all_moves(self) -> tuple[str, ...]:
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
    worker: str = ""  # the worker and the machine that played it, empty for the runner's own


class RunEnded(_Event, frozen=True, tag="stop"):
    """The run is over. `reason` is empty where it came to its planned end: all games, or the verdict of its test."""

    played: int  # games that count
    planned: int
    reason: str


Event = RunStarted | RunResumed | GameStarted | GameEnded | PairEnded | RunEnded
