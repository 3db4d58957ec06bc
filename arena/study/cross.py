"""Cross tables of studies: who won how much against whom."""

from __future__ import annotations

from collections.abc import Sequence

from arena.log.file import Run
from arena.study.readings import Score, count_scores, list_moves_of, mean_time_s, total_score
from arena.study.study import Cell, StudyTable


def make_cross_table(title: str, run: Run) -> StudyTable:
    """Return games won by the row engine against the column engine, its share of the points, and its time per move."""
    scores = count_scores(run.games)
    rows: list[list[Cell]] = []
    for name in run.names:
        cells: list[Cell] = [_format_score(scores.get((name, other))) for other in run.names]
        share = total_score(scores, name).share
        rows.append([name, *cells, None if share is None else f"{share:.0%}", mean_ms(run, name)])
    return StudyTable(title, ("", *run.names, "score", "ms a move"), rows)


def mean_ms(run: Run, name: str) -> float | None:
    """Return the mean time per move of an engine in milliseconds, or None if it made no move."""
    seconds = mean_time_s(list_moves_of(run.games, name))
    return None if seconds is None else 1000 * seconds


def list_shares(run: Run) -> Sequence[float | None]:
    """Return each engine's share of the points it played for, in the order of `run.names`."""
    scores = count_scores(run.games)
    return [total_score(scores, name).share for name in run.names]


def count_distinct(run: Run) -> int:
    """Return the number of distinct games."""
    return len({game.all_moves for game in run.games})


def _format_score(score: Score | None) -> str:
    if score is None:
        return ""
    return f"{score.won}+{score.drawn}=" if score.drawn else str(score.won)
