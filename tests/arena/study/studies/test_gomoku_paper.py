"""What the study of the Gomoku paper reads from its games."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.log.file import Run
from arena.study.studies.gomoku_paper import DEPTHS, PAPER_BRAINS, analyse, plan
from arena.study.study import Findings, StudyReport, StudyTerms
from tests.arena.study.made import Made, make_run

BRAINS = ("player=greedy,name=pbrain-valkyrie", "player=random")
TERMS = StudyTerms(quick=True, engines=BRAINS)


def find(games: dict[str, list[Made]]) -> dict[str, Run]:
    """The runs of all parts; of those that are not named there are no games."""
    return {part.name: make_run(part, games.get(part.name, [])) for part in plan(TERMS)}


def report_of(games: dict[str, list[Made]]) -> StudyReport:
    return analyse(Findings(TERMS, find(games)))


def test_depths_have_times_lengths_and_who_won() -> None:
    """A game and its repetition are one different game; the opening belongs to a game's length."""
    long = Made("A", "B", 1, [("a1", 100, 1), ("a2", 300, 1), ("a3", 500, 1)], ("h8", "h9"))
    drawn = Made("A", "B", 0.5, [("b1", 100, 1)], ("h8", "h9"))
    games = {"depth-2": [long, Made("B", "A", 1, long.moves, long.opening), drawn, Made("B", "A", 0)]}
    rows = report_of(games).tables[0].rows
    assert rows[1] == ["2", 3, 2, 1, 1, (5 + 5 + 3 + 0) / 4, (900 + 900 + 100) / 7 / 1000]
    assert rows[0] == ["1", 0, 0, 0, 0, None, None]
    assert [row[0] for row in rows] == list(map(str, DEPTHS))


def test_the_searches_stand_beside_those_of_the_paper() -> None:
    moves = [("a1", 4000, 500), ("b1", 1000, 20), ("a2", 2000, 700)]
    report = report_of({"searches": [Made("minimax", "negamax", 1, moves), Made("negamax", "minimax", 0.5)]})
    assert report.tables[1].rows == [
        ["minimax", 1, 1, 0, 600, 3.0, 9.24],
        ["negamax", 0, 1, 1, 20, 1.0, 8.43],
    ]
    assert report.remarks == ["Minimax takes 3.00 times as long as negamax with a table; in the paper 1.10 times."]


def test_brains_stand_beside_those_of_the_paper() -> None:
    report = report_of(
        {
            "paper-brain-1": [Made("paper", "pbrain-valkyrie", 1), Made("pbrain-valkyrie", "paper", 1)],
            "pentad-brain-1": [Made("pentad", "pbrain-valkyrie", 1), Made("pbrain-valkyrie", "pentad", 0.5)],
        }
    )
    rows = report.tables[2].rows
    assert rows[:2] == [["pbrain-valkyrie", "1, 0, 1", "1, 1, 0", "18, 0, 2"], ["random", None, None, None]]
    assert [row[0] for row in rows[2:]] == [name for name in PAPER_BRAINS if name != "Valkyrie"]
    assert not any("No brains" in remark for remark in report.remarks)


def test_without_brains_it_is_told_how_to_give_some() -> None:
    terms = StudyTerms(quick=True)
    runs = {part.name: make_run(part, []) for part in plan(terms)}
    assert "--engine cmd=" in analyse(Findings(terms, runs)).remarks[-1]


@pytest.mark.parametrize("brain", ["player=nobody", "player=greedy,name=pentad", "cmd=/no/such/brain"])
def test_a_wrong_brain_is_told_before_anything_is_played(brain: str) -> None:
    with pytest.raises(UsageError):
        plan(StudyTerms(engines=("player=greedy", brain)))


def test_only_the_searches_play_without_kills() -> None:
    engines = {part.name: part.request.engine for part in plan(StudyTerms())}
    assert [name for name, texts in engines.items() if any("kill=0" in text for text in texts)] == ["searches"]
    assert [text.partition("search=")[2] for text in engines["searches"]] == [
        "minimax,name=minimax",
        "negamax,name=negamax",
    ]
