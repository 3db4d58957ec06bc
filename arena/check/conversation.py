"""The parts of a conversation with a program under test that do not depend on the protocol."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from arena.check.check_list import CheckFailed, fatal_failures
from protocols.driving.process import EngineError, EngineProcess, EngineTerminated, EngineTimeout

SILENCE_S = 0.3  # after this time without output, a command counts as unanswered


@contextmanager
def start_program(
    command: str | Sequence[str],
    quit_command: str,
    quit_s: float,
    *,
    keeps_blanks: bool = False,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
) -> Iterator[EngineProcess]:
    """Start a program for the time of a `with` block; then send its quit command, and kill it `quit_s` seconds later.

    In these seconds it can exit by itself. A one-file executable deletes its unpacked files only if it is not killed.
    `cwd` is the working directory of the program, and `env` is added to our environment.
    """
    with fatal_failures():
        process = EngineProcess(command, keeps_blanks=keeps_blanks, cwd=cwd, env=env)
    try:
        yield process
    finally:
        with suppress(EngineError):  # it may have exited already
            process.write(quit_command)
        process.end(quit_s)


class Conversation:
    """A conversation with one process. The methods raise CheckFailed if the program does not do what is expected."""

    def __init__(self, process: EngineProcess, silence_s: float = SILENCE_S) -> None:
        self.process = process
        self.started_ns = time.perf_counter_ns()
        self._silence_s = silence_s

    def expect_silence(self, cause: str, is_output: Callable[[str], bool] = lambda _: True) -> None:
        """Expect no output for `silence_s` seconds; the program may exit. `cause` names what was sent.

        Lines for which `is_output` is false are ignored.
        """
        try:
            line = self.process.wait_line(is_output, time.perf_counter_ns() + int(self._silence_s * 1e9))
        except (EngineTimeout, EngineTerminated):
            return
        raise CheckFailed(f"unexpected output after {cause}: {line.text!r}")

    def expect_exit(self, within_s: float, cause: str) -> str:
        """Expect the program to exit by itself within `within_s` after `cause`; return how long it took, as text."""
        began_s = time.perf_counter()
        if not self.process.wait_exit(within_s):
            raise CheckFailed(f"still running {within_s:g} s after {cause}")
        return f"{time.perf_counter() - began_s:.2f} s"
