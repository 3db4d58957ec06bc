"""What all commands share: their exit codes, where they print, and arguments that many of them have."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from enum import IntEnum
from io import TextIOWrapper
from typing import IO, Annotated, Any, NoReturn

from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from arena.errors import UsageError
from core.system.streams import open_missing_streams


class ExitCode(IntEnum):
    """Exit codes of the `pentad` command."""

    SUCCESS = 0
    FAILURE = 1  # the command failed, or an engine stopped the run
    USAGE_ERROR = 2
    INTERRUPTED = 3  # `pentad resume` continues the run
    H0_ACCEPTED = 4  # the sequential test accepted ELO0, with --h0-fails


GameName = Annotated[str, Parameter(help="Name of the game.")]


class SafeConsole(Console):
    """A console that no text of others can command, and that calls `on_closed` if nobody reads its stream any more.

    Later output is thrown away. Rich itself would end the process without a word.
    """

    def __init__(self, on_closed: Callable[[], None], *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False)
        self._on_closed = on_closed

    def print(self, *objects: Any, **terms: Any) -> None:
        """Print as rich does, texts without their control characters."""
        from arena.log.engine_output import make_printable

        super().print(*(make_printable(part, "\n\t") if isinstance(part, str) else part for part in objects), **terms)

    def on_broken_pipe(self) -> None:
        """Handle an output that nobody reads; rich calls this."""
        discard_output(self.file)
        self._on_closed()


def stdout_console(*, goes_on: bool = False) -> Console:
    """Open standard output; made anew each time, as the streams may have been exchanged since.

    If nobody reads it any more, the command ends by BrokenPipeError, or with `goes_on` says so and continues.
    """
    return SafeConsole(_tell_output_is_closed if goes_on else _stop)


def stderr_console() -> Console:
    """Open standard error, likewise; if nobody reads it, the command continues."""
    return SafeConsole(lambda: None, stderr=True)


def _tell_output_is_closed() -> None:
    stderr_console().print("pentad: standard output is closed; the run goes on and writes its files")


def _stop() -> NoReturn:
    raise BrokenPipeError(errno.EPIPE, "standard output is closed")


def prepare_streams() -> None:
    """Make standard input, output and error usable, whatever the command was started with.

    What is closed becomes the null device, since the first files that are opened would take its number. Characters that
    a console cannot show (cp1252 on Windows) become question marks instead of ending the command.
    """
    open_missing_streams()
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end
        elif isinstance(stream, TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="replace")


def discard_output(stream: IO[str]) -> None:
    """Let everything that is still written to a stream go to the null device."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def flush_output() -> None:
    """Write what standard output still holds; if nobody reads it, nobody misses it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output(sys.stdout)


def check_seconds(option: str, seconds: float, least: float = 0.0) -> None:
    """Raise UsageError where a time is not above 0 s and `least` s or more, or beyond all that protocols can say."""
    from protocols.driving.deadlines import MAX_SECONDS

    if not (0 < seconds <= MAX_SECONDS and seconds >= least):
        low = f"{least:g} s or more" if least else "above 0 s"
        raise UsageError(f"{option} must be {low}, and at most {MAX_SECONDS} s, not {seconds:g}")


def waiting_spinner(text: str) -> Progress:
    """What lives on a terminal while something takes long: a context, which may be entered again. Elsewhere nothing.

    Lines on standard error are printed above it.
    """
    console = stderr_console()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    progress.add_task(text, total=None)
    return progress
