"""The types of a study: what it plays and measures (`plan`), and how its report is made from that (`analyse`).

A study is an experiment, usually one of a paper; the user runs it with `pentad study NAME`. Its parts are matches
(`MatchPart`) and other measurements (`MeasurementPart`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.terms.openings import OpeningBook

Cell = str | int | float | None  # of a StudyTable
Record = dict[str, Any]  # the result of one measurement, a JSON object
RecordsByChain = Mapping[str, Sequence[Record]]  # by the chain's name


@dataclass(frozen=True)
class StudySettings:
    """The user's settings of a study. They determine its games and measurements, unless engines depend on the clock."""

    quick: bool = False  # play and measure only a little, to try the study out
    seed: int = 1
    game: str = ""  # the user's choice, for a study that any game can have; else empty
    engines: tuple[str, ...] = ()  # additional engines, in the form of `pentad match --engine`


@dataclass(frozen=True)
class MatchPart:
    """A part of a study that is a run of `pentad match`. The study sets the seed, the folder and the concurrency."""

    name: str  # also the name of the run's folder, below the folder of the study
    options: MatchOptions
    book: OpeningBook | None = None  # overrides the openings of `options`


@dataclass(frozen=True)
class Chain:
    """A sequence of `length` measurements, each of which may use those before it and the chains of earlier parts.

    `measure(previous_records, earlier_chains)` returns the next record. `previous_records` are those of this chain,
    `earlier_chains` has the records of all chains of earlier parts. The result must depend on nothing else except the
    settings, so that an interrupted study can continue.
    """

    name: str  # also the name of its file, without the suffix
    length: int
    measure: Callable[[Sequence[Record], RecordsByChain], Record]


@dataclass(frozen=True)
class MeasurementPart:
    """A part of a study: chains that are independent of each other and are measured in parallel."""

    chains: Sequence[Chain]


@dataclass(frozen=True)
class StudyData:
    """The games and measurements of a finished study, from which its report is made."""

    settings: StudySettings
    runs: Mapping[str, Run] = field(default_factory=dict)  # the runs of `MatchPart`s, by the name of the part
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

    label: str  # in the legend, which a chart with a single curve does not have
    xs: Sequence[float | str]
    ys: Sequence[float | None]  # as many as `xs`; None: no point
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
    """A study. `plan` returns its parts in the order of running them; `analyse` makes the report from their data."""

    name: str  # on the command line
    help: str  # for `pentad study list`, and after the name in the report
    plan: Callable[[StudySettings], Sequence[MatchPart | MeasurementPart]]
    analyse: Callable[[StudyData], StudyReport]
    takes_game: bool = False  # the user names the game
    takes_engines: bool = False  # the user may add engines with --engine
    duration: str = "about half an hour"  # without --quick, on two idle cores
