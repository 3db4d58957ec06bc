"""The events of a run, each stored as one JSON line of its log, `log.jsonl`.

A log begins with `RunStarted`. Each pair of games follows as GameStarted, GameEnded, GameStarted, GameEnded, PairEnded;
pairs that are played at the same time interleave. In a Swiss or a knock-out `RoundPaired` comes before the pairs of its
round. `RunEnded` closes a session unless the process is killed, and `RunResumed` opens the next one.

The structs define the format of that file, and arena/results/README.md explains every key. If a field is renamed,
`msgspec.field(name=...)` must keep its key. arena/log/validation.py checks the values.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import structs

from arena.terms.ending import Ending
from arena.terms.settings import Count, Games, RunSettings

LOG_FORMAT = 1  # version of the log format; incremented when an older Pentad would misread a new log

# A time, measured or reported. The bounds keep sums and means finite even if somebody has edited the log by hand.
Measured = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Number = Annotated[int, msgspec.Meta(ge=1)]  # of a game or pair, counted from 1
Side = Annotated[int, msgspec.Meta(ge=0, le=1)]  # 0: moves first


class _Event(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """A line of the log. Its key `event` holds the tag of the struct, such as `run` or `end`."""


class EngineEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An engine in `RunStarted` and `RunResumed`: either a program, which has a command line, or a player in Python."""

    name: str
    command: str = ""  # command line of a program
    player: str = ""  # name or file of a player that runs in the arena's process
    protocol: str = ""  # of a program: gomocup, uhp or gtp
    directory: str = ""  # working directory of a program, empty for that of the arena
    options: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()  # variables added to the environment of the arena
    tc: str = ""  # time control of this engine, such as `60+0.5`; empty for that of the run
    file_hash: str = ""  # SHA-256 of the program and its files or of the player's file; empty for built-in players
    source: str = ""  # where a third-party player comes from: file and class, or package, version and class
    archive: str = ""  # ZIP from which the program was unpacked into `directory`, whose name has the ZIP's SHA-256


class MoveEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A move, its measured times, and the search info that the engine reported with it.

    Fields marked as reported are None or empty if the engine did not report them.
    """

    move: str
    time_ms: Measured = 0  # measured by the arena
    score: int | None = None  # reported, for the side that moved, in the engine's units; near +-32000 if proven
    win_in: int | None = None  # reported plies to a proven win (> 0) or loss (< 0)
    depth: int | None = None  # reported
    nodes: int | None = None  # reported
    side: Side = 0  # the side that moved; in Kolibrat a side without a legal move is skipped
    pv: tuple[str, ...] = ()  # reported principal variation, in the notation of the engine
    messages: tuple[str, ...] = ()  # the last lines that the engine printed since its previous move
    over_ms: Measured | None = None  # time beyond the limit, 0 if in time, None without a limit
    overhead_us: Measured = msgspec.field(default=0, name="own_us")  # time the arena needed for this move, microseconds
    reported_ms: Measured | None = msgspec.field(default=None, name="told_ms")  # reported thinking time
    result: str = ""  # `win`, `loss` or `draw`, reported as proven without a number of plies


class RunStarted(
    RunSettings, _Event, frozen=True, kw_only=True, tag_field="event", tag="run", forbid_unknown_fields=True
):
    """The header, the first line of every log: everything needed to repeat or to resume the run."""

    games: Games  # per pairing or encounter; without the default of RunSettings, because every header has this key
    seed: int  # likewise without a default
    engines: tuple[EngineEntry, ...]
    game: str
    width: int  # of the board, in squares; 0 for a game that has only one board
    height: int  # likewise
    variant: str  # of the rules, such as freestyle
    openings: str  # path of the opening file, or how the openings were generated; empty without openings
    openings_hash: str  # SHA-256 of the opening file, or of the generated openings
    command_line: tuple[str, ...]  # that started the run
    versions: dict[str, str]  # of Python, Pentad and libraries, by name
    machine: dict[str, str]  # system, processor and memory, see `describe_machine`
    started: str  # ISO time, UTC
    planned: Count = 0  # number of games of the whole run, without the tie-breaks of a knock-out
    position: str = ""  # start position, empty for that of the game
    book: tuple[tuple[str, ...], ...] = ()  # the moves of every opening
    format: Annotated[int, msgspec.Meta(ge=0, le=LOG_FORMAT)] = 0  # `LOG_FORMAT`; 0 in logs older than this key


class RunResumed(_Event, frozen=True, tag="resume"):
    """The run was resumed. Earlier games whose pair is not complete do not count; they are played again."""

    started: str  # ISO time, UTC
    engines: tuple[EngineEntry, ...]  # as they are now
    forced: bool  # whether --force allowed an engine to differ from the one in the header


class RoundPaired(_Event, frozen=True, tag="round", omit_defaults=True):
    """A round of a Swiss or a knock-out begins, or a further pair of the drawn encounters of a knock-out's round.

    The pairs of games of these encounters have the numbers after those of all earlier rounds.
    """

    number: Number  # of the round, from 1
    pairings: tuple[tuple[str, str], ...]  # names; the better engine first: by score, in a knock-out by seed
    byes: tuple[str, ...] = ()  # names of engines without an opponent in this round
    tie_break: Count = 0  # 0: a round; N: the N-th further pair of its drawn encounters


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
    over_ms: Measured | None = None  # of a game lost on time: by how much the last answer exceeded its limit
    cpu_ms: tuple[Measured | None, Measured | None] = (None, None)  # CPU time of first and second, None if unknown

    def score(self, name: str) -> float:
        """Return the score of the engine `name`: 1, 0.5 or 0. The value is meaningless for a void game."""
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


class GameResult(msgspec.Struct, frozen=True, tag_field="event", tag="end"):
    """The fields of a `GameEnded` that decide its result. Decoding skips the others, so it is several times as fast."""

    number: Number
    pair: Number
    first: str
    second: str
    ending: Ending
    winner: str
    blamed: str

    def without_moves(self) -> GameEnded:
        """Return the game without opening, moves, texts and measurements."""
        return GameEnded(**structs.asdict(self), detail="", opening=(), moves=())


class PairEnded(_Event, frozen=True, tag="pair", omit_defaults=True):
    """All games of a pair have a result. They count as soon as this line is in the log."""

    number: Number  # of the pair in the run, from 1
    worker: str = msgspec.field(default="", name="place")  # cluster worker, host and CPU; empty if played locally


class RunEnded(_Event, frozen=True, tag="stop"):
    """A session has ended: the part of the run that one process plays, from the start or a resumption."""

    played: int  # games of complete pairs so far, in all sessions
    planned: int  # number of games of the whole run, with the tie-breaks so far
    reason: str  # why it stopped early; empty if all games are played or the SPRT has accepted a hypothesis


Event = RunStarted | RunResumed | RoundPaired | GameStarted | GameEnded | PairEnded | RunEnded
EventWithoutMoves = RunStarted | RunResumed | RoundPaired | GameStarted | GameResult | PairEnded | RunEnded
