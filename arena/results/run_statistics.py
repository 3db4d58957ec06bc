"""What finished games say: score, faults and times of each engine, results of each pairing, repeated games."""

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
    """One engine's line in the table. `faults` counts the games it lost by each kind of fault."""

    name: str
    won: int
    drawn: int
    lost: int
    faults: dict[Ending, int]
    mean_ms: float | None
    max_ms: int | None
    cpu_ms: float | None = None  # CPU time a move, of the games in which it was measured and that no fault lost
    latency: Latency = field(default_factory=Latency)

    @property
    def points(self) -> float:
        """Points as people count them."""
        return self.won + self.drawn / 2

    @property
    def games(self) -> int:
        """Games that counted."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True)
class Pairing:
    """The games of two engines against each other; results and statistics are the first one's."""

    names: tuple[str, str]
    game_counts: tuple[int, ...]  # lost, drawn, won
    pentanomial: tuple[int, ...]  # from both lost to both won
    split_share: float | None  # of pairs that each side won once
    draw_share: float | None  # of games
    pair_ratio: float | None  # pairs won (WD, WW) to pairs lost (LL, LD); None where none was lost
    summary: stats.Summary  # of pairs, or of games while no pair is complete
    by_pairs: bool

    @property
    def pairs(self) -> int:
        """Complete pairs."""
        return sum(self.pentanomial)

    @property
    def points(self) -> float:
        """Points of the first engine."""
        return self.game_counts[2] + self.game_counts[1] / 2


@dataclass(frozen=True)
class RunStatistics:
    """The state of a run; engines and pairings are in the order of the engines."""

    engines: tuple[EngineStatistics, ...]
    pairings: tuple[Pairing, ...]  # those that have played
    played: int  # games with an ending, void ones included
    void: int
    distinct: int  # games that differ from all earlier ones
    endings: dict[Ending, int]

    @property
    def split_share(self) -> float | None:
        """Share of all pairs in which each side won once; None where no pair is complete."""
        pairs = sum(pairing.pairs for pairing in self.pairings)
        split = sum(pairing.pairs * (pairing.split_share or 0) for pairing in self.pairings)
        return split / pairs if pairs else None


@dataclass
class _Account:
    """What is counted of one engine."""

    results: list[int] = field(default_factory=lambda: [0, 0, 0])  # lost, drawn, won
    faults: Counter[Ending] = field(default_factory=Counter)
    moves: int = 0
    total_ms: int = 0
    max_ms: int | None = None
    cpu_ms: int = 0
    cpu_moves: int = 0  # of the same games
    latency: LatencyCount = field(default_factory=LatencyCount)


@dataclass
class _Record:
    """What is counted of one pairing."""

    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    splits: int = 0


class Tally:
    """Counts games as their pairs come in; `statistics` may be asked for at any time."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._accounts = {name: _Account() for name in names}
        self._records: dict[tuple[str, str], _Record] = {}
        self._lines: set[tuple[str, ...]] = set()
        self._endings: Counter[Ending] = Counter()

    def add(self, pair: Sequence[GameEnded]) -> None:
        """Count the games of one pair, in the order of play. Void ones are nobody's result."""
        self._endings.update(game.ending for game in pair)
        counted = [game for game in pair if game.ending.counts]
        for game in counted:
            self._lines.add(game.all_moves)
            for name in (game.first, game.second):
                self._book(name, game)
        if counted:
            self._match(counted)

    def statistics(self) -> RunStatistics:
        """How things stand."""
        return RunStatistics(
            engines=tuple(_engine_line(name, account) for name, account in self._accounts.items()),
            pairings=tuple(_pairing(names, self._records[names]) for names in sorted(self._records, key=self._place)),
            played=self._endings.total(),
            void=self._endings[Ending.VOID],
            distinct=len(self._lines),
            endings=dict(self._endings),
        )

    def _book(self, name: str, game: GameEnded) -> None:
        account = self._accounts[name]
        account.results[stats.GAME_VALUES.index(game.score(name))] += 1
        if game.blamed == name:
            account.faults[game.ending] += 1
        side = 0 if game.first == name else 1
        times, cpu_ms = game.times_ms(side), game.cpu_ms[side]
        if cpu_ms is not None and game.blamed != name:  # else the thinking about a move that never came is in it
            account.cpu_ms += cpu_ms
            account.cpu_moves += len(times)
        account.moves += len(times)
        account.total_ms += sum(times)
        account.max_ms = max([*times, account.max_ms or 0]) if times else account.max_ms
        moves = game.moves_of(side)
        too_late = [game.over_ms] if game.blamed == name else []
        over_ms, overhead_us = [*(entry.over_ms for entry in moves), *too_late], (entry.overhead_us for entry in moves)
        told = (entry.time_ms - entry.reported_ms for entry in moves if entry.reported_ms is not None)
        account.latency.add(over_ms, overhead_us, told)

    def _match(self, counted: Sequence[GameEnded]) -> None:
        names = _in_order((counted[0].first, counted[0].second), self._names)
        record = self._records.setdefault(names, _Record())
        scores = [game.score(names[0]) for game in counted]
        for score in scores:
            record.games[stats.GAME_VALUES.index(score)] += 1
        if len(scores) == 2:
            record.pairs[stats.PAIR_VALUES.index(sum(scores) / 2)] += 1
            record.splits += set(scores) == {0.0, 1.0}

    def _place(self, names: tuple[str, str]) -> tuple[int, int]:
        return self._names.index(names[0]), self._names.index(names[1])


