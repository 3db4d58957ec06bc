"""When games are ended before the rules end them; who does it is `arena/referee/adjudicator.py`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DrawRule:
    """A draw where the last `moves` scores of both sides are within `score`, from move `first_move` on."""

    first_move: int
    moves: int
    score: int


@dataclass(frozen=True)
class ResignRule:
    """A loss where the last `moves` scores of one side are `-score` or less and those of the other `score` or more."""

    moves: int
    score: int


@dataclass(frozen=True)
class Adjudication:
    """What ends games early; nothing unless it is asked for. It stands in the log's header."""

    draw: DrawRule | None = None
    resign: ResignRule | None = None
    solved: bool = False


NO_ADJUDICATION = Adjudication()
