"""What a study is: a declaration of what is played and measured, and a function that reads a report from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.log.file import Run
from arena.options.match import MatchOptions
from arena.terms.openings import OpeningBook

Cell = str | int | float | None
Record = dict[str, Any]  # what one measurement found, as JSON has it
Records = Mapping[str, Sequence[Record]]  # by chain


@dataclass(frozen=True)
class StudyTerms:
    """What a study is done with. The same terms give the same games and measurements, but for times."""

    quick: bool = False
    seed: int = 1
    game: str = ""  # of a study that any game can be the subject of
    engines: tuple[str, ...] = ()  # further ones, as a match takes them


@dataclass(frozen=True)
class StudyGames:
    """A part of a study: games, as `pentad match` plays them. Seed, folder and who plays are the study's."""

    name: str  # of its folder below that of the study
    request: MatchOptions
    book: OpeningBook | None = None  # openings in place of those of the request


@dataclass(frozen=True)
class Chain:
    """So many measurements that are no games, each made of those before it and of the chains of earlier parts.

    A measurement depends on nothing but these and the terms, so that what was broken off goes on.
    """

    name: str
    length: int
    measure: Callable[[Sequence[Record], Records], Record]


@dataclass(frozen=True)
class Measurements:
    """A part of a study: chains that are measured side by side."""

    chains: Sequence[Chain]


@dataclass(frozen=True)
class Findings:
    """What has been played and measured, by the names of the parts; all of it, once a report is asked for."""

    terms: StudyTerms
    runs: Mapping[str, Run] = field(default_factory=dict)
    chains: Records = field(default_factory=dict)


@dataclass(frozen=True)
class StudyTable:
    """A table of a report. A cell of None is shown as one for which there is no figure."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Curve:
    """Points of a chart; a point without a figure is left out. Those of a paper are drawn in dashes."""

    label: str
    xs: Sequence[float | str]
    ys: Sequence[float | None]
    is_paper: bool = False


@dataclass(frozen=True)
class Chart:
    """One pair of axes of a study's plot: curves, or groups of bars over places that have names."""

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    bars: bool = False
    log_scale: bool = False


@dataclass(frozen=True)
class StudyReport:
    """What a study comes to. `remarks` are sentences for a person; `values` is for programs alone."""

    tables: Sequence[StudyTable]
    charts: Sequence[Chart]
    remarks: Sequence[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study. `plan` names its parts in their order, `analyse` reads the report from what they found."""

    name: str
    help: str
    plan: Callable[[StudyTerms], Sequence[StudyGames | Measurements]]
    analyse: Callable[[Findings], StudyReport]
    takes_game: bool = False
    takes_engines: bool = False
    duration: str = "about half an hour"  # of the whole on two quiet cores
