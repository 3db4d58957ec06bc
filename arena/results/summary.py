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
    """Answers of an engine beyond their time limits, overhead per move and unreported time."""

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
    """Score and Elo of the first engine of a pairing, from `count` pairs or games."""

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
    """Statistics of the games of a run."""

    engines: tuple[EngineSection, ...]
    pairings: tuple[PairingSection, ...]
    played: int
    void: int
    distinct: int
    endings: Mapping[str, int]


class EstimateSection(_Schema, frozen=True):
    """An estimate in Elo with half the width of its 95 % interval."""

    elo: float
    error: float | None


class IntervalSection(_Schema, frozen=True):
    """A 95 % interval in Elo; an open end is null."""

    low: float | None
    high: float | None


class RatingsSection(_Schema, frozen=True):
    """Ratings by engine name, in a run of more than two engines."""

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
    """The object that is the content of `summary.json`."""

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
    """Return the content of `summary.json`; undefined values are null."""
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


def _make_standing(statistics: RunStatistics) -> StandingSection:
    return StandingSection(
        engines=tuple(map(_make_engine, statistics.engines)),
        pairings=tuple(map(_make_pairing, statistics.pairings)),
        played=statistics.played,
        void=statistics.void,
        distinct=statistics.distinct,
        endings={ending.value: count for ending, count in statistics.endings.items()},
    )


def _make_engine(engine: EngineStatistics) -> EngineSection:
    return EngineSection(
        name=engine.name,
        won=engine.won,
        drawn=engine.drawn,
        lost=engine.lost,
        faults={ending.value: count for ending, count in engine.faults.items()},
        mean_ms=engine.mean_ms,
        max_ms=engine.max_ms,
        cpu_ms=engine.cpu_ms,
        latency=_make_latency(engine.latency),
    )


def _make_latency(latency: Latency) -> LatencySection:
    return LatencySection(
        counts=latency.counts,
        max_over_ms=latency.max_over_ms,
        own_ms=latency.overhead_ms,
        own_p99_ms=latency.overhead_p99_ms,
        untold_ms=latency.unreported_ms,
        max_untold_ms=latency.max_unreported_ms,
    )


def _make_pairing(pairing: PairingStatistics) -> PairingSection:
    return PairingSection(
        names=pairing.names,
        game_counts=pairing.game_counts,
        pair_counts=pairing.pentanomial,
        split_share=pairing.split_share,
        draw_share=pairing.draw_share,
        pair_ratio=pairing.pair_ratio,
        summary=_make_score(pairing.summary),
        by_pairs=pairing.is_by_pairs,
    )


def _make_score(summary: Summary) -> ScoreSection:
    return ScoreSection(
        count=summary.count,
        score=summary.score,
        elo=summary.elo,
        elo_error=summary.elo_half_width,
        elo_low=summary.elo_low,
        elo_high=summary.elo_high,
        interval=summary.interval,
        normalized_elo=summary.normalized_elo,
        normalized_error=summary.normalized_half_width,
        superiority=summary.superiority,
    )


def _make_ratings(ratings: Ratings) -> RatingsSection:
    return RatingsSection(
        engines={name: _make_rating(rating) for name, rating in ratings.engines.items()},
        groups=ratings.groups,
        first_move=_make_estimate(ratings.first_move) if ratings.first_move else None,
        draw_share=ratings.draw_share,
        left_out=ratings.left_out,
    )


def _make_rating(rating: Estimate | RatingInterval | None) -> EstimateSection | IntervalSection | None:
    if isinstance(rating, RatingInterval):
        return IntervalSection(low=rating.low, high=rating.high)
    return _make_estimate(rating) if rating else None


def _make_estimate(estimate: Estimate) -> EstimateSection:
    return EstimateSection(elo=estimate.elo, error=estimate.half_width)


def _make_sprt(sprt_state: SprtState) -> SprtSection:
    return SprtSection(
        test=_make_sprt_terms(sprt_state.test),
        bounds=sprt_state.test.bounds,
        pairs=sprt_state.pairs_used,
        counts=tuple(sprt_state.counts),
        llr=sprt_state.llr,
        accepted=sprt_state.accepted or None,
    )


def _make_sprt_terms(test: Sprt) -> SprtTermsSection:
    return SprtTermsSection(elo0=test.elo0, elo1=test.elo1, model=test.model, alpha=test.alpha, beta=test.beta)
