"""Cross tables of studies: results of every engine against every other one, with scores and times."""

from __future__ import annotations

from collections.abc import Sequence

from arena.log.file import Run
from arena.results.run_statistics import compute_statistics
from arena.study.game_statistics import Score, count_scores, format_share
from arena.study.study import Cell, StudyTable


def make_cross_table(title: str, run: Run) -> StudyTable:
    """Return a table with a row for each engine: wins against each opponent, share of the points, mean time per move.

    A cell such as `3+1=` means three wins and one draw against the engine of the column.
    """
    scores = count_scores(run.games)
    rows: list[list[Cell]] = []
    for engine in compute_statistics(run.names, run.games).engines:
        cells: list[Cell] = [_format_score(scores.get((engine.name, opponent))) for opponent in run.names]
        rows.append([engine.name, *cells, format_share(engine.score), engine.mean_ms])
    return StudyTable(title, ("", *run.names, "score", "ms per move"), rows)


def list_score_shares(run: Run) -> Sequence[float | None]:
    """Return each engine's points divided by its games, in the order of `run.names`."""
    return [engine.score for engine in compute_statistics(run.names, run.games).engines]


def count_distinct_games(run: Run) -> int:
    """Return the number of different move sequences among the games of a run."""
    return len({game.all_moves for game in run.games})


def _format_score(score: Score | None) -> str:
    """Return the wins and draws of a score; empty if the two engines did not play each other."""
    if score is None:
        return ""
    return f"{score.won}+{score.drawn}=" if score.drawn else str(score.won)
