"""What a table tells the page, and on what terms a game is played. Plain data."""

from __future__ import annotations

import msgspec

from arena.options.play import Person
from arena.web.play.analyst import Insight
from core.play.scene import Scene

DEFAULT_MOVE_TIME_MS = 1000
MOST_MOVE_TIME_MS = 600_000


class Refused(Exception):
    """What was asked for cannot be done now; the text says why. Nothing has changed."""


class NewGameTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a new game is played with. None means what the game or the opponent itself has."""

    opponent: str
    person: Person = "first"
    level: int | None = None
    size: int | None = None
    variant: str | None = None
    move_time_ms: int = DEFAULT_MOVE_TIME_MS


class Result(msgspec.Struct, frozen=True):
    """The end of the game; `winner` is a side or None for a draw."""

    winner: int | None
    reason: str


class View(msgspec.Struct, frozen=True):
    """The position after `ply` moves of a game, which may be an earlier one."""

    board: int  # as in the state
    ply: int
    to_move: int
    scene: Scene


class State(msgspec.Struct, frozen=True):
    """What a page shows."""

    version: int
    board: int  # grows with each new game: the board may be another one
    moves: tuple[str, ...]
    to_move: int
    players: tuple[str, str]  # who plays each side
    people: tuple[int, ...]  # sides that the person plays
    terms: NewGameTerms
    scene: Scene
    legal: dict[str, tuple[str, ...]]  # to clicks; empty where the person is not to move
    result: Result | None
    thinking: bool
    failure: str  # of the engine; empty while it works
    told: Insight | None  # by the engine about its last move, or the one it thinks about
    analysing: bool
    looking: bool  # whether the analyst is at work
    analysis: tuple[Insight, ...]  # best lines first
    analysis_failure: str
    game_text: str  # as `load` takes it
    position_text: str  # the same, of the position alone
