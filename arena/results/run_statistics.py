"""Statistics of finished games: score, faults and times of each engine, results of each pairing, repeated games.

A pair is two games of two engines from one opening with colours swapped. Its result for one engine is LL, LD, WL or DD,
WD, or WW (L: lost, D: drawn, W: won); their counts are called pentanomial.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.log.events import GameEnded
from arena.results.latency import Latency, LatencyCount
from arena.statistics import elo as stats
from arena.terms.ending import FAULTS, Ending


@dataclass(frozen=True)
class EngineStatistics:
    """Statistics of one engine, over the games that count; times are per move, None if nothing was measured."""

    name: str
    won: int
    drawn: int
    lost: int
    faults: dict[Ending, int]  # number of games lost by the engine's own fault, by ending
    mean_ms: float | None
    max_ms: int | None
    cpu_ms: float | None = None  # mean CPU time; games that it lost by a fault, or without a measurement, are left out
    latency: Latency = field(default_factory=Latency)

    @property
    def points(self) -> float:
        """1 for each win, 1/2 for each draw."""
        return self.won + self.drawn / 2

    @property
    def games(self) -> int:
        """Number of games that count."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float | None:
        """Points per game (0..1), or None if there are no games."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True)
class PairingStatistics:
    """The games of two engines against each other; results and statistics are those of the first name."""

    names: tuple[str, str]
    game_counts: tuple[int, ...]  # lost, drawn, won
    pentanomial: tuple[int, ...]  # pairs by result: LL, LD, WL or DD, WD, WW
    split_share: float | None  # of pairs in which each engine won one game: the same colour won both
    draw_share: float | None  # of games
    pair_ratio: float | None  # pairs won (WD, WW) per pair lost (LL, LD); None if none was lost
    summary: stats.Summary  # of pairs, or of single games until a pair is complete
    is_by_pairs: bool  # whether `summary` is of pairs

    @property
    def pairs(self) -> int:
        """Number of complete pairs."""
        return sum(self.pentanomial)

    @property
    def points(self) -> float:
        """Points of the first engine."""
        return self.game_counts[2] + self.game_counts[1] / 2


@dataclass(frozen=True)
class RunStatistics:
    """Statistics of a run; engines and pairings are in the order of the command line."""

    engines: tuple[EngineStatistics, ...]
    pairings: tuple[PairingStatistics, ...]  # those with at least one game that counts
    played: int  # finished games, void ones included
    void: int
    distinct: int  # number of different move sequences among the games that count
    endings: dict[Ending, int]  # number of games by ending

    @property
    def split_share(self) -> float | None:
        """Share of all pairs in which each engine won one game; None if no pair is complete."""
        pairs = sum(pairing.pairs for pairing in self.pairings)
        split = sum(pairing.pairs * (pairing.split_share or 0) for pairing in self.pairings)
        return split / pairs if pairs else None


@dataclass
class _EngineCounts:
    """Counters of one engine."""

    results: list[int] = field(default_factory=lambda: [0, 0, 0])  # lost, drawn, won
    faults: Counter[Ending] = field(default_factory=Counter)
    moves: int = 0
    total_ms: int = 0
    max_ms: int | None = None
    cpu_ms: int = 0  # total over the games in which it counts
    cpu_moves: int = 0  # moves of those games
    latency: LatencyCount = field(default_factory=LatencyCount)


@dataclass
class _PairingCounts:
    """Counters of one pairing."""

    games: list[int] = field(default_factory=lambda: [0, 0, 0])  # lost, drawn, won by the first engine
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])  # LL, LD, WL or DD, WD, WW
    split_count: int = 0  # number of pairs in which each engine won one game


class Tally:
    """Accumulates pairs of games; `statistics` may be called at any time."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._engine_counts = {name: _EngineCounts() for name in names}
        self._pairing_counts: dict[tuple[str, str], _PairingCounts] = {}
        self._move_sequences: set[tuple[str, ...]] = set()
        self._endings: Counter[Ending] = Counter()

    def add(self, pair: Sequence[GameEnded]) -> None:
        """Count the one or two games of a pair. Void games count only among the endings and the games played."""
        self._endings.update(game.ending for game in pair)
        counted = [game for game in pair if game.ending.counts]
        for game in counted:
            self._move_sequences.add(game.all_moves)
            for name in (game.first, game.second):
                self._count_engine(name, game)
        if counted:
            self._count_pairing(counted)

    def statistics(self) -> RunStatistics:
        """Return the statistics of the games so far."""
        return RunStatistics(
            engines=tuple(_make_engine_statistics(name, counts) for name, counts in self._engine_counts.items()),
            pairings=tuple(
                _make_pairing_statistics(names, self._pairing_counts[names])
                for names in sorted(self._pairing_counts, key=lambda names: [*map(self._names.index, names)])
            ),
            played=self._endings.total(),
            void=self._endings[Ending.VOID],
            distinct=len(self._move_sequences),
            endings=dict(self._endings),
        )

    def _count_engine(self, name: str, game: GameEnded) -> None:
        counts = self._engine_counts[name]
        counts.results[stats.GAME_VALUES.index(game.score(name))] += 1
        if game.blamed == name:
            counts.faults[game.ending] += 1
        side = 0 if game.first == name else 1
        times, cpu_ms = game.times_ms(side), game.cpu_ms[side]
        if cpu_ms is not None and game.blamed != name:  # the blamed engine may have computed a move it never sent
            counts.cpu_ms += cpu_ms
            counts.cpu_moves += len(times)
        counts.moves += len(times)
        counts.total_ms += sum(times)
        counts.max_ms = max([*times, counts.max_ms or 0]) if times else counts.max_ms
        moves = game.moves_of(side)
        # an answer that lost on time is no move, but has an overrun
        last_over_ms = [game.over_ms] if game.blamed == name else []
        over_ms = [*(entry.over_ms for entry in moves), *last_over_ms]
        overhead_us = (entry.overhead_us for entry in moves)
        unreported_ms = (entry.time_ms - entry.reported_ms for entry in moves if entry.reported_ms is not None)
        counts.latency.add(over_ms, overhead_us, unreported_ms)

    def _count_pairing(self, counted: Sequence[GameEnded]) -> None:
        first, second = sorted((counted[0].first, counted[0].second), key=self._names.index)
        counts = self._pairing_counts.setdefault((first, second), _PairingCounts())
        scores = [game.score(first) for game in counted]
        for score in scores:
            counts.games[stats.GAME_VALUES.index(score)] += 1
        if len(scores) == 2:
            counts.pairs[stats.PAIR_VALUES.index(sum(scores) / 2)] += 1
            counts.split_count += set(scores) == {0.0, 1.0}


