"""The crosstable in the form of Gomocup's result pages, as text and CSV.

Engines are ranked by Gomocup's ratio: points won per point lost, a draw being half a point for both. The columns after
the ratio are the opponents in this order; a cell has the row's wins and losses, such as `5:3`, and draws as a third
number if the run has any. Source: the tables of Gomocup's tournament manager (github.com/Gomocup/GomocupJudge).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from arena.results.game_records import escape_formula
from arena.results.outcome import RunOutcome
from arena.results.ratings import Estimate
from arena.results.run_statistics import EngineStatistics
from arena.results.tables import UNDEFINED, format_table

Counts = tuple[int, int, int]  # won, lost, drawn
_COLUMNS = ("rank", "name", "elo", "games", "wins", "losses", "draws", "ratio")  # of the CSV, before the opponents


@dataclass(frozen=True)
class _Row:
    """One engine of the table."""

    engine: EngineStatistics
    elo: float | None  # None without a single estimate
    against: tuple[Counts | None, ...]  # by opponent in the order of the table; None: itself

    @property
    def total(self) -> Counts:
        """All games of the engine."""
        return self.engine.won, self.engine.lost, self.engine.drawn

    @property
    def ratio(self) -> float | None:
        """Points won per point lost, None if no point was lost."""
        lost = self.engine.lost + self.engine.drawn / 2
        return self.engine.points / lost if lost else None


def format_gomocup_table(outcome: RunOutcome) -> str:
    """Return the table as text."""
    rows = _list_rows(outcome)
    has_draws = any(row.engine.drawn for row in rows)
    cells: list[Sequence[str]] = [("# name", "Elo", "total", "ratio", *(str(rank) for rank in _ranks(rows)))]
    for rank, row in enumerate(rows, 1):
        elo = UNDEFINED if row.elo is None else f"{row.elo:.0f}"
        opponents = ("-" if counts is None else _format_counts(counts, has_draws) for counts in row.against)
        cells.append(
            (f"{rank} {row.engine.name}", elo, _format_counts(row.total, has_draws), _format_ratio(row), *opponents)
        )
    meaning = "wins:losses:draws" if has_draws else "wins:losses"
    return format_table(cells) + f"cells: {meaning}; ratio: points won per point lost\n"


def format_gomocup_csv(outcome: RunOutcome) -> str:
    """Return the table as CSV, with three columns per opponent: a spreadsheet would read `5:3` as a time."""
    rows = _list_rows(outcome)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    kinds = ("wins", "losses", "draws")
    writer.writerow([*_COLUMNS, *(f"{kind} against {rank}" for rank in _ranks(rows) for kind in kinds)])
    for rank, row in enumerate(rows, 1):
        elo = "" if row.elo is None else f"{row.elo:.1f}"
        ratio = "" if row.ratio is None else f"{row.ratio:.3f}"
        opponents = (count for counts in row.against for count in counts or ("", "", ""))
        name = escape_formula(row.engine.name)
        writer.writerow([rank, name, elo, row.engine.games, *row.total, ratio, *opponents])
    return text.getvalue()


def _list_rows(outcome: RunOutcome) -> list[_Row]:
    """Return the rows in the order of the table."""
    against: dict[tuple[str, str], Counts] = {}  # by names of the row's and the column's engine
    for pairing in outcome.statistics.pairings:
        lost, drawn, won = pairing.game_counts
        first, second = pairing.names
        against[first, second], against[second, first] = (won, lost, drawn), (lost, won, drawn)
    engines = sorted(outcome.statistics.engines, key=lambda engine: (-(engine.score or 0), -engine.won))
    return [
        _Row(
            engine,
            _find_elo(outcome, engine.name),
            tuple(None if other is engine else against.get((engine.name, other.name), (0, 0, 0)) for other in engines),
        )
        for engine in engines
    ]


def _find_elo(outcome: RunOutcome, name: str) -> float | None:
    """Return the rating of an engine if it is a single number."""
    rating = outcome.ratings.engines[name] if outcome.ratings else None
    return rating.elo if isinstance(rating, Estimate) else None


def _ranks(rows: Sequence[_Row]) -> range:
    return range(1, len(rows) + 1)


def _format_counts(counts: Counts, has_draws: bool) -> str:
    return ":".join(map(str, counts if has_draws else counts[:2]))


def _format_ratio(row: _Row) -> str:
    """Return the ratio; without a lost point it is infinite or, without games, undefined."""
    if row.ratio is not None:
        return f"{row.ratio:.3f}"
    return "inf" if row.engine.games else UNDEFINED
