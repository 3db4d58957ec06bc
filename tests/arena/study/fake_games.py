"""Runs with made-up games, for tests of the reports of studies. Moves are not checked for legality."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.log.events import GameEnded, MoveEntry
from arena.log.file import Run
from arena.options.match import configure_match
from arena.run.provenance import describe_run
from arena.study.study import MatchPart
from arena.terms.ending import Ending


@dataclass(frozen=True)
class FakeGame:
    """A game between the engines named `first` and `second`."""

    first: str
    second: str
    result: float  # points of the first side: 1, 0.5 or 0
    moves: Sequence[tuple[str, int, int | None]] = ()  # after the opening: move, milliseconds, nodes
    opening: tuple[str, ...] = ()  # moves of the opening
    ending: Ending = Ending.WIN  # a drawn game with this default gets `Ending.DRAW`
    detail: str = ""  # of the ending, as in the log


def make_run(part: MatchPart, games: Sequence[FakeGame]) -> Run:
    """Return a run of a study's part that consists of these games."""
    header = describe_run(configure_match(part.options), ())
    return Run(header, tuple(_make_game(number, game) for number, game in enumerate(games, 1)), frozenset())


def make_runs(parts: Iterable[MatchPart], games: Mapping[str, Sequence[FakeGame]] | None = None) -> dict[str, Run]:
    """Return the runs of the parts of a study, by name of the part; a part that `games` does not name has no games."""
    return {part.name: make_run(part, (games or {}).get(part.name, ())) for part in parts}


def _make_game(number: int, game: FakeGame) -> GameEnded:
    winner = game.first if game.result == 1 else game.second if game.result == 0 else ""
    ending = game.ending if winner or game.ending is not Ending.WIN else Ending.DRAW
    opening_plies = len(game.opening)
    moves = tuple(
        MoveEntry(move, time_ms, nodes=nodes, side=(opening_plies + index) % 2)
        for index, (move, time_ms, nodes) in enumerate(game.moves)
    )
    return GameEnded(number, number, game.first, game.second, ending, winner, "", game.detail, game.opening, moves)
