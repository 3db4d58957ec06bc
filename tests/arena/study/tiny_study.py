"""A study that takes a moment: two parts with games, and two with chains of measurements.

The games are those of the pile game of `tests/arena/fakes.py`, whose players are `dice`, `one` and `perfect`.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.options.match import MatchOptions
from arena.study.study import (
    Chain,
    Chart,
    Curve,
    MatchPart,
    MeasurementPart,
    Record,
    RecordsByChain,
    Study,
    StudyData,
    StudyReport,
    StudySettings,
    StudyTable,
)
from arena.terms.openings import OpeningBook

LENGTH = 4  # number of records of the chains "doubled" and "counted"
BOOK = OpeningBook((("1", "2"),), "made")  # one opening of two moves


def sum_earlier(previous_records: Sequence[Record], earlier_chains: RecordsByChain) -> Record:
    """Return the sum of all values of earlier chains."""
    assert not previous_records
    return {"value": sum(record["value"] for records in earlier_chains.values() for record in records)}


measured: list[str] = []  # "double" or "count" for each measurement made in this process


def double(previous_records: Sequence[Record], _: RecordsByChain) -> Record:
    """Return the next of the values 1, 2, 4, 8."""
    measured.append("double")
    return {"value": 2 * previous_records[-1]["value"] if previous_records else 1}


def count(previous_records: Sequence[Record], _: RecordsByChain) -> Record:
    """Return the next of the values 0, 1, 2, 3."""
    measured.append("count")
    return {"value": len(previous_records)}


def plan(settings: StudySettings) -> Sequence[MatchPart | MeasurementPart]:
    games = 2 if settings.quick else 4
    return [
        MatchPart("dice", MatchOptions(game="pile", engine=["player=dice,name=A", "player=dice,name=B"], games=games)),
        MeasurementPart([Chain("doubled", LENGTH, double), Chain("counted", LENGTH, count)]),
        MeasurementPart([Chain("summed", 1, sum_earlier)]),
        MatchPart("one", MatchOptions(game="pile", engine=["player=one", "player=perfect"], games=2), BOOK),
    ]


def analyse(study_data: StudyData) -> StudyReport:
    a_wins = sum(game.winner == "A" for game in study_data.runs["dice"].games)
    values = [record["value"] for record in study_data.chains["doubled"]]
    curve = Curve("doubled", range(LENGTH), values)
    paper = Curve("paper", (0, 3), (1.0, None), is_paper=True)
    charts = [Chart("line", "step", "value", [curve, paper], log_scale=True)]
    charts += [Chart("bars", "", "", [Curve("a", ("x", "y"), (1, None)), Curve("b", ("y",), (2,))], bars=True)]
    rows = [("A", a_wins, 0.5, None), *(("more", value, 1234.5, "text") for value in values)]
    return StudyReport([StudyTable("Won:", ("who", "games", "share", "none"), rows)], charts, ["Remarkable."], {"n": 1})


TINY = Study(name="tiny", help="a tiny study", plan=plan, analyse=analyse, duration="a moment")
