"""What the study of the Hive thesis' table 4 reads from its games."""

from __future__ import annotations

from arena.study.studies.hive_table4 import FAR, PAPER, PLAYERS, analyse, plan
from arena.study.study import Findings, StudyTerms
from arena.terms.ending import Ending
from tests.arena.study.made import Made, make_run


def test_pairs_stand_beside_those_of_the_thesis() -> None:
    """Whoever began, results are the row's; what ran out of moves is told apart from other draws."""
    terms = StudyTerms()
    (part,) = plan(terms)
    games = [
        Made("Ag", "Gr", 1),
        Made("Gr", "Ag", 1),
        Made("Ag", "Gr", 0.5, ending=Ending.MOVE_CAP),
        Made("Gr", "Ag", 0.5, ending=Ending.DRAW),
        Made("A4", "A3", 1),
    ]
    report = analyse(Findings(terms, {part.name: make_run(part, games)}))
    cross, pairs, totals = report.tables
    assert cross.rows[1][:4] == ["Ag", "", "", "1,1"]
    assert cross.rows[2][:4] == ["Gr", "", "", ""]
    rows = {row[0]: row[1:] for row in pairs.rows}
    assert rows["Ag-Gr"] == [1, 2, 1, 1, "50%", 9, 65, 26, "42%"]
    assert rows["A3-A4"] == [0, 0, 1, 0, "0%", 41, 2, 57, "42%"]
    assert rows["Ra-Ag"] == [0, 0, 0, 0, None, 0, 64, 36, "32%"]
    assert [row[2:] for row in totals.rows][-2:] == [("0%", "69%"), ("100%", "70%")]
    assert abs(0 - 0.42) > FAR
    assert report.remarks[0].endswith("brackets: A3-A4 0% (42%).")
    assert report.remarks[1].startswith("Of aggro's games 25% ran out of moves;")
    assert report.remarks[1].endswith("81% did.")


def test_the_table_of_the_thesis_is_whole() -> None:
    """Each pair once, no more than a hundred games."""
    names = list(PLAYERS)
    assert list(PAPER) == [(row, column) for place, row in enumerate(names) for column in names[place + 1 :]]
    assert all(won + lost <= 100 for won, lost in PAPER.values())


def test_the_whole_study_is_that_of_the_thesis() -> None:
    (whole,), (quick,) = plan(StudyTerms()), plan(StudyTerms(quick=True))
    assert (whole.request.games, whole.request.max_plies, whole.request.rule) == (100, 200, "Base")
    assert (quick.request.games, quick.request.engine) == (2, whole.request.engine)
