"""The figures of a report: results, ratings, times and endings of a run, as plain data for the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median, quantiles

import msgspec

from arena.log.events import GameEnded
from arena.results.outcome import RunOutcome
from arena.results.ratings import Estimate, RatingInterval
from arena.results.run_statistics import EngineStatistics
from arena.statistics.sprt import format_sprt
from arena.terms.ending import Ending

PERCENTILE = 95
MAX_PLOTTED_MOVES = 80  # moves of a game in the plot of times; the mean over the few longer games says little


class Rating(msgspec.Struct, frozen=True):
    """An engine's rating in Elo with its 95 % interval.

    The interval is `half_width` or, if it is not symmetric, `low` and `high`; an open end is None. A rating without any
    interval is that of an anchor or of an engine that is alone in its reference, or unknown if `elo` is None too.
    """

    name: str
    elo: float | None
    half_width: float | None  # of the symmetric interval
    low: float | None = None
    high: float | None = None
    is_anchor: bool = False  # whether the rating was given


class SprtChart(msgspec.Struct, frozen=True):
    """The course of a sequential probability ratio test."""

    title: str  # hypotheses and state, as text
    lower: float  # log likelihood ratio at which H0 is accepted
    upper: float  # log likelihood ratio at which H1 is accepted
    llr_history: tuple[float, ...]  # log likelihood ratio after each pair of games


class EngineResults(msgspec.Struct, frozen=True):
    """The results of one engine, a row of the crosstable. Void games do not count."""

    name: str
    won: int
    drawn: int
    lost: int
    against: tuple[tuple[int, int, int], ...]  # won, drawn, lost against each engine, in the order of the run


class TimeStatistics(msgspec.Struct, frozen=True):
    """The thinking times of one engine, milliseconds per move."""

    name: str
    moves: int  # number of moves that were measured
    mean: float
    median: float
    high: float  # 95th percentile (PERCENTILE)
    max_ms: int
    cpu: float | None  # mean CPU time per move; None if not measured
    by_move: tuple[float, ...]  # means of the engine's first, second, ... move of a game after the opening


@dataclass(frozen=True)
class MoveTime:
    """The time of one move."""

    engine: str
    number: int  # counts the engine's moves of the game after the opening, from 0
    time_ms: int


def count_results(names: Sequence[str], games: Sequence[GameEnded]) -> list[EngineResults]:
    """Return the results of each engine, in the order of `names`, without void games."""
    counts = {(one, other): [0, 0, 0] for one in names for other in names}
    for game in games:
        if game.ending.counts:
            for one, other in ((game.first, game.second), (game.second, game.first)):
                counts[one, other][2 - round(2 * game.score(one))] += 1  # index 0: won, 1: drawn, 2: lost
    results = []
    for name in names:
        against = tuple((won, drawn, lost) for won, drawn, lost in (counts[name, other] for other in names))
        won, drawn, lost = (sum(column) for column in zip(*against, strict=True))
        results.append(EngineResults(name, won, drawn, lost, against))
    return results


def list_ratings(outcome: RunOutcome) -> list[Rating]:
    """Return the rating of each engine. With two engines, these are the Elo difference and its negative."""
    names = outcome.run.names
    if outcome.ratings:
        anchors = outcome.ratings.anchors
        return [_make_rating(name, rating, name in anchors) for name, rating in outcome.ratings.engines.items()]
    if not outcome.statistics.pairings:
        return [Rating(name, None, None) for name in names]
    (pairing,) = outcome.statistics.pairings
    summary = pairing.summary
    half_width = summary.elo_half_width if summary.is_symmetric else None
    first = Rating(names[0], summary.elo, half_width, summary.elo_low, summary.elo_high)
    elo, low, high = (None if value is None else -value for value in (first.elo, first.high, first.low))
    return [first, Rating(names[1], elo, first.half_width, low, high)]


def _make_rating(name: str, rating: Estimate | RatingInterval | None, is_anchor: bool) -> Rating:
    if isinstance(rating, RatingInterval):
        return Rating(name, None, None, rating.low, rating.high)
    return Rating(name, rating.elo, rating.half_width, is_anchor=is_anchor) if rating else Rating(name, None, None)


def make_sprt_chart(outcome: RunOutcome) -> SprtChart | None:
    """Return the course of the run's sequential test, or None if the run has no test."""
    if outcome.sprt_state is None:
        return None
    lower, upper = outcome.sprt_state.test.bounds
    title = format_sprt(outcome.sprt_state, ended=outcome.is_finished)
    return SprtChart(title, lower, upper, tuple(outcome.sprt_state.llr_history))


def summarize_times(engines: Sequence[EngineStatistics], times: Sequence[MoveTime]) -> list[TimeStatistics]:
    """Return the time statistics of each engine; skip engines without a measured move."""
    summaries = []
    for engine in engines:
        by_number: dict[int, list[int]] = {}
        for time in times:
            if time.engine == engine.name:
                by_number.setdefault(time.number, []).append(time.time_ms)
        if not by_number:
            continue
        all_ms = [time_ms for same_number in by_number.values() for time_ms in same_number]
        high = quantiles(all_ms, n=100, method="inclusive")[PERCENTILE - 1] if len(all_ms) > 1 else all_ms[0]
        summaries.append(
            TimeStatistics(
                name=engine.name,
                moves=len(all_ms),
                mean=mean(all_ms),
                median=median(all_ms),
                high=high,
                max_ms=max(all_ms),
                cpu=engine.cpu_ms,
                by_move=tuple(mean(by_number[number]) for number in sorted(by_number)[:MAX_PLOTTED_MOVES]),
            )
        )
    return summaries


def count_endings(names: Sequence[str], games: Sequence[GameEnded]) -> dict[str, list[int]]:
    """Return, for each ending that occurred, the number of games and the number that each engine is to blame for."""
    total = Counter(game.ending for game in games)
    blamed = Counter((game.ending, game.blamed) for game in games)
    return {
        ending.value: [total[ending], *(blamed[ending, name] for name in names)] for ending in Ending if total[ending]
    }
