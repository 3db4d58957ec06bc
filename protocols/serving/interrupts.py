"""Ctrl-C and its like, by which hosts of engines cancel a search: SIGINT, and SIGBREAK to a process group on Windows.

One word asks for an answer, a second one within a second ends the process, so that a person at a terminal gets out.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

AGAIN_S = 1.0
SAME_S = 0.1  # a terminal tells a one-file executable's boot loader, too, which hands it on: that is one word, not two
_CTRL_C, _CTRL_BREAK = 0, 1  # of Windows' SetConsoleCtrlHandler
_handlers: list[object] = []  # the system's own reference to one does not keep it alive
SIGINT_EXIT_STATUS = 130  # what shells say of a program that Ctrl-C has ended


class Interrupts:
    """Tells one word from the next: `is_second` says of each whether it ends the process, `is_echo` whether it counts.

    Times are those of a clock that only goes on.
    """

    def __init__(self) -> None:
        self._last_s = float("-inf")  # of those that count

    def is_echo(self, at_s: float) -> bool:
        """Whether the word that came is the one before, told twice."""
        return at_s - self._last_s < SAME_S

    def is_second(self, at_s: float) -> bool:
        """Count a word; whether it followed another within a second."""
        since_s, self._last_s = at_s - self._last_s, at_s
        return since_s <= AGAIN_S


def hear_interrupts(answer: Callable[[], None]) -> None:
    """Call `answer` on a thread of its own for each first word from now on; only the main thread may ask for this.

    The system's handler writes to a pipe: a handler in Python would wait for the main thread, which on Windows hears
    nothing while it waits for a lock, and could meet locks that the main thread holds.
    """
    reading, writing = os.pipe()
    if sys.platform == "win32":
        _hear_console(lambda: os.write(writing, b"!"))
    else:
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        signal.signal(signal.SIGINT, _ignore)
    threading.Thread(target=_listen, args=(reading, answer), name="interrupts", daemon=True).start()


def _hear_console(tell: Callable[[], object]) -> None:
    """Windows calls the handler on a thread that it makes. Its `signal` would want sockets, which no executable has."""
    if sys.platform != "win32":
        raise AssertionError("Windows only")

    def handle(kind: int) -> bool:
        if kind in (_CTRL_C, _CTRL_BREAK):
            tell()
        return kind in (_CTRL_C, _CTRL_BREAK)  # else what is usual: the window is closed, the user logs off

    handler = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint32)(handle)
    _handlers.append(handler)
    ctypes.windll.kernel32.SetConsoleCtrlHandler(handler, True)


def _ignore(_: int, _frame: object) -> None:
    """A handler in Python must be there for the system's one to be."""


def _listen(reading: int, answer: Callable[[], None]) -> None:
    interrupts = Interrupts()
    while os.read(reading, 1):
        now_s = time.perf_counter()
        if interrupts.is_echo(now_s):
            continue
        if interrupts.is_second(now_s):
            os._exit(SIGINT_EXIT_STATUS)
        threading.Thread(target=answer, name="interrupt", daemon=True).start()  # the next word must not wait for it
