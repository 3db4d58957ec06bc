"""The parts and the report of the study of Hex players."""

from __future__ import annotations

from arena.study.studies.hex_players import PARTS, PLAYERS, analyse, plan
from arena.study.study import StudyData, StudySettings
from tests.arena.study.fake_games import FakeGame, make_runs


def test_tables_count_wins_and_times() -> None:
    settings = StudySettings()
    a, b = PLAYERS[:2]
    # players, points of the first, then move, milliseconds and nodes of each ply
    games = [
        FakeGame(a, b, 1, [("a1", 10, 1), ("b1", 4, 1), ("a2", 30, 1)]),
        FakeGame(b, a, 0, [("a1", 6, 1), ("b1", 20, 1)]),
        FakeGame(a, b, 0, [("a1", 20, 1)]),
        FakeGame(a, b, 0, [("a1", 20, 1)]),
    ]
    games_by_part = dict.fromkeys(PARTS, games) | {"no-opening-moves": games[:1]}
    report = analyse(StudyData(settings, make_runs(plan(settings), games_by_part)))
    table = report.tables[0]  # of the part "opening-moves"
    assert table.headings == ("", *PLAYERS, "score", "ms per move")
    assert table.rows[0] == [a, "", "2", "", "", "", "50%", 20.0]
    assert table.rows[1] == [b, "2", "", "", "", "", "50%", 5.0]
    assert table.rows[2] == [PLAYERS[2], "", "", "", "", "", None, None]
    assert report.charts[0].curves[0].ys == [0.5, 0.5, None, None, None]
    assert report.remarks[0].endswith("3 of 4 games are distinct; the first side won 25%.")
    assert report.remarks[-1].startswith("No player ever swaps")


def test_a_game_with_a_swap_prevents_the_remark_that_nobody_swaps() -> None:
    settings = StudySettings()
    a, b = PLAYERS[:2]
    answers = dict.fromkeys(PARTS, "b1") | {"swap": "swap-pieces"}
    games = {name: [FakeGame(a, b, 1, [("a1", 1, 1), (answer, 1, 1)])] for name, answer in answers.items()}
    report = analyse(StudyData(settings, make_runs(plan(settings), games)))
    assert not any("ever swaps" in remark for remark in report.remarks)


def test_one_part_plays_without_opening_moves() -> None:
    engines = {part.name: part.options.engine for part in plan(StudySettings(quick=True))}
    assert all(":opening=no," in engine for engine in engines["no-opening-moves"])
    assert all(":opening=yes," in engine for engine in engines["opening-moves"] + engines["swap"])
