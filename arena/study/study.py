"""The types of a study: what it plays and measures (`plan`), and how its report is made from that (`analyse`).

A study repeats an experiment of a paper. Its parts are matches (`StudyGames`) and other measurements (`Measurements`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.terms.openings import OpeningBook

Cell = str | int | float | None
Record = dict[str, Any]  # the result of one measurement, a JSON object
RecordsByChain = Mapping[str, Sequence[Record]]


@dataclass(frozen=True)
class StudyTerms:
    """The user's settings of a study. The same terms give the same games and measurements, except for times."""

    quick: bool = False
    seed: int = 1
    game: str = ""  # empty if the study is about one game
    engines: tuple[str, ...] = ()  # additional engines, in the form of `pentad match --engine`


@dataclass(frozen=True)
class StudyGames:
    """A part of a study that is a run of `pentad match`. The study sets the seed, the folder and the concurrency."""

    name: str  # of the run's folder, below the folder of the study
    options: MatchOptions
    book: OpeningBook | None = None  # overrides the openings of `options`


@dataclass(frozen=True)
class Chain:
    """A sequence of `length` measurements, each of which may use those before it and the chains of earlier parts.

    `measure(before, earlier)` returns the next record; `before` holds the records of this chain, `earlier` those of the
    chains of earlier parts. It must depend on nothing else except the terms, so that an interrupted study can continue.
    """

    name: str  # of its file, without the suffix
    length: int
    measure: Callable[[Sequence[Record], RecordsByChain], Record]


@dataclass(frozen=True)
class Measurements:
    """A part of a study: chains that are independent of each other and are measured in parallel."""

    chains: Sequence[Chain]


@dataclass(frozen=True)
class Findings:
    """The data of a finished study, from which its report is made."""

    terms: StudyTerms
    runs: Mapping[str, Run] = field(default_factory=dict)  # by the name of the part
    chains: RecordsByChain = field(default_factory=dict)


@dataclass(frozen=True)
class StudyTable:
    """A table of a report. A cell that is None is printed as `-`."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Curve:
    """A line or a set of bars in a chart."""

    label: str
    xs: Sequence[float | str]
    ys: Sequence[float | None]  # None: no point
    is_paper: bool = False  # figures of the paper, drawn dashed or hatched


@dataclass(frozen=True)
class Chart:
    """One diagram of a study's plot. The field names are keys of study.json."""

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    bars: bool = False  # draw groups of bars instead of lines
    log_scale: bool = False  # of the y axis


@dataclass(frozen=True)
class StudyReport:
    """The results of a study."""

    tables: Sequence[StudyTable]
    charts: Sequence[Chart]
    remarks: Sequence[str] = ()  # sentences printed below the tables
    values: Mapping[str, Any] = field(default_factory=dict)  # further data for study.json


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study. `plan` returns its parts, which are run in this order; `analyse` makes the report from their data."""

    name: str  # on the command line
    help: str  # for `pentad study list`, and below the name in the report
    plan: Callable[[StudyTerms], Sequence[StudyGames | Measurements]]
    analyse: Callable[[Findings], StudyReport]
    takes_game: bool = False  # the user names the game
    takes_engines: bool = False  # the user may add engines with --engine
    duration: str = "about half an hour"  # without --quick, on two idle cores
