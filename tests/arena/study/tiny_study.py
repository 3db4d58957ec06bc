"""A study of the pile game that takes a moment: two parts with games, and two with chains of measurements."""

from __future__ import annotations

from collections.abc import Sequence

from arena.options.match import MatchOptions
from arena.study.study import (
    Chain,
    Chart,
    Curve,
    Findings,
    Measurements,
    Record,
    RecordsByChain,
    Study,
    StudyGames,
    StudyReport,
    StudyTable,
    StudyTerms,
)
from arena.terms.openings import OpeningBook

LENGTH = 4
BOOK = OpeningBook((("1", "2"),), "made")


def sum_earlier(before: Sequence[Record], earlier: RecordsByChain) -> Record:
    """Return the sum of all values of earlier chains."""
    assert not before
    return {"value": sum(record["value"] for records in earlier.values() for record in records)}


measured: list[str] = []  # "double" or "count" for each measurement made in this process


def double(before: Sequence[Record], _: RecordsByChain) -> Record:
    measured.append("double")
    return {"value": 2 * before[-1]["value"] if before else 1}


def count(before: Sequence[Record], _: RecordsByChain) -> Record:
    measured.append("count")
    return {"value": len(before)}


def plan(terms: StudyTerms) -> Sequence[StudyGames | Measurements]:
    games = 2 if terms.quick else 4
    return [
        StudyGames("dice", MatchOptions(game="pile", engine=["player=dice,name=A", "player=dice,name=B"], games=games)),
        Measurements([Chain("doubled", LENGTH, double), Chain("counted", LENGTH, count)]),
        Measurements([Chain("summed", 1, sum_earlier)]),
        StudyGames("one", MatchOptions(game="pile", engine=["player=one", "player=perfect"], games=2), BOOK),
    ]


def analyse(findings: Findings) -> StudyReport:
    a_wins = sum(game.winner == "A" for game in findings.runs["dice"].games)
    values = [record["value"] for record in findings.chains["doubled"]]
    curve = Curve("doubled", range(LENGTH), values)
    paper = Curve("paper", (0, 3), (1.0, None), is_paper=True)
    charts = [Chart("line", "step", "value", [curve, paper], log_scale=True)]
    charts += [Chart("bars", "", "", [Curve("a", ("x", "y"), (1, None)), Curve("b", ("y",), (2,))], bars=True)]
    rows = [("A", a_wins, 0.5, None), *(("more", value, 1234.5, "text") for value in values)]
    return StudyReport([StudyTable("Won:", ("who", "games", "share", "none"), rows)], charts, ["Remarkable."], {"n": 1})


TINY = Study(name="tiny", help="a tiny study", plan=plan, analyse=analyse, duration="a moment")
