"""Progress display of `pentad study` on the terminal: lines of text, and the progress of the current part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from arena.run.config import MatchConfig
from arena.run.display import REPORT_INTERVAL_GAMES, LiveDisplay


class StudyDisplay:
    """Shows the progress of a study on a console; implements the protocol `arena.study.run.StudyObserver`."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def print_line(self, text: str) -> None:
        """Print a line."""
        self._console.print(text, markup=False, soft_wrap=True)

    @contextmanager
    def watch_games(self, config: MatchConfig) -> Iterator[LiveDisplay]:
        """Show the progress of a match, without a line for each game."""
        with LiveDisplay(self._console, config.planned, prints_games=False) as display:
            yield display

    @contextmanager
    def watch_chains(self, done: int, planned: int) -> Iterator[Callable[[], None]]:
        """Show a progress bar of measurements; if the output is no terminal, print a line after every ten of them.

        `done` of `planned` measurements exist already. The caller calls the yielded function after each further one.
        """
        has_bar = self._console.is_terminal
        columns = (TextColumn("measurements"), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TimeRemainingColumn())
        with Progress(*columns, *times, console=self._console, transient=True, disable=not has_bar) as bar:
            task = bar.add_task("", total=planned, completed=done)

            def advance() -> None:
                bar.advance(task)
                # the interval at which a match prints a line, too
                if not has_bar and bar.tasks[0].completed % REPORT_INTERVAL_GAMES == 0:
                    self.print_line(f"{bar.tasks[0].completed:g} of {planned} measurements")

            yield advance