def compute_statistics(names: Sequence[str], games: Iterable[GameEnded]) -> RunStatistics:
    """Return the statistics of finished games; `names` are all engines, in the order of the command line."""
    tally = Tally(names)
    for pair in group_by_pair(games).values():
        tally.add(pair)
    return tally.statistics()


def group_by_pair(games: Iterable[GameEnded]) -> dict[int, list[GameEnded]]:
    """Return the games of each pair by the number of the pair, both in ascending order."""
    pairs: dict[int, list[GameEnded]] = defaultdict(list)
    for game in sorted(games, key=lambda game: (game.pair, game.number)):
        pairs[game.pair].append(game)
    return dict(pairs)


def list_warnings(statistics: RunStatistics) -> list[str]:
    """Return all warnings about the result: those about the games, then the games that engines lost by a fault."""
    faults = format_faults(statistics)
    return [*list_game_warnings(statistics), *([f"lost by their own fault: {faults}"] if faults else [])]


def format_faults(statistics: RunStatistics) -> str:
    """Return the number of games that each engine lost by each kind of fault, as text; empty if there are none."""
    parts = []
    for engine in statistics.engines:
        faults = ", ".join(f"{count} {ending}" for ending, count in engine.faults.items() if count)
        parts += [f"{engine.name} {faults}"] if faults else []
    return "; ".join(parts)


def list_game_warnings(statistics: RunStatistics) -> list[str]:
    """Return warnings about the games: repeated games, pairs decided by the opening, void games."""
    warnings = []
    counted = statistics.played - statistics.void
    if statistics.distinct < counted:
        warnings.append(f"{counted - statistics.distinct} of {counted} games repeat an earlier one move for move")
    for pairing in statistics.pairings:
        if pairing.pairs >= stats.MIN_SPLIT_PAIRS and (pairing.split_share or 0) > stats.ONE_SIDED_SPLITS:
            share = f"{pairing.split_share:.0%} of the pairs of {pairing.names[0]} and {pairing.names[1]} are split"
            warnings.append(f"{share}: the openings decide most pairs, so the error bars mean little")
    if statistics.void:
        warnings.append(f"{statistics.void} void games count for nobody")
    return warnings


def _make_engine_statistics(name: str, counts: _EngineCounts) -> EngineStatistics:
    lost, drawn, won = counts.results
    return EngineStatistics(
        name=name,
        won=won,
        drawn=drawn,
        lost=lost,
        faults={ending: counts.faults[ending] for ending in FAULTS},
        mean_ms=counts.total_ms / counts.moves if counts.moves else None,
        max_ms=counts.max_ms,
        cpu_ms=counts.cpu_ms / counts.cpu_moves if counts.cpu_moves else None,
        latency=counts.latency.latency(),
    )


def _make_pairing_statistics(names: tuple[str, str], counts: _PairingCounts) -> PairingStatistics:
    pairs, games = sum(counts.pairs), sum(counts.games)
    lost, won = sum(counts.pairs[:2]), sum(counts.pairs[3:])
    return PairingStatistics(
        names=names,
        game_counts=tuple(counts.games),
        pentanomial=tuple(counts.pairs),
        split_share=counts.split_count / pairs if pairs else None,
        draw_share=counts.games[1] / games if games else None,
        pair_ratio=won / lost if lost else None,
        summary=stats.summarize(counts.pairs if pairs else counts.games),
        is_by_pairs=bool(pairs),
    )
