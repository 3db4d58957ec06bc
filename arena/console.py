"""What all commands share: their exit codes, where they print, and arguments that many of them have."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 3  # exit codes; a run has one more, arena/config.py

GameName = Annotated[str, Parameter(help="Name of the game.")]


def open_out() -> Console:
    """Standard output; made anew each time, as the streams may have been exchanged since."""
    return Console(highlight=False)


def open_err() -> Console:
    """Standard error, likewise."""
    return Console(stderr=True, highlight=False)
