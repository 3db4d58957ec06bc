"""The parts and the report of the study of playing levels."""

from __future__ import annotations

import pytest

from arena.study.studies.levels import BOARDS, analyse, plan
from arena.study.study import StudyData, StudySettings
from bots.registry import GAMES
from tests.arena.study.fake_games import FakeGame, make_run, make_runs

SETTINGS = StudySettings(quick=True, game="pentago")
LEVEL_2, LEVEL_1 = "level-2", "level-1"  # names of the engines in the log


def make_games(*results: float) -> list[FakeGame]:
    """Return distinct games of level 2 against level 1, with alternating colours.

    `results` are the points of level 2 (1, 0.5 or 0). Its moves take 200 ms, those of level 1 take 50 ms.
    """
    return [
        FakeGame(LEVEL_2, LEVEL_1, result, [(f"a{number + 1}s", 200, 1), ("b1s", 50, 1)])
        if number % 2
        else FakeGame(LEVEL_1, LEVEL_2, 1 - result, [(f"c{number + 1}s", 50, 1), ("d1s", 200, 1)])
        for number, result in enumerate(results)
    ]


def test_neighbours_outside_the_intended_score_are_listed() -> None:
    games = {"2-against-1": make_games(1, 1, 0.5, 0), "3-against-2": [FakeGame("level-3", LEVEL_2, 1)] * 2}
    report = analyse(StudyData(SETTINGS, make_runs(plan(SETTINGS), games)))
    rows = report.tables[0].rows
    # level, opponent, won, drawn, lost, score, standard error, whether the score is as intended, distinct games
    assert rows[0] == ["2", "1", 2, 1, 1, "62%", "24%", "yes", "4 of 4"]
    assert rows[1] == ["3", "2", 2, 0, 0, "100%", None, "no", "1 of 2"]  # no error is shown if one side won every game
    assert rows[2] == ["4", "3", 0, 0, 0, None, None, None, "0 of 0"]
    assert report.remarks[0].endswith("against the next lower one: 3 (100%).")
    assert report.remarks[1] == "Quick: only levels 1 to 5 play."


def test_ratings_use_all_games() -> None:
    """The games of all parts count; level 2 has more points than level 1 and so a higher rating."""
    games = {"2-against-1": make_games(1, 1, 0.5, 0), "ladder": make_games(1, 0)}
    report = analyse(StudyData(SETTINGS, make_runs(plan(SETTINGS), games)))
    ratings = {row[0]: row[1:] for row in report.tables[1].rows}  # by level: Elo, moves, seconds per move
    assert ratings["1"][1:] == [6, 0.05]
    assert ratings["2"][1:] == [6, 0.2]
    elos = report.charts[0].curves[0].ys
    assert elos[0] is not None
    assert elos[1] is not None
    assert elos[1] > elos[0]
    assert report.charts[1].curves[0].ys == [0.05, 0.2, None, None, None]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_board_with_a_book_and_ten_levels(game: str) -> None:
    parts = plan(StudySettings(game=game))
    assert [part.name for part in parts[:9]] == [f"{level}-against-{level - 1}" for level in range(2, 11)]
    assert len(parts[9].options.engine) == 10
    assert [engine.endswith(",tc=1") for engine in parts[9].options.engine] == [False] * 9 + [True]
    book = parts[0].options.openings
    assert book is not None
    assert book.exists()
    assert set(BOARDS) == set(GAMES)
    make_run(parts[0], [])  # raises UsageError if the options of the part are wrong
