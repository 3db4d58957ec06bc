"""Terminal output of a tuning: a live display of its progress, and its tables at the end."""

from __future__ import annotations

import time

from rich.console import Console, Group
from rich.progress import TextColumn
from rich.table import Table
from rich.text import Text

from arena.console import LiveScreen
from arena.tune.events import IterationEnded, PairPlayed
from arena.tune.log import Tuning
from arena.tune.report import describe_parameters, sparkline

REPORTS = 20  # progress reports of a tuning if the output is not a terminal
SPARKLINE_WIDTH = 24  # characters


class TuningDisplay(LiveScreen):
    """Shows the progress of a tuning.

    If `console` is a terminal, it draws a table of the parameters and a progress bar there; if not, it prints a line
    twenty times during the tuning.
    """

    def __init__(self, console: Console) -> None:
        self._tuning: Tuning | None = None
        self._games = 0  # of this session
        self._began_s = time.perf_counter()
        super().__init__(console, TextColumn("{task.description}"))
        self._task = self._progress.add_task("iteration")

    def on_start(self, tuning: Tuning) -> None:
        """Show the state of the tuning at the start of a session."""
        self._tuning, self._began_s = tuning, time.perf_counter()
        # Iterations of earlier sessions must not distort the estimate of the remaining time
        self._progress.reset(self._task, total=tuning.header.iterations, completed=tuning.spsa.iteration)

    def on_pair(self, pair: PairPlayed) -> None:
        """Count the games of a pair."""
        self._games += len(pair.games)

    def on_iteration(self, iteration: IterationEnded) -> None:
        """Update the display; if the output is not a terminal, print a line from time to time."""
        self._progress.update(self._task, completed=iteration.number)
        if self._tuning is None or self._console.is_terminal:
            return
        planned = self._tuning.header.iterations
        if iteration.number * REPORTS // planned > (iteration.number - 1) * REPORTS // planned:
            rows = describe_parameters(self._tuning)
            values = ", ".join(f"{row.name}={row.value}" for row in rows)
            self.show_message(f"iteration {iteration.number} of {planned}, {self._speed()}: {values}")

    def _speed(self) -> str:
        """Return the number of games, and the games per minute of this session."""
        games = self._tuning.games if self._tuning else 0
        minutes = (time.perf_counter() - self._began_s) / 60
        return f"{games} games, {self._games / minutes:.0f} games a minute" if minutes else f"{games} games"

    def _render(self) -> Group:
        if self._tuning is None:
            return Group(self._progress)
        return Group(_make_table(self._tuning), Text(self._speed(), style="dim"), self._progress)


def _make_table(tuning: Tuning) -> Table:
    """Return a table with a row per parameter."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("parameter", overflow="ellipsis", no_wrap=True)
    for heading in ("start", "now", "range", "perturbation", "steps"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("course", no_wrap=True)
    for index, row in enumerate(describe_parameters(tuning)):
        course = sparkline(tuning, index, SPARKLINE_WIDTH)
        table.add_row(row.name, row.start, row.mean, row.range, row.perturbation, f"{row.steps:+.2f}", course)
    return table
