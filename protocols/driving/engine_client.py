"""What the driving sides of all protocols share: the program's life, its deadlines, and what is known of its failures.

After an EngineFault nothing is known of the program; the next game kills it and starts it anew.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from core.play.options import OptionSet
from core.play.player import Limits, Player, Setup
from protocols.driving.deadlines import DEFAULT_DEADLINES, Deadlines
from protocols.driving.excerpt import Excerpt
from protocols.driving.line_buffers import ArrivedLine, LastLines
from protocols.driving.process import EngineError, EngineProcess, EngineTerminated, LineCallback, ignore_lines
from protocols.text import quote_line

NS_PER_MS = 1_000_000  # nanoseconds
KEPT_LENGTH = 1000  # characters of a message; one endless line must not push all others out


def last_line_suffix(lines: Sequence[str]) -> str:
    """The last line that is not blank, as the end of a message: a program of another protocol shows by it."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return f", the last line was {quote_line(last)}" if last else ""


class ClientSettings(TypedDict, total=False):
    """How a program is started and waited for; see EngineClient."""

    cwd: str | Path | None
    env: Mapping[str, str] | None
    grace_ms: int
    deadlines: Deadlines


class EngineClient(Player):
    """A program behind its command line. Besides the Player interface:

    - `about`: what it says of itself by lower-case name, empty where it said nothing;
    - `messages`: the last lines that it wrote besides the answer since the last command;
    - `last_elapsed_ms`: from handing over the last move command to the arrival of the move;
    - `process`: the running program, None before the first game and after `close`;
    - `deadlines`: what it may take for anything but thinking, and for a move without a clock;
    - `on_line`: gets every line of either side, of processes that are started after it was set;
    - `required_limits`: `depth` or `nodes` that every search has; a program that cannot take them is refused
      at its start, with EngineError.

    `grace_ms` is how long `choose` waits beyond its limits before it raises EngineTimeout; judging lateness is the
    arena's business. Without limits of time it waits `deadlines.move_s`.
    """

    quit_command: str  # the command that ends the program

    def __init__(
        self,
        command: str | Sequence[str],
        options: OptionSet,
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        grace_ms: int = 1000,
        deadlines: Deadlines = DEFAULT_DEADLINES,
    ) -> None:
        self.options = options
        self.about: dict[str, str] = {}
        self.messages = LastLines()
        self.last_elapsed_ms = 0.0
        self.process: EngineProcess | None = None
        self._last_process: EngineProcess | None = None  # the last one that has ended
        self.on_line: LineCallback = ignore_lines
        self.required_limits: tuple[str, ...] = ()
        self._stderr = Excerpt()  # of all processes that this client starts
        self._command = command
        self._place = (cwd, env)
        self._grace_ms = grace_ms
        self.deadlines = deadlines
        self._setup = Setup()
        self._moves: list[str] = []
        self._engine_moves: list[str] | None = None  # the program's own position; None after something went wrong
        self._broken = False

    @abstractmethod
    def _handshake(self) -> None:
        """What happens once, when the program has just been started."""

    def _require_limit(self, name: str) -> None:
        """Raise EngineError where the program cannot be told a limit of depth or nodes; called after the greeting."""

    def close(self) -> None:
        """Say farewell, wait for the program's end, then kill whatever is left."""
        process = self.process
        if process:
            try:
                process.write(self.quit_command)
                process.end(self.deadlines.quit_s)
            finally:
                self.kill()

    def kill(self) -> None:
        """End the program without ceremony. Whatever fails meanwhile, the client has no process afterwards."""
        process = self.process
        if process:
            try:
                process.kill()
            finally:
                self.process, self._last_process = None, process

    def interrupt(self) -> None:
        """Begin to end the program, from any thread, and return at once; who waits for an answer gets EngineDied."""
        process = self.process
        if process:
            process.kill_soon()

    @property
    def stderr_tail(self) -> str:
        """The last of what the program, or the last one that has ended, wrote to its standard error."""
        process = self.process or self._last_process
        return process.stderr_tail if process else ""

    def take_stderr(self) -> str:
        """What the program wrote to its standard error since the last time; of very much only beginning and end."""
        return self._stderr.take()

    @contextmanager
    def _marking_failures(self) -> Iterator[None]:
        """Note a failure, so that the next game begins with a fresh process."""
        try:
            yield
        except EngineError as fault:
            self._broken = True
            fault.stderr = self.stderr_tail
            raise

    def _require_process(self) -> EngineProcess:
        if self.process is None:
            raise EngineTerminated("the program is not running; begin a new game first")
        return self.process

    def _ensure_running(self) -> None:
        if self._broken:
            self.kill()
        if self.process is None:
            cwd, env = self._place
            self.process = EngineProcess(
                self._command, cwd=cwd, env=env, on_stderr=self._stderr.add, on_line=self.on_line
            )
            self._broken = False
            try:
                self._handshake()
                for name in self.required_limits:
                    self._require_limit(name)
            except BaseException:
                self.kill()  # else the next call would find a program that was neither greeted nor checked
                raise

    def _answer_timeout_ms(self, limits: Limits) -> int:
        known = [max(0, limit) for limit in (limits.move_time_ms, limits.time_left_ms) if limit is not None]
        return min(known) + self._grace_ms if known else int(self.deadlines.move_s * 1000)

    def _timeout_message(self, began_ns: int, deadline_ns: int) -> str:
        return f"no move within {(deadline_ns - began_ns) / NS_PER_MS:.0f} ms{last_line_suffix(self.messages)}"

    def _keep_message(self, line: ArrivedLine) -> None:
        self.messages.add(line.text[:KEPT_LENGTH])

    def _collect_stale_lines(self) -> None:
        """What is still lying about belongs to no command."""
        for line in self._require_process().drain():
            self._keep_message(line)
