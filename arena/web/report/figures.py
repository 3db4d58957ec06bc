"""The numbers of a report: who against whom, ratings, times, endings. All of it is plain data for the page to show."""

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
SHOWN_MOVES = 80  # of a game in the plot of times; few games are longer, and their means say little


class Rating(msgspec.Struct, frozen=True):
    """An engine's Elo with half its 95 % interval, or the ends of that; None where it is not defined or has no end."""

    name: str
    elo: float | None
    error: float | None
    low: float | None = None
    high: float | None = None


class SprtCourse(msgspec.Struct, frozen=True):
    """A sequential test: its terms in words, its bounds, and the log likelihood ratio after each number of pairs."""

    title: str
    lower: float
    upper: float
    ratios: tuple[float, ...]


class Row(msgspec.Struct, frozen=True):
    """One engine's results, and its results against each other one as won, drawn, lost."""

    name: str
    won: int
    drawn: int
    lost: int
    against: tuple[tuple[int, int, int], ...]  # in the order of the engines


class TimeUse(msgspec.Struct, frozen=True):
    """How long an engine thought, milliseconds. `by_move` is the mean of its first, second, ... move of a game."""

    name: str
    moves: int
    mean: float
    median: float
    high: float  # the percentile above
    most: int
    cpu: float | None  # CPU time a move
    by_move: tuple[float, ...]


@dataclass(frozen=True)
class MoveTime:
    """A move's time; `number` counts the engine's own moves of the game after the opening, from 0."""

    engine: str
    number: int
    time_ms: int


def count_results(names: Sequence[str], games: Sequence[GameEnded]) -> list[Row]:
    """One row an engine, in their order. Void games count for nobody."""
    counts = {(one, other): [0, 0, 0] for one in names for other in names}
    for game in games:
        if game.ending.counts:
            for one, other in ((game.first, game.second), (game.second, game.first)):
                counts[one, other][2 - round(2 * game.score(one))] += 1
    rows = []
    for name in names:
        against = tuple((won, drawn, lost) for won, drawn, lost in (counts[name, other] for other in names))
        won, drawn, lost = (sum(column) for column in zip(*against, strict=True))
        rows.append(Row(name, won, drawn, lost, against))
    return rows


def list_ratings(outcome: RunOutcome) -> list[Rating]:
    """Each engine's rating: of two the difference and its opposite, of more all on one scale."""
    names = outcome.run.names
    if outcome.ratings:
        return [_rate(name, rating) for name, rating in outcome.ratings.engines.items()]
    if not outcome.statistics.pairings:
        return [Rating(name, None, None) for name in names]
    (pairing,) = outcome.statistics.pairings
    summary = pairing.summary
    first = Rating(names[0], summary.elo, summary.elo_half_width, summary.elo_low, summary.elo_high)
    elo, low, high = (None if end is None else -end for end in (first.elo, first.high, first.low))
    return [first, Rating(names[1], elo, first.error, low, high)]


def _rate(name: str, rating: Estimate | RatingInterval | None) -> Rating:
    if isinstance(rating, RatingInterval):
        return Rating(name, None, None, rating.low, rating.high)
    return Rating(name, rating.elo, rating.half_width) if rating else Rating(name, None, None)


def draw_course(outcome: RunOutcome) -> SprtCourse | None:
    """The course of the run's sequential test, where there is one."""
    if outcome.sprt_state is None:
        return None
    lower, upper = outcome.sprt_state.test.bounds
    title = format_sprt(outcome.sprt_state, ended=outcome.is_finished)
    return SprtCourse(title, lower, upper, tuple(outcome.sprt_state.llr_history))


def sum_times(lines: Sequence[EngineStatistics], times: Sequence[MoveTime]) -> list[TimeUse]:
    """How each engine used its time; engines without a move are left out."""
    found = []
    for line in lines:
        name = line.name
        own = [time for time in times if time.engine == name]
        if not own:
            continue
        spent = [time.time_ms for time in own]
        by_number: dict[int, list[int]] = {}
        for time in own:
            by_number.setdefault(time.number, []).append(time.time_ms)
        high = quantiles(spent, n=100, method="inclusive")[PERCENTILE - 1] if len(spent) > 1 else spent[0]
        by_move = tuple(mean(by_number[number]) for number in sorted(by_number)[:SHOWN_MOVES])
        found.append(TimeUse(name, len(own), mean(spent), median(spent), high, max(spent), line.cpu_ms, by_move))
    return found


def count_endings(names: Sequence[str], games: Sequence[GameEnded]) -> dict[str, list[int]]:
    """For each ending that occurred, how often in all, then how often each engine was to blame for it."""
    total = Counter(game.ending for game in games)
    blamed = Counter((game.ending, game.blamed) for game in games)
    return {
        ending.value: [total[ending], *(blamed[ending, name] for name in names)] for ending in Ending if total[ending]
    }
