"""Exit codes and console output shared by all commands."""

from __future__ import annotations

import errno
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import IntEnum
from io import TextIOWrapper
from types import TracebackType
from typing import Annotated, Any, NoReturn, Self

from cyclopts import Parameter
from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from arena.errors import UsageError
from bots.game_names import GAME_NAMES
from core.system.streams import discard_output, open_missing_streams


class ExitCode(IntEnum):
    """Exit codes of the `pentad` command."""

    SUCCESS = 0
    FAILURE = 1  # the command or a check failed, the run stopped early, or --strict found warnings
    USAGE_ERROR = 2
    INTERRUPTED = 3  # `pentad resume` continues the run
    H0_ACCEPTED = 4  # the sequential test accepted ELO0, with --h0-fails


# Types of arguments that several commands share
GameName = Annotated[str, Parameter(help=f"Name of the game: {', '.join(GAME_NAMES)}, or of an installed game.")]
BoardSize = Annotated[int | None, Parameter(help="Side length of the board, in Gomoku and Hex.")]
Rule = Annotated[
    str | None,
    Parameter(
        name=["--rule", "--type"],
        help="Variant of the game's rules, such as standard in Gomoku or Base+MLP in Hive; arena/README.md lists all.",
    ),
]


class SafeConsole(Console):
    """A rich console that prints `?` for control characters, and calls `on_closed` when its pipe is closed.

    Later output is discarded. Rich itself would end the process without a message. A name such as `a:snake:` does
    not become an emoji.
    """

    def __init__(self, on_closed: Callable[[], None], *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, emoji=False)
        self._on_closed = on_closed

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does, without control characters: text of engines and files must not control the terminal."""
        from arena.log.engine_output import make_printable

        super().print(*(make_printable(part, "\n\t") if isinstance(part, str) else part for part in objects), **options)

    def on_broken_pipe(self) -> None:
        """Handle a closed pipe; rich calls this."""
        discard_output(self.file)
        self._on_closed()


def stdout_console(*, ignores_closed_pipe: bool = False) -> Console:
    """Return a console for standard output, a new one per call because `sys.stdout` may have been replaced.

    If the pipe is closed, the console raises BrokenPipeError; with `ignores_closed_pipe` it only reports that once.
    """
    return SafeConsole(_report_closed_output if ignores_closed_pipe else _raise_broken_pipe)


def stderr_console() -> Console:
    """Return a console for standard error. If the pipe is closed, the command continues."""
    return SafeConsole(lambda: None, stderr=True)


def _report_closed_output() -> None:
    stderr_console().print("pentad: standard output is closed; the run continues and writes its files")


def _raise_broken_pipe() -> NoReturn:
    raise BrokenPipeError(errno.EPIPE, "standard output is closed")


def prepare_streams() -> None:
    """Make standard input, output and error usable even if some are closed.

    Closed streams become the null device; otherwise the next file that is opened would get their descriptor. Characters
    that a console cannot encode (cp1252 on Windows) are printed as question marks instead of raising an error.
    """
    open_missing_streams()
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - stays open until the process ends
        elif isinstance(stream, TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="replace")


def flush_output() -> None:
    """Flush standard output; if its pipe is closed, discard the rest."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output(sys.stdout)


def print_error(error: object, code: ExitCode) -> ExitCode:
    """Print an error on standard error, in one line if the user gave wrong options, and return the exit code."""
    text = " ".join(str(error).split()) if code == ExitCode.USAGE_ERROR else str(error).strip()
    stderr_console().print(f"pentad: {text}", style="red", markup=False, soft_wrap=True)
    return code


def check_seconds(option: str, seconds: float, minimum: float = 0.0) -> None:
    """Raise UsageError unless the time of an option is above 0, at least `minimum`, and at most `MAX_SECONDS`."""
    from protocols.driving.deadlines import MAX_SECONDS

    if not (0 < seconds <= MAX_SECONDS and seconds >= minimum):
        lower_limit = f"{minimum:g} s or more" if minimum else "above 0 s"
        raise UsageError(f"{option} must be {lower_limit}, and at most {MAX_SECONDS} s, not {seconds:g}")


def make_spinner(text: str) -> Progress:
    """Return a spinner for a long wait, as a context manager that can be reused; invisible if there is no terminal.

    Output to standard error appears above it.
    """
    console = stderr_console()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    progress.add_task(text, total=None)
    return progress


class LiveScreen(ABC):
    """A live display with a progress bar on a terminal; a context manager. On other outputs it prints only messages."""

    def __init__(self, console: Console, *columns: ProgressColumn) -> None:
        """`columns` come before the progress bar. A subclass sets what `_render` needs before it calls this."""
        self._console = console
        bar = BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
        self._progress = Progress(*columns, *bar, console=console)
        self._live = Live(get_renderable=self._render, console=console, refresh_per_second=4, transient=True)

    @abstractmethod
    def _render(self) -> Group:
        """Return what the terminal shows now."""

    def show_message(self, text: str) -> None:
        """Print a message above the live display, wrapped at words on a terminal."""
        self._console.print(text, markup=False, soft_wrap=not self._console.is_terminal)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()
