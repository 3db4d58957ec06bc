"""What a list of finished games says: score, faults and times of each engine, pair results, repeated games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena import stats
from arena.ending import FAULTS, Ending
from arena.log import GameEnded


@dataclass(frozen=True)
class EngineLine:
    """One engine's line in the table. `faults` counts the games it lost by each kind of fault."""

    name: str
    won: int
    drawn: int
    lost: int
    faults: dict[Ending, int]
    mean_ms: float | None
    max_ms: int | None

    @property
    def points(self) -> float:
        """Points as people count them."""
        return self.won + self.drawn / 2


@dataclass(frozen=True)
class Standing:
    """The state of a match between two engines, whose order is that of `engines`; statistics are the first one's."""

    engines: tuple[EngineLine, ...]
    played: int  # games with an ending, void ones included
    void: int
    distinct: int  # games that differ from all earlier ones
    endings: dict[Ending, int]
    pair_counts: tuple[int, ...]
    split_share: float | None
    summary: stats.Summary  # of pairs, or of games while no pair is complete
    by_pairs: bool


def count_standing(names: Sequence[str], games: Sequence[GameEnded]) -> Standing:
    """Count the games of a match between the two engines of these names."""
    counted = [game for game in games if game.ending.counts]
    pairs = pair_scores(names[0], counted)
    game_counts = stats.count_games(game.score(names[0]) for game in counted)
    pair_counts = stats.count_pairs(pairs)
    return Standing(
        engines=tuple(_engine_line(name, counted) for name in names),
        played=len(games),
        void=len(games) - len(counted),
        distinct=len({game.line for game in counted}),
        endings=dict(Counter(game.ending for game in games)),
        pair_counts=tuple(pair_counts),
        split_share=stats.share_of_splits(pairs),
        summary=stats.summarize(pair_counts if pairs else game_counts),
        by_pairs=bool(pairs),
    )


def pair_scores(name: str, games: Iterable[GameEnded]) -> list[tuple[float, float]]:
    """An engine's scores in the complete pairs, in the order of the pairs."""
    scores: dict[int, list[float]] = defaultdict(list)
    for game in sorted(games, key=lambda game: game.number):
        scores[game.pair].append(game.score(name))
    return [(pair[0], pair[1]) for _, pair in sorted(scores.items()) if len(pair) == 2]


def describe_concerns(standing: Standing) -> list[str]:
    """What speaks against taking the result at face value, in words."""
    concerns = []
    counted = standing.played - standing.void
    if standing.distinct < counted:
        concerns.append(f"{counted - standing.distinct} of {counted} games repeat an earlier one move for move")
    if standing.split_share is not None and standing.split_share > stats.ONE_SIDED_SPLITS:
        share = f"{standing.split_share:.0%}"
        concerns.append(
            f"{share} of the pairs are split: the openings decide, not the engines, and the error says little"
        )
    if standing.void:
        concerns.append(f"{standing.void} void games count for nobody")
    return concerns


def _engine_line(name: str, games: Sequence[GameEnded]) -> EngineLine:
    lost, drawn, won = stats.count_games(game.score(name) for game in games)
    blamed = Counter(game.ending for game in games if game.blamed == name)
    times = [time for game in games for time in _times(name, game)]
    return EngineLine(
        name=name,
        won=won,
        drawn=drawn,
        lost=lost,
        faults={ending: blamed[ending] for ending in FAULTS},
        mean_ms=sum(times) / len(times) if times else None,
        max_ms=max(times, default=None),
    )


def _times(name: str, game: GameEnded) -> list[int]:
    side = 0 if game.first == name else 1
    return [entry.time_ms for ply, entry in enumerate(game.moves, len(game.opening)) if ply % 2 == side]
