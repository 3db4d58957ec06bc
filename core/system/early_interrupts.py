"""Ends an engine without a word when Ctrl-C (SIGINT) comes while it starts, before its session handles interrupts.

By default Python would print a traceback of the import that was interrupted.
"""

from __future__ import annotations

import os
import signal

SIGINT_EXIT_STATUS = 130  # 128 + SIGINT, the status that shells report for a program that Ctrl-C has ended


def exit_on_interrupt() -> None:
    """Let SIGINT end the process at once, with SIGINT_EXIT_STATUS, until another handler is installed.

    An exception would not do: Python prints those that are raised inside callbacks, such as the import system's.
    """
    signal.signal(signal.SIGINT, _exit)


def _exit(_: int, _frame: object) -> None:
    os._exit(SIGINT_EXIT_STATUS)
