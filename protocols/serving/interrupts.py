"""Handles Ctrl-C (SIGINT; on Windows also Ctrl-Break), by which people and some hosts stop a search.

The first interrupt makes the session answer at once. A second one within a second ends the process, so that a person
at a terminal can leave. One that follows within ECHO_S counts as the same interrupt.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from core.system.early_interrupts import SIGINT_EXIT_STATUS

SECOND_INTERRUPT_S = 1.0  # two interrupts within this time end the process
# A one-file executable gets a terminal's interrupt twice: from the terminal, and from its boot loader, which forwards
# the interrupt that it gets itself. Two interrupts within this time count as one.
ECHO_S = 0.1
_CTRL_C, _CTRL_BREAK = 0, 1  # of Windows' SetConsoleCtrlHandler
_handlers: list[object] = []  # keeps the ctypes callbacks alive; Windows holds only the address


class Interrupts:
    """Classifies interrupts by time: first, second or echo (one that is delivered twice). Times are monotonic."""

    def __init__(self) -> None:
        self._last_s = float("-inf")  # time of the last interrupt that was not an echo

    def is_echo(self, at_s: float) -> bool:
        """Return whether an interrupt is the previous one, delivered again. Record nothing."""
        return at_s - self._last_s < ECHO_S

    def is_second(self, at_s: float) -> bool:
        """Record an interrupt, and return whether it comes within SECOND_INTERRUPT_S of the previous one."""
        since_s, self._last_s = at_s - self._last_s, at_s
        return since_s <= SECOND_INTERRUPT_S


def listen_for_interrupts(on_interrupt: Callable[[], None]) -> None:
    """Call `on_interrupt` on a new thread for each interrupt; end the process at a second one. Main thread only.

    The signal handler only writes to a pipe. A handler in Python would run on the main thread: on Windows that thread
    does not run handlers while it waits for a lock, and the handler could need a lock that the main thread holds.
    """
    read_end, write_end = os.pipe()
    if sys.platform == "win32":
        _install_console_handler(lambda: os.write(write_end, b"!"))
    else:
        os.set_blocking(write_end, False)
        signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGINT, _ignore)
    threading.Thread(target=_listen, args=(read_end, on_interrupt), name="interrupts", daemon=True).start()


def _install_console_handler(notify: Callable[[], object]) -> None:
    """Call `notify` for each Ctrl-C or Ctrl-Break, on a thread that Windows creates.

    `signal.set_wakeup_fd` would need a socket on Windows, and our executables contain no socket module.
    """
    if sys.platform != "win32":
        raise AssertionError("Windows only")

    def handle(kind: int) -> bool:
        if kind in (_CTRL_C, _CTRL_BREAK):
            notify()
        return kind in (_CTRL_C, _CTRL_BREAK)  # other events, such as closing the window, get the default action

    handler = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint32)(handle)
    _handlers.append(handler)
    ctypes.windll.kernel32.SetConsoleCtrlHandler(handler, True)


def _ignore(_: int, _frame: object) -> None:
    """Do nothing. Python writes to the wakeup pipe only for signals that have a Python handler."""


def _listen(read_end: int, on_interrupt: Callable[[], None]) -> None:
    interrupts = Interrupts()
    while os.read(read_end, 1):
        now_s = time.perf_counter()
        if interrupts.is_echo(now_s):
            continue
        if interrupts.is_second(now_s):
            os._exit(SIGINT_EXIT_STATUS)
        threading.Thread(target=on_interrupt, name="interrupt", daemon=True).start()  # the next interrupt must not wait
