"""What all commands share: their exit codes, where they print, and arguments that many of them have."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from arena.errors import UsageError

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 3  # exit codes; a run has one more, arena/run/config.py

GameName = Annotated[str, Parameter(help="Name of the game.")]


def open_out() -> Console:
    """Standard output; made anew each time, as the streams may have been exchanged since."""
    return Console(highlight=False)


def open_err() -> Console:
    """Standard error, likewise."""
    return Console(stderr=True, highlight=False)


def check_seconds(option: str, seconds: float, least: float = 0.0) -> None:
    """Raise UsageError where a time is not above 0 s and `least` s or more, or beyond all that protocols can say."""
    from arena.terms.clock import MOST_S

    if not (0 < seconds <= MOST_S and seconds >= least):
        low = f"{least:g} s or more" if least else "above 0 s"
        raise UsageError(f"{option} must be {low}, and at most {MOST_S} s, not {seconds:g}")


def show_waiting(text: str) -> Progress:
    """What lives on a terminal while something takes long: a context, which may be entered again. Elsewhere nothing.

    Lines on standard error are printed above it.
    """
    console = open_err()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    progress.add_task(text, total=None)
    return progress
