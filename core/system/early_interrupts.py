"""Ends an engine without a word when Ctrl-C (SIGINT) comes while it starts, before its session handles interrupts.

By default Python would print a traceback of the import that was interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SIGINT_EXIT_STATUS = 130  # 128 + SIGINT, the status that shells report for a program that Ctrl-C has ended


def exit_on_interrupt() -> None:
    """Let SIGINT end the process at once, with SIGINT_EXIT_STATUS, until another handler is installed.

    An exception would not do: Python prints those that are raised inside callbacks, such as the import system's.
    """
    signal.signal(signal.SIGINT, _exit)


@contextmanager
def clean_up_on_interrupt() -> Iterator[None]:
    """Return a context in which SIGINT raises SystemExit, so that the code inside can remove its temporary files."""
    before = signal.signal(signal.SIGINT, _raise_exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _exit(_: int, _frame: object) -> None:
    os._exit(SIGINT_EXIT_STATUS)


def _raise_exit(_: int, _frame: object) -> None:
    sys.exit(SIGINT_EXIT_STATUS)
