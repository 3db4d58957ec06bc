"""`summary.json`: the statistics of a run for other programs.

The structs below are the schema of that file; arena/results/README.md explains every key. msgspec fills them from the
attributes of the classes that compute the statistics. If such an attribute is renamed, its field is renamed with it and
keeps its key by `field(name=KEY)`, so that the file does not change.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, UnsetType, field

from arena.results.outcome import RunOutcome
from arena.results.rounds import RoundsResult
from arena.statistics.sprt import Sprt, SprtState


class _Schema(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON object whose keys are part of the documented format."""


class LatencySection(_Schema, frozen=True):
    """Answers of an engine beyond their time limits, overhead per move and unreported time."""

    counts: tuple[int, ...]
    max_over_ms: int | None
    overhead_ms: float | None = field(name="own_ms")
    overhead_p99_ms: float | None = field(name="own_p99_ms")
    unreported_ms: int | None = field(name="untold_ms")
    max_unreported_ms: int | None = field(name="max_untold_ms")


class EngineSection(_Schema, frozen=True):
    """Results, faults and times of one engine."""

    name: str
    won: int
    drawn: int
    lost: int
    faults: Mapping[str, int]
    mean_ms: float | None
    max_ms: int | None
    cpu_ms: float | None
    latency: LatencySection


class ScoreSection(_Schema, frozen=True):
    """Score and Elo of the first engine of a pairing, from `count` pairs or games."""

    count: int
    score: float | None
    elo: float | None
    elo_half_width: float | None = field(name="elo_error")
    elo_low: float | None
    elo_high: float | None
    interval: str
    normalized_elo: float | None
    normalized_half_width: float | None = field(name="normalized_error")
    superiority: float | None


class PairingSection(_Schema, frozen=True):
    """The games of two engines against each other."""

    names: tuple[str, str]
    game_counts: tuple[int, ...]
    pentanomial: tuple[int, ...] = field(name="pair_counts")
    split_share: float | None
    draw_share: float | None
    pair_ratio: float | None
    summary: ScoreSection
    is_by_pairs: bool = field(name="by_pairs")


class StatisticsSection(_Schema, frozen=True):
    """Statistics of the games of a run."""

    engines: tuple[EngineSection, ...]
    pairings: tuple[PairingSection, ...]
    played: int
    void: int
    distinct: int
    endings: Mapping[str, int]


class RatingSection(_Schema, frozen=True):
    """An estimate in Elo with half the width of its 95 % interval, or only that interval; an open end is null.

    Only the keys of one of the two forms are written.
    """

    elo: float | UnsetType = UNSET
    half_width: float | UnsetType | None = field(name="error", default=UNSET)
    low: float | UnsetType | None = UNSET
    high: float | UnsetType | None = UNSET


class RatingsSection(_Schema, frozen=True):
    """Ratings by engine name, in a run of more than two engines or with anchors."""

    engines: Mapping[str, RatingSection | None]
    groups: tuple[tuple[str, ...], ...]
    first_move: RatingSection | None
    draw_share: float | None
    left_out: tuple[str, ...]
    anchors: tuple[str, ...]
    anchor_p_value: float | None


class SprtSection(_Schema, frozen=True):
    """A sequential test and its state. The keys of `test` are also those of the log's header."""

    test: Sprt
    bounds: tuple[float, float]
    pairs: int
    counts: tuple[int, ...]
    llr: float
    accepted: str | None


class SummaryFile(_Schema, frozen=True):
    """The object that is the content of `summary.json`."""

    game: str
    variant: str
    event: str
    site: str
    planned: int
    complete: bool
    stopped: str | None
    statistics: StatisticsSection = field(name="standing")
    ratings: RatingsSection | None
    sprt: SprtSection | None
    tournament: RoundsResult | None
    warnings: tuple[str, ...] = field(name="concerns")


def format_summary(outcome: RunOutcome) -> str:
    """Return the content of `summary.json`; undefined values are null."""
    header, ended, test = outcome.run.header, outcome.run.ended, outcome.sprt_state
    content = SummaryFile(
        game=header.game,
        variant=header.variant,
        event=header.event_name,
        site=header.site,
        planned=outcome.planned,
        complete=outcome.is_finished,
        stopped=ended.reason if ended else None,
        statistics=msgspec.convert(outcome.statistics, StatisticsSection, from_attributes=True),
        ratings=msgspec.convert(outcome.ratings, RatingsSection | None, from_attributes=True),
        sprt=_make_sprt_section(test) if test else None,
        tournament=outcome.rounds,
        warnings=outcome.warnings,
    )
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


def _make_sprt_section(sprt_state: SprtState) -> SprtSection:
    return SprtSection(
        test=sprt_state.test,
        bounds=sprt_state.test.bounds,
        pairs=sprt_state.pairs_used,
        counts=tuple(sprt_state.counts),
        llr=sprt_state.llr,
        accepted=sprt_state.accepted or None,
    )
