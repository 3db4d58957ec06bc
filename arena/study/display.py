"""Progress display of a study on the terminal: the current part and its games or measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from arena.run.config import MatchConfig
from arena.run.display import REPORT_INTERVAL_GAMES, LiveDisplay


class StudyDisplay:
    """Shows a study on a console (an `arena.study.run.StudyScreen`)."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def tell(self, text: str) -> None:
        """Print a line."""
        self._console.print(text, markup=False, soft_wrap=True)

    @contextmanager
    def watch_games(self, config: MatchConfig) -> Iterator[LiveDisplay]:
        """Show the progress of a match, without a line per game."""
        with LiveDisplay(self._console, config.planned, tells_games=False) as screen:
            yield screen

    @contextmanager
    def watch_chains(self, done: int, planned: int) -> Iterator[Callable[[], None]]:
        """Show a progress bar of measurements; without a terminal, print a line at regular intervals."""
        is_shown = self._console.is_terminal
        columns = (TextColumn("measurements"), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TimeRemainingColumn())
        with Progress(*columns, *times, console=self._console, transient=True, disable=not is_shown) as bar:
            task = bar.add_task("", total=planned, completed=done)

            def advance() -> None:
                bar.advance(task)
                if not is_shown and bar.tasks[0].completed % REPORT_INTERVAL_GAMES == 0:
                    self.tell(f"{bar.tasks[0].completed:g} of {planned} measurements")

            yield advance
