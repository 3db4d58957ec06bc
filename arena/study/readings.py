"""What studies read from the games of a run: results of pairings, times and nodes of moves, numbers of legal moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.log.events import GameEnded, MoveEntry
from arena.log.file import Run
from arena.terms.arguments import find_game
from core.play.player import Setup

MS_PER_S = 1000


@dataclass(frozen=True)
class Score:
    """Results of one engine against another."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """Games that count."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """Points as a share of the games; None where there are none."""
        return (self.won + self.drawn / 2) / self.games if self.games else None


def count_scores(games: Iterable[GameEnded]) -> dict[tuple[str, str], Score]:
    """The score of each engine against each other one that it has met, both ways round."""
    counts: dict[tuple[str, str], list[int]] = {}
    for game in games:
        if game.ending.counts:
            for names in ((game.first, game.second), (game.second, game.first)):
                lost_drawn_won = counts.setdefault(names, [0, 0, 0])
                lost_drawn_won[round(2 * game.score(names[0]))] += 1
    return {names: Score(won, drawn, lost) for names, (lost, drawn, won) in counts.items()}


def total_score(scores: dict[tuple[str, str], Score], name: str) -> Score:
    """An engine's score against all others."""
    own = [score for (first, _), score in scores.items() if first == name]
    return Score(sum(each.won for each in own), sum(each.drawn for each in own), sum(each.lost for each in own))


def list_moves_of(games: Iterable[GameEnded], name: str) -> list[MoveEntry]:
    """The moves of an engine, without those of openings."""
    return [
        entry for game in games for side in (0, 1) if (game.first, game.second)[side] == name
        for entry in game.moves_of(side)
    ]  # fmt: skip


def mean_time_s(moves: Sequence[MoveEntry]) -> float | None:
    """Seconds a move."""
    return fmean(entry.time_ms for entry in moves) / MS_PER_S if moves else None


def iter_branching(run: Run) -> Iterator[tuple[GameEnded, int, int]]:
    """Each move of each game, openings left out: the game, the moves before it from its start, the legal moves."""
    header = run.header
    position = find_game(header.game).new_position(Setup(header.width, header.height, header.variant, header.position))
    for game in run.games:
        for ply, move in enumerate(game.all_moves):
            if ply >= len(game.opening):
                yield game, ply, len(position.legal_moves())
            position.play(move)
        for _ in game.all_moves:
            position.undo()


@dataclass(frozen=True)
class Spread:
    """What most of some numbers are: four of five lie from `low` to `high`."""

    low: float
    median: float
    high: float

    def __str__(self) -> str:
        return f"{format_figure(self.low)} to {format_figure(self.high)}"


def measure_spread(values: Iterable[float]) -> Spread | None:
    """The spread of numbers; None where there are none."""
    ordered = sorted(values)
    if not ordered:
        return None
    low, middle, high = (ordered[round(share * (len(ordered) - 1))] for share in (0.1, 0.5, 0.9))
    return Spread(low, middle, high)


def format_figure(value: float) -> str:
    """A number to three digits; large ones in full."""
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
