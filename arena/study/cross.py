"""Cross tables of studies: who won how much against whom."""

from __future__ import annotations

from collections.abc import Sequence

from arena.log.file import Run
from arena.study.readings import Score, count_scores, list_moves_of, mean_time_s, total_score
from arena.study.study import Cell, StudyTable


def make_cross_table(title: str, run: Run) -> StudyTable:
    """Games won by the row against the column, with draws where there are any, then its share and time a move."""
    scores = count_scores(run.games)
    rows: list[list[Cell]] = []
    for name in run.names:
        cells: list[Cell] = [_format_score(scores.get((name, other))) for other in run.names]
        share = total_score(scores, name).share
        rows.append([name, *cells, None if share is None else f"{share:.0%}", mean_ms(run, name)])
    return StudyTable(title, ("", *run.names, "score", "ms a move"), rows)


def mean_ms(run: Run, name: str) -> float | None:
    """Milliseconds a move of an engine."""
    seconds = mean_time_s(list_moves_of(run.games, name))
    return None if seconds is None else 1000 * seconds


def list_shares(run: Run) -> Sequence[float | None]:
    """The engines' shares of all points, in their order."""
    scores = count_scores(run.games)
    return [total_score(scores, name).share for name in run.names]


def count_distinct(run: Run) -> int:
    """Games that differ from all earlier ones."""
    return len({game.all_moves for game in run.games})


def _format_score(score: Score | None) -> str:
    if score is None:
        return ""
    return f"{score.won}+{score.drawn}=" if score.drawn else str(score.won)
