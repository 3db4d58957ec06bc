"""A study of the pile game that is done in a moment: games of two pairings and two chains of measurements."""

from __future__ import annotations

from collections.abc import Sequence

from arena.request.match import MatchRequest
from arena.study.study import (
    Chain,
    Chart,
    Curve,
    Findings,
    Record,
    Study,
    StudyGames,
    StudyReport,
    StudyTable,
    StudyTerms,
)

LENGTH = 4
measured: list[str] = []  # what was measured in this process


def double(before: Sequence[Record]) -> Record:
    measured.append("double")
    return {"value": 2 * before[-1]["value"] if before else 1}


def count(before: Sequence[Record]) -> Record:
    measured.append("count")
    return {"value": len(before)}


def plan(terms: StudyTerms) -> Sequence[StudyGames | Chain]:
    games = 2 if terms.quick else 4
    return [
        StudyGames("dice", MatchRequest(game="pile", engine=["player=dice,name=A", "player=dice,name=B"], games=games)),
        Chain("doubled", LENGTH, double),
        Chain("counted", LENGTH, count),
        StudyGames("one", MatchRequest(game="pile", engine=["player=one", "player=perfect"], games=2, max_plies=4)),
    ]


def analyse(findings: Findings) -> StudyReport:
    won = sum(game.winner == "A" for game in findings.runs["dice"].games)
    values = [record["value"] for record in findings.chains["doubled"]]
    curve = Curve("doubled", range(LENGTH), values)
    paper = Curve("paper", (0, 3), (1.0, None), is_paper=True)
    charts = [Chart("line", "step", "value", [curve, paper], log_scale=True)]
    charts += [Chart("bars", "", "", [Curve("a", ("x", "y"), (1, None)), Curve("b", ("y",), (2,))], bars=True)]
    rows = [("A", won, 0.5, None), *(("more", value, 1234.5, "text") for value in values)]
    return StudyReport([StudyTable("Won:", ("who", "games", "share", "none"), rows)], charts, ["Remarkable."], {"n": 1})


TINY = Study(name="tiny", help="a tiny study", plan=plan, analyse=analyse, duration="a moment")
