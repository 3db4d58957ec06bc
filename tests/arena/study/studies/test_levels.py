"""What the study of levels plays, and what it reads from its games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from arena.log.file import Run
from arena.study.studies.levels import BOARDS, analyse, plan
from arena.study.study import Findings, StudyTerms
from bots.registry import GAMES
from tests.arena.study.made import Made, make_run

TERMS = StudyTerms(quick=True, game="pentago")
A, B = "level-2", "level-1"


def find(games: Mapping[str, Sequence[Made]]) -> dict[str, Run]:
    return {part.name: make_run(part, games.get(part.name, ())) for part in plan(TERMS)}


def make_games(*results: float) -> list[Made]:
    """Games of level 2 against level 1, all different; results are those of level 2."""
    return [
        Made(A, B, result, [(f"a{number + 1}s", 200, 1), ("b1s", 50, 1)])
        if number % 2
        else Made(B, A, 1 - result, [(f"c{number + 1}s", 50, 1), ("d1s", 200, 1)])
        for number, result in enumerate(results)
    ]


def test_neighbours_are_told_apart_by_what_they_score() -> None:
    games = {"2-against-1": make_games(1, 1, 0.5, 0), "3-against-2": [Made("level-3", A, 1)] * 2}
    report = analyse(Findings(TERMS, find(games)))
    rows = report.tables[0].rows
    assert rows[0] == ["2", "1", 2, 1, 1, "62%", "24%", "yes", "4 of 4"]
    assert rows[1] == ["3", "2", 2, 0, 0, "100%", None, "no", "1 of 2"]  # two wins of two are not 100 % ± 0 %
    assert rows[2] == ["4", "3", 0, 0, 0, None, None, None, "0 of 0"]
    assert report.remarks[0].endswith("against the one below: 3 (100%).")
    assert report.remarks[1] == "Quick: levels 1 to 5 alone."


def test_ratings_are_of_all_games_together() -> None:
    """Those of the ladder, too; more points for level 2 are more Elo for it."""
    games = {"2-against-1": make_games(1, 1, 0.5, 0), "ladder": make_games(1, 0)}
    report = analyse(Findings(TERMS, find(games)))
    ladder = {row[0]: row[1:] for row in report.tables[1].rows}
    assert ladder["1"][1:] == [6, 0.05]
    assert ladder["2"][1:] == [6, 0.2]
    elos = report.charts[0].curves[0].ys
    assert elos[0] is not None
    assert elos[1] is not None
    assert elos[1] > elos[0]
    assert report.charts[1].curves[0].ys == [0.05, 0.2, None, None, None]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_board_with_a_book_and_ten_levels(game: str) -> None:
    parts = plan(StudyTerms(game=game))
    assert [part.name for part in parts[:9]] == [f"{level}-against-{level - 1}" for level in range(2, 11)]
    assert len(parts[9].request.engine) == 10
    assert [engine.endswith(",tc=1") for engine in parts[9].request.engine] == [False] * 9 + [True]
    book = parts[0].request.openings
    assert book is not None
    assert book.exists()
    assert set(BOARDS) == set(GAMES)
    make_run(parts[0], [])
