"""End an engine without a traceback when Ctrl-C (SIGINT) is pressed while it starts.

Once the protocol session runs, it handles interrupts itself. Without this module Python would print a traceback of
the interrupted import.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SIGINT_EXIT_STATUS = 130  # 128 + SIGINT: the status that shells report for a program ended by Ctrl-C


def exit_on_interrupt() -> None:
    """Let SIGINT end the process at once, with SIGINT_EXIT_STATUS, until another handler is installed.

    The handler does not raise an exception, because Python prints exceptions that are raised inside callbacks, such as
    those of the import system.
    """
    signal.signal(signal.SIGINT, _exit)


@contextmanager
def clean_up_on_interrupt() -> Iterator[None]:
    """Let SIGINT raise SystemExit within the `with` block, so that the code there can remove its temporary files."""
    old_handler = signal.signal(signal.SIGINT, _raise_exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old_handler)


def _exit(_: int, _frame: object) -> None:
    os._exit(SIGINT_EXIT_STATUS)


def _raise_exit(_: int, _frame: object) -> None:
    sys.exit(SIGINT_EXIT_STATUS)
