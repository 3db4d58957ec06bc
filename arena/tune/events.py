"""The events of a tuning, each stored as one JSON line of its log, `tune.jsonl`.

A log begins with `TuneStarted`. Each iteration has a line per pair of games, `PairPlayed`, in the order in which they
ended, and then `IterationEnded`. `TuneEnded` closes a session unless the process is killed, and `TuneResumed` opens the
next one.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from arena.log.events import EngineEntry, Measured, RunStarted
from arena.terms.ending import Ending
from arena.terms.tuning import TunedParameter, TuneSettings

TUNE_FORMAT = 1  # version of the log's format; incremented when an older Pentad would misread a new log
PLUS, MINUS = "plus", "minus"  # names of the two engines: with the perturbed values, and with the opposite ones

Values = tuple[float, ...]
Index = Annotated[int, msgspec.Meta(ge=1)]  # of a pair or an iteration, counted from 1
OptionValue = bool | int | float | str | list[str]


class _TuneEvent(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """A line of the log. Its key `event` holds the tag of the struct, such as `tune` or `pair`."""


class TunedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game of a pair. In the first game of a pair the engine `plus` moves first, in the second one `minus`."""

    ending: Ending
    winner: Literal["", "plus", "minus"] = ""  # empty if the game was drawn
    plies: Annotated[int, msgspec.Meta(ge=0)] = 0  # length of the game, with its opening
    blamed: Literal["", "plus", "minus"] = ""  # the engine that lost by its own fault
    detail: str = ""  # more about the ending, for people


class TuneStarted(
    TuneSettings, _TuneEvent, frozen=True, kw_only=True, tag_field="event", tag="tune", forbid_unknown_fields=True
):
    """The header, the first line of every log: everything needed to repeat or to resume the tuning."""

    format: Annotated[int, msgspec.Meta(ge=1)] = TUNE_FORMAT
    engine: str  # name of the engine
    parameters: tuple[TunedParameter, ...]
    match: RunStarted  # game, openings, limits and seed of the games, with the engines `plus` and `minus`
    held_out: tuple[tuple[str, ...], ...] = ()  # openings that the verification plays
    verify_sprt: str = ""  # its sequential test, or `none`
    options: dict[str, OptionValue] = {}  # as given by the user, to write another file with them


class PairPlayed(_TuneEvent, frozen=True, tag="pair"):
    """A pair of games has ended; it counts as soon as this line is in the log."""

    number: Index  # of the pair in the run
    iteration: Index
    plus: Values  # of the parameters, as sent
    minus: Values
    games: tuple[TunedGame, ...]
    time_ms: Measured = 0  # both games, with everything between them

    @property
    def result(self) -> int:
        """Games that the engine `plus` has won minus those that it has lost."""
        return sum((game.winner == PLUS) - (game.winner == MINUS) for game in self.games)


class IterationEnded(_TuneEvent, frozen=True, tag="iteration"):
    """All pairs of an iteration have ended, and the parameters have new values."""

    number: Index
    result: int  # games won minus lost by `plus`
    values: Values  # after the iteration, before rounding


class TuneResumed(_TuneEvent, frozen=True, tag="resume"):
    """The tuning was resumed. Pairs of the unfinished iteration that are in the log are not played again."""

    started: str  # ISO time, UTC
    engines: tuple[EngineEntry, ...]  # as they are now
    forced: bool  # whether --force allowed the engine to differ from the one in the header


class TuneEnded(_TuneEvent, frozen=True, tag="stop"):
    """A session has ended: the part of the tuning that one process plays."""

    iterations: int  # finished so far, in all sessions
    planned: int
    reason: str  # why it stopped early; empty if all iterations are finished


TuneEvent = TuneStarted | PairPlayed | IterationEnded | TuneResumed | TuneEnded
