"""The data and the report of the study of table 4 of the Hive thesis.

Players have the thesis' abbreviations: `Ag` is aggro, `Gr` greedy, `Ra` random, `A3` alpha-beta at depth 3.
"""

from __future__ import annotations

from arena.study.studies.hive_table4 import MIN_REPORTED_DIFFERENCE, PLAYERS, THESIS_WINS, analyse, plan
from arena.study.study import StudyData, StudySettings
from arena.terms.ending import Ending
from tests.arena.study.fake_games import FakeGame, make_run


def test_pairing_table_has_the_results_of_the_thesis() -> None:
    """Results are those of the pairing's first engine in both colours.

    Draws at the move limit are counted among the draws and once more by themselves.
    """
    settings = StudySettings()
    (part,) = plan(settings)
    games = [
        FakeGame("Ag", "Gr", 1),
        FakeGame("Gr", "Ag", 1),
        FakeGame("Ag", "Gr", 0.5, ending=Ending.MOVE_CAP),
        FakeGame("Gr", "Ag", 0.5, ending=Ending.DRAW),
        FakeGame("A4", "A3", 1),
    ]
    report = analyse(StudyData(settings, {part.name: make_run(part, games)}))
    cross, pairings, totals = report.tables
    # rows and columns are in the order of PLAYERS: Ra, Ag, Gr, ...
    assert cross.rows[1][:4] == ["Ag", "", "", "1,1"]
    assert cross.rows[2][:4] == ["Gr", "", "", ""]
    # ours: won, drawn, lost, of these at the move limit, score; then the thesis': won, drawn, lost, score
    rows = {row[0]: row[1:] for row in pairings.rows}
    assert rows["Ag-Gr"] == [1, 2, 1, 1, "50%", 9, 65, 26, "42%"]
    assert rows["A3-A4"] == [0, 0, 1, 0, "0%", 41, 2, 57, "42%"]
    assert rows["Ra-Ag"] == [0, 0, 0, 0, None, 0, 64, 36, "32%"]
    assert [row[2:] for row in totals.rows][-2:] == [("0%", "69%"), ("100%", "70%")]
    assert abs(0 - 0.42) > MIN_REPORTED_DIFFERENCE  # of A3 against A4
    assert report.remarks[0].endswith("(in parentheses): A3-A4 0% (42%).")
    assert report.remarks[1].startswith("Of aggro's games 25% reached the move limit;")
    assert report.remarks[1].endswith("81% did.")  # of the games of the thesis


def test_the_table_of_the_thesis_is_complete() -> None:
    """Each pairing occurs once, and has at most a hundred games with a winner."""
    names = list(PLAYERS)
    assert list(THESIS_WINS) == [(row, column) for i, row in enumerate(names) for column in names[i + 1 :]]
    assert all(won + lost <= 100 for won, lost in THESIS_WINS.values())


def test_the_complete_study_has_the_games_of_the_thesis() -> None:
    (complete,), (quick,) = plan(StudySettings()), plan(StudySettings(quick=True))
    assert (complete.options.games, complete.options.max_plies, complete.options.rule) == (100, 200, "Base")
    assert (quick.options.games, quick.options.engine) == (2, complete.options.engine)
