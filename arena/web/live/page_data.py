"""The data of the page that shows a run while it is played, as JSON for the browser (`live.js`).

Anybody may see these data with `--public`. So no struct has a path, a command line, or text that a program has written:
of an engine there are its name, its moves, numbers, and a principal variation whose moves are legal.
"""

from __future__ import annotations

import msgspec

from arena.results.rounds import RoundsResult
from arena.web.report.changes import Change
from arena.web.report.figures import EngineResults, Rating
from core.play.scene import DrawnBoard

# Values of `Status.state`
WAITING = "waiting"  # the log has no header yet
PLAYING = "playing"
SILENT = "silent"  # the session has no end, but no process is playing the run
INTERRUPTED = "interrupted"  # by the user
STOPPED = "stopped"  # ended early, such as after a fault
FINISHED = "finished"

Evaluation = tuple[int, int, int]  # number of the move from 1, side that moved, its score


class Status(msgspec.Struct, frozen=True):
    """What the run is, and how far it is."""

    state: str
    title: str = ""  # name of the event, or the game and the engines
    game: str = ""  # such as `Hex, swap, 11x11`
    limits: str = ""  # time control
    names: tuple[str, ...] = ()  # of the engines, in the order of the run
    played: int = 0  # games of complete pairs
    planned: int = 0
    running: int = 0  # games being played
    has_boards: bool = True  # False: the games are played on a cluster
    problem: str = ""  # why the page cannot follow the run


class SideInfo(msgspec.Struct, frozen=True):
    """The last move of a side after the opening with its search info; fields are None or empty if not reported."""

    move: str = ""
    time_ms: int | None = None
    score: int | None = None
    win_in: int | None = None
    depth: int | None = None
    nodes: int | None = None
    result: str = ""
    pv: tuple[str, ...] = ()  # further moves that the engine expects after `move`


class BoardUpdate(msgspec.Struct, frozen=True):
    """A board, or its changes: fields "since the last update" continue that of the same game if not `is_new`."""

    slot: int  # index of the board on the page
    number: int  # of the game
    is_new: bool  # True: nothing of an earlier update remains
    players: tuple[int, int]  # indices of the engines; the one that moves first comes first
    change: Change | None  # of the scene since the last update; None if the game cannot be drawn
    evaluations: tuple[Evaluation, ...]  # since the last update
    plies: int  # moves so far, those of the opening included
    opening: int  # moves of the opening
    last_move: str
    to_move: int  # side
    info: tuple[SideInfo, SideInfo]
    left_ms: tuple[int | None, int | None]  # on the clocks of the sides at the last move; None without a game clock
    elapsed_ms: int | None  # time of the current move so far; None: no engine is thinking
    result: str = ""  # such as 1-0; empty while the game runs, `-` if it has no result
    ending: str = ""  # how it ended


class ShownResult(msgspec.Struct, frozen=True):
    """A finished game."""

    number: int
    first: int  # index of the engine
    second: int
    result: str  # as in `BoardUpdate`
    ending: str
    plies: int
    blamed: int = -1  # index of the engine that lost by its own fault or could not start


class SprtCourse(msgspec.Struct, frozen=True):
    """The course of the sequential test."""

    title: str  # hypotheses and state, as text
    lower: float  # log likelihood ratio at which H0 is accepted
    upper: float  # log likelihood ratio at which H1 is accepted
    points: tuple[tuple[int, float], ...]  # number of pairs and log likelihood ratio; some are left out of a long test


class Standings(msgspec.Struct, frozen=True):
    """The results of complete pairs."""

    results: tuple[EngineResults, ...]  # in the order of the run
    ratings: tuple[Rating, ...]
    has_anchors: bool  # whether ratings are absolute numbers, not differences
    rounds: RoundsResult | None  # None in formats without rounds
    sprt: SprtCourse | None  # None for a run without a sequential test


class Faults(msgspec.Struct, frozen=True):
    """Games that engines lost by their own fault, or that could not be played."""

    counts: tuple[dict[str, int], ...]  # of each engine: number of games by ending
    latest: tuple[ShownResult, ...]  # newest first


class LiveUpdate(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that has changed since the update before it; a part that is None has not changed."""

    is_snapshot: bool = False  # True: everything, and nothing of an earlier update remains
    status: Status | None = None
    board: DrawnBoard | None = None
    boards: tuple[BoardUpdate, ...] = ()
    standings: Standings | None = None
    results: tuple[ShownResult, ...] | None = None  # the latest, newest first
    faults: Faults | None = None