def compute_statistics(names: Sequence[str], games: Iterable[GameEnded]) -> RunStatistics:
    """The standing of engines of these names after finished games."""
    tally = Tally(names)
    for pair in group_by_pair(games).values():
        tally.add(pair)
    return tally.statistics()


def group_by_pair(games: Iterable[GameEnded]) -> dict[int, list[GameEnded]]:
    """The games of each pair by its number, both in order."""
    pairs: dict[int, list[GameEnded]] = defaultdict(list)
    for game in sorted(games, key=lambda game: (game.pair, game.number)):
        pairs[game.pair].append(game)
    return dict(pairs)


def list_warnings(statistics: RunStatistics) -> list[str]:
    """What speaks against taking the result at face value, in words."""
    faults = format_faults(statistics)
    return [*describe_doubts(statistics), *([f"lost by their own fault: {faults}"] if faults else [])]


def format_faults(statistics: RunStatistics) -> str:
    """How many games each engine has lost by which fault of its own; nothing where none has."""
    told = []
    for line in statistics.engines:
        faults = ", ".join(f"{count} {ending}" for ending, count in line.faults.items() if count)
        told += [f"{line.name} {faults}"] if faults else []
    return "; ".join(told)


def describe_doubts(statistics: RunStatistics) -> list[str]:
    """What speaks against the games themselves."""
    doubts = []
    counted = statistics.played - statistics.void
    if statistics.distinct < counted:
        doubts.append(f"{counted - statistics.distinct} of {counted} games repeat an earlier one move for move")
    for pairing in statistics.pairings:
        if pairing.pairs >= stats.LEAST_SPLIT_PAIRS and (pairing.split_share or 0) > stats.ONE_SIDED_SPLITS:
            share = f"{pairing.split_share:.0%} of the pairs of {pairing.names[0]} and {pairing.names[1]} are split"
            doubts.append(f"{share}: the openings decide, not the engines, and the error says little")
    if statistics.void:
        doubts.append(f"{statistics.void} void games count for nobody")
    return doubts


def _in_order(names: tuple[str, str], order: Sequence[str]) -> tuple[str, str]:
    return names if order.index(names[0]) < order.index(names[1]) else names[::-1]


def _engine_line(name: str, account: _Account) -> EngineStatistics:
    lost, drawn, won = account.results
    return EngineStatistics(
        name=name,
        won=won,
        drawn=drawn,
        lost=lost,
        faults={ending: account.faults[ending] for ending in FAULTS},
        mean_ms=account.total_ms / account.moves if account.moves else None,
        max_ms=account.max_ms,
        cpu_ms=account.cpu_ms / account.cpu_moves if account.cpu_moves else None,
        latency=account.latency.latency(),
    )


def _pairing(names: tuple[str, str], record: _Record) -> Pairing:
    pairs, games = sum(record.pairs), sum(record.games)
    lost, won = sum(record.pairs[:2]), sum(record.pairs[3:])
    return Pairing(
        names=names,
        game_counts=tuple(record.games),
        pentanomial=tuple(record.pairs),
        split_share=record.splits / pairs if pairs else None,
        draw_share=record.games[1] / games if games else None,
        pair_ratio=won / lost if lost else None,
        summary=stats.summarize(record.pairs if pairs else record.games),
        by_pairs=bool(pairs),
    )
