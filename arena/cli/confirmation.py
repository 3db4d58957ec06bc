"""Ask the user before the engine commands of a log are run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arena.console import stderr_console
from arena.errors import CommandFailedError, UsageError

if TYPE_CHECKING:
    from arena.run.config import MatchConfig

MAX_SHOWN_COMMANDS = 1000  # characters of a log's commands in an error message


def confirm_commands(config: MatchConfig, header_hash: str) -> None:
    """Ask the user before the commands in a log are run, unless this user began the run on this machine.

    `header_hash` is the SHA-256 of the first line of the log. Raise UsageError if there is no
    terminal to ask on, CommandFailedError if the answer is no.
    """
    from arena.run.trusted_runs import is_trusted_run, list_commands

    commands = list_commands(config)
    if not commands or is_trusted_run(header_hash):
        return
    question = f"you did not begin the run in {config.out} on this machine, and resuming it runs"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        shown = "; ".join(commands)
        shown = shown if len(shown) <= MAX_SHOWN_COMMANDS else f"{shown[:MAX_SHOWN_COMMANDS]}..."
        raise UsageError(f"{question} {shown}: give --yes if you trust it")
    console = stderr_console()
    console.print("\n  ".join((question, *commands)), markup=False, soft_wrap=True)
    try:
        answer = console.input("Continue? [y/N] ", markup=False)
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        raise CommandFailedError("not resumed: nothing was run")
