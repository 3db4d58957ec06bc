"""Statistics of games for studies: results by pairing, times of moves, numbers of legal moves, spreads."""

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
    """Numbers of games that one engine won, drew and lost, against one opponent or several."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """Return points divided by games (1 per win, 0.5 per draw), or None if there are no games."""
        return (self.won + self.drawn / 2) / self.games if self.games else None


def count_scores(games: Iterable[GameEnded]) -> dict[tuple[str, str], Score]:
    """Return the score of A against B under the key (A, B), and that of B against A under (B, A).

    Void games are skipped.
    """
    counts: dict[tuple[str, str], list[int]] = {}
    for game in games:
        if game.ending.counts:
            for names in ((game.first, game.second), (game.second, game.first)):
                lost_drawn_won = counts.setdefault(names, [0, 0, 0])
                lost_drawn_won[round(2 * game.score(names[0]))] += 1
    return {names: Score(won, drawn, lost) for names, (lost, drawn, won) in counts.items()}


def total_score(scores: dict[tuple[str, str], Score], name: str) -> Score:
    """Return an engine's score against all others together; `scores` is a result of `count_scores`."""
    return sum_scores([score for (engine, _), score in scores.items() if engine == name])


def sum_scores(scores: Sequence[Score]) -> Score:
    """Return the sums of the games won, drawn and lost."""
    return Score(sum(s.won for s in scores), sum(s.drawn for s in scores), sum(s.lost for s in scores))


def format_share(share: float | None) -> str | None:
    """Return a share in whole percent; None, an undefined share, stays None."""
    return None if share is None else f"{share:.0%}"


def list_moves(games: Iterable[GameEnded], name: str) -> list[MoveEntry]:
    """Return the moves of an engine in all games, without opening moves."""
    return [
        entry for game in games for side in (0, 1) if (game.first, game.second)[side] == name
        for entry in game.moves_of(side)
    ]  # fmt: skip


def mean_time_s(moves: Sequence[MoveEntry]) -> float | None:
    """Return the mean time of moves in seconds, or None if there are no moves."""
    return fmean(entry.time_ms for entry in moves) / MS_PER_S if moves else None


def iter_legal_move_counts(run: Run) -> Iterator[tuple[GameEnded, int, int]]:
    """Yield (game, ply, number of legal moves) for each position of a move after the opening; plies count from 0."""
    header = run.header
    # one position is moved along all games, and back to the start position after each
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
    """The range that contains the middle 80 % of some values."""

    low: float  # 10th percentile
    median: float
    high: float  # 90th percentile

    def __str__(self) -> str:
        return f"{format_figure(self.low)} to {format_figure(self.high)}"


def compute_spread(values: Iterable[float]) -> Spread | None:
    """Return the spread of some values, or None if there are none."""
    ordered = sorted(values)
    if not ordered:
        return None
    low, middle, high = (ordered[round(share * (len(ordered) - 1))] for share in (0.1, 0.5, 0.9))
    return Spread(low, middle, high)


def format_figure(value: float) -> str:
    """Return a number with three significant digits, and all digits of its integer part, such as `0.0123`, `12,345`."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"  # .3g would show 999.5 as 1e+03
