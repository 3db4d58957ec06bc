"""`summary.json`: the statistics of a run for other programs.

The structs below are the schema of that file; arena/results/README.md explains every key. They are kept apart from the
classes that compute the statistics, so that an internal field can be renamed without changing the file.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arena.results.latency import Latency
from arena.results.outcome import RunOutcome
from arena.results.ratings import Estimate, RatingInterval, Ratings
from arena.results.run_statistics import EngineStatistics, PairingStatistics, RunStatistics
from arena.statistics.elo import Summary
from arena.statistics.sprt import Sprt, SprtState


class _Schema(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON object whose keys are part of the documented format."""


class LatencySection(_Schema, frozen=True):
    """How an engine kept its limits, and the time a move took besides the engine's thinking."""

    counts: tuple[int, ...]
    max_over_ms: int | None
    own_ms: float | None
    own_p99_ms: float | None
    untold_ms: int | None
    max_untold_ms: int | None


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
    """Score and Elo of the first engine of a pairing."""

    count: int
    score: float | None
    elo: float | None
    elo_error: float | None
    elo_low: float | None
    elo_high: float | None
    interval: str
    normalized_elo: float | None
    normalized_error: float | None
    superiority: float | None


class PairingSection(_Schema, frozen=True):
    """The games of two engines against each other."""

    names: tuple[str, str]
    game_counts: tuple[int, ...]
    pair_counts: tuple[int, ...]
    split_share: float | None
    draw_share: float | None
    pair_ratio: float | None
    summary: ScoreSection
    by_pairs: bool


class StandingSection(_Schema, frozen=True):
    """All that is counted of the games."""

    engines: tuple[EngineSection, ...]
    pairings: tuple[PairingSection, ...]
    played: int
    void: int
    distinct: int
    endings: Mapping[str, int]


class EstimateSection(_Schema, frozen=True):
    """An estimate in Elo."""

    elo: float
    error: float | None


class IntervalSection(_Schema, frozen=True):
    """A 95 % interval in Elo."""

    low: float | None
    high: float | None


class RatingsSection(_Schema, frozen=True):
    """Ratings of more than two engines."""

    engines: Mapping[str, EstimateSection | IntervalSection | None]
    groups: tuple[tuple[str, ...], ...]
    first_move: EstimateSection | None
    draw_share: float | None
    left_out: tuple[str, ...]


class SprtTermsSection(_Schema, frozen=True):
    """The hypotheses of a sequential test."""

    elo0: float
    elo1: float
    model: str
    alpha: float
    beta: float


class SprtSection(_Schema, frozen=True):
    """A sequential test and its state."""

    test: SprtTermsSection
    bounds: tuple[float, float]
    pairs: int
    counts: tuple[int, ...]
    llr: float
    accepted: str | None


class SummaryFile(_Schema, frozen=True):
    """The whole file."""

    game: str
    variant: str
    event: str
    site: str
    planned: int
    complete: bool
    stopped: str | None
    standing: StandingSection
    ratings: RatingsSection | None
    sprt: SprtSection | None
    concerns: tuple[str, ...]


def format_summary(outcome: RunOutcome) -> str:
    """Return the content of `summary.json`; a value that is not defined is null."""
    return msgspec.json.format(msgspec.json.encode(make_summary(outcome)), indent=2).decode() + "\n"


def make_summary(outcome: RunOutcome) -> SummaryFile:
    """Translate the computed results of a run into the schema of the file."""
    run = outcome.run
    return SummaryFile(
        game=run.header.game,
        variant=run.header.variant,
        event=run.header.event_name,
        site=run.header.site,
        planned=run.header.planned,
        complete=outcome.is_finished,
        stopped=run.ended.reason if run.ended else None,
        standing=_make_standing(outcome.statistics),
        ratings=_make_ratings(outcome.ratings) if outcome.ratings else None,
        sprt=_make_sprt(outcome.sprt_state) if outcome.sprt_state else None,
        concerns=outcome.warnings,
    )


def _make_standing(found: RunStatistics) -> StandingSection:
    return StandingSection(
        engines=tuple(map(_make_engine, found.engines)),
        pairings=tuple(map(_make_pairing, found.pairings)),
        played=found.played,
        void=found.void,
        distinct=found.distinct,
        endings={ending.value: count for ending, count in found.endings.items()},
    )


def _make_engine(found: EngineStatistics) -> EngineSection:
    return EngineSection(
        name=found.name,
        won=found.won,
        drawn=found.drawn,
        lost=found.lost,
        faults={ending.value: count for ending, count in found.faults.items()},
        mean_ms=found.mean_ms,
        max_ms=found.max_ms,
        cpu_ms=found.cpu_ms,
        latency=_make_latency(found.latency),
    )


def _make_latency(found: Latency) -> LatencySection:
    return LatencySection(
        counts=found.counts,
        max_over_ms=found.max_over_ms,
        own_ms=found.own_ms,
        own_p99_ms=found.own_p99_ms,
        untold_ms=found.untold_ms,
        max_untold_ms=found.max_untold_ms,
    )


def _make_pairing(found: PairingStatistics) -> PairingSection:
    return PairingSection(
        names=found.names,
        game_counts=found.game_counts,
        pair_counts=found.pentanomial,
        split_share=found.split_share,
        draw_share=found.draw_share,
        pair_ratio=found.pair_ratio,
        summary=_make_score(found.summary),
        by_pairs=found.is_by_pairs,
    )


def _make_score(found: Summary) -> ScoreSection:
    return ScoreSection(
        count=found.count,
        score=found.score,
        elo=found.elo,
        elo_error=found.elo_half_width,
        elo_low=found.elo_low,
        elo_high=found.elo_high,
        interval=found.interval,
        normalized_elo=found.normalized_elo,
        normalized_error=found.normalized_half_width,
        superiority=found.superiority,
    )


def _make_ratings(found: Ratings) -> RatingsSection:
    return RatingsSection(
        engines={name: _make_rating(rating) for name, rating in found.engines.items()},
        groups=found.groups,
        first_move=_make_estimate(found.first_move) if found.first_move else None,
        draw_share=found.draw_share,
        left_out=found.left_out,
    )


def _make_rating(found: Estimate | RatingInterval | None) -> EstimateSection | IntervalSection | None:
    if isinstance(found, RatingInterval):
        return IntervalSection(low=found.low, high=found.high)
    return _make_estimate(found) if found else None


def _make_estimate(found: Estimate) -> EstimateSection:
    return EstimateSection(elo=found.elo, error=found.half_width)


def _make_sprt(found: SprtState) -> SprtSection:
    return SprtSection(
        test=_make_sprt_terms(found.test),
        bounds=found.test.bounds,
        pairs=found.pairs_used,
        counts=tuple(found.counts),
        llr=found.llr,
        accepted=found.accepted or None,
    )


def _make_sprt_terms(test: Sprt) -> SprtTermsSection:
    return SprtTermsSection(elo0=test.elo0, elo1=test.elo1, model=test.model, alpha=test.alpha, beta=test.beta)
