"""The data that the play page and its server exchange: state of the game, earlier positions, settings of a game."""

from __future__ import annotations

import msgspec

from arena.options.play import Person
from arena.web.play.analyst import AnalysisLine
from arena.web.play.game_review import ReviewProgress
from core.play.scene import Scene

DEFAULT_MOVE_TIME_MS = 1000
MAX_MOVE_TIME_MS = 600_000


class CommandRefused(Exception):
    """A command of the page is not possible now, for the reason in the message. The game is unchanged."""


class NewGameSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a game: the body of the command `new`. None stands for the default of the game or opponent."""

    opponent: str  # a name of `PlaySession.opponents`
    person: Person = "first"  # the sides that the person plays: first, second, both or none
    level: int | None = None
    size: int | None = None  # width and height of the board, cells
    variant: str | None = None
    move_time_ms: int = DEFAULT_MOVE_TIME_MS  # of the engine


class Result(msgspec.Struct, frozen=True):
    """The result of a finished game."""

    winner: int | None  # 0: the first side, 1: the second, None: draw
    reason: str  # such as `five` or `resignation`


class View(msgspec.Struct, frozen=True):
    """A position of the current game, for a page that steps through it: the answer to `GET api/view?ply=N`."""

    game_number: int  # as in `State`
    ply: int  # moves before the position
    to_move: int  # 0 or 1
    scene: Scene


class State(msgspec.Struct, frozen=True):
    """Everything that the page shows: the answer to `GET api/state` and to every command. Sides are 0 and 1."""

    version: int  # grows with every change
    game_number: int  # from 1; with a new game the page draws a new board
    moves: tuple[str, ...]
    to_move: int
    players: tuple[str, str]  # `you` or the engine's name, of each side
    people: tuple[int, ...]  # sides that the person plays
    settings: NewGameSettings
    scene: Scene
    legal: dict[str, tuple[str, ...]]  # ids to click for each legal move; empty if the person is not to move
    result: Result | None  # None if the game is not over
    is_thinking: bool  # whether the engine chooses its move
    failure: str  # of the engine; empty if it works
    engine_line: AnalysisLine | None  # the engine's evaluation in its current or last search
    analysis_on: bool  # whether the person has switched the analysis on
    analyst_is_busy: bool
    analysis: tuple[AnalysisLine, ...]  # best line first; also has the result of a hint
    analysis_failure: str
    review: ReviewProgress | None  # of the last review that was asked for
    game_text: str  # in the format that `load` reads
    position_text: str  # the current position alone, which `load` reads as well
