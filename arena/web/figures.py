"""The numbers of a report: who against whom, ratings, times, endings. All of it is plain data for the page to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median, quantiles

import msgspec

from arena import stats
from arena.ending import Ending
from arena.log import GameEnded

PERCENTILE = 95
SHOWN_MOVES = 80  # of a game in the plot of times; few games are longer, and their means say little


class Rating(msgspec.Struct, frozen=True):
    """An engine's Elo with half its 95 % interval; None where it is not defined."""

    name: str
    elo: float | None
    error: float | None


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


def rate_two(names: Sequence[str], games: Sequence[GameEnded]) -> list[Rating]:
    """The difference of two engines, from complete pairs where there are any; the second one's is the opposite."""
    counted = [game for game in games if game.ending.counts]
    pairs: dict[int, list[float]] = {}
    for game in sorted(counted, key=lambda game: game.number):
        pairs.setdefault(game.pair, []).append(game.score(names[0]))
    complete = [(pair[0], pair[1]) for pair in pairs.values() if len(pair) == 2]
    singles = stats.count_games(game.score(names[0]) for game in counted)
    summary = stats.summarize(stats.count_pairs(complete) if complete else singles)
    if summary.elo is None:
        return [Rating(name, None, None) for name in names]
    signed = zip(names, (summary.elo, -summary.elo), strict=True)
    return [Rating(name, elo, summary.elo_error) for name, elo in signed]


def rate_against_field(names: Sequence[str], games: Sequence[GameEnded]) -> list[Rating]:
    """Each engine's Elo against all its opponents together, taken as one."""
    ratings = []
    for name in names:
        own = [game for game in games if game.ending.counts and name in (game.first, game.second)]
        summary = stats.summarize(stats.count_games(game.score(name) for game in own))
        ratings.append(Rating(name, summary.elo, summary.elo_error))
    return ratings


def sum_times(names: Sequence[str], times: Sequence[MoveTime]) -> list[TimeUse]:
    """How each engine used its time; engines without a move are left out."""
    found = []
    for name in names:
        own = [time for time in times if time.engine == name]
        if not own:
            continue
        spent = [time.time_ms for time in own]
        by_number: dict[int, list[int]] = {}
        for time in own:
            by_number.setdefault(time.number, []).append(time.time_ms)
        high = quantiles(spent, n=100, method="inclusive")[PERCENTILE - 1] if len(spent) > 1 else spent[0]
        by_move = tuple(mean(by_number[number]) for number in sorted(by_number)[:SHOWN_MOVES])
        found.append(TimeUse(name, len(own), mean(spent), median(spent), high, max(spent), by_move))
    return found


def count_endings(names: Sequence[str], games: Sequence[GameEnded]) -> dict[str, list[int]]:
    """For each ending that occurred, how often in all, then how often each engine was to blame for it."""
    total = Counter(game.ending for game in games)
    blamed = Counter((game.ending, game.blamed) for game in games)
    return {
        ending.value: [total[ending], *(blamed[ending, name] for name in names)]
        for ending in Ending
        if total[ending]
    }
