"""Runs with made-up games, for studies to analyse: who played whom, how it ended, and what was told of the moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.log.events import GameEnded, MoveEntry
from arena.log.file import Run
from arena.options.match import configure_match
from arena.run.provenance import describe_run
from arena.study.study import StudyGames
from arena.terms.ending import Ending


@dataclass(frozen=True)
class Made:
    """A game: `result` is 1, 0 or 0.5 for the first side; each move (text, milliseconds, nodes)."""

    first: str
    second: str
    result: float
    moves: Sequence[tuple[str, int, int | None]] = ()
    opening: tuple[str, ...] = ()
    ending: Ending = Ending.WIN
    detail: str = ""


def make_run(part: StudyGames, games: Sequence[Made]) -> Run:
    """The run of a study's part with these games in place of its own."""
    header = describe_run(configure_match(part.request), ())
    return Run(header, tuple(_make_game(number, game) for number, game in enumerate(games, 1)), frozenset())


def _make_game(number: int, made: Made) -> GameEnded:
    winner = made.first if made.result == 1 else made.second if made.result == 0 else ""
    ending = made.ending if winner or made.ending is not Ending.WIN else Ending.DRAW
    start = len(made.opening)
    moves = tuple(
        MoveEntry(move, time_ms, nodes=nodes, side=(start + index) % 2)
        for index, (move, time_ms, nodes) in enumerate(made.moves)
    )
    return GameEnded(number, number, made.first, made.second, ending, winner, "", made.detail, made.opening, moves)
