"""Base class of the Gomocup, UHP and GTP clients: starts and stops an engine, and restarts it after a failure.

After an EngineError the state of the engine is unknown, so the next game kills it and starts a new process.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from core.play.options import OptionSet
from core.play.player import Limits, Player, Setup
from protocols.driving.bounded_text import BoundedText
from protocols.driving.deadlines import DEFAULT_DEADLINES, Deadlines
from protocols.driving.line_buffers import ArrivedLine, LastLines
from protocols.driving.process import EngineError, EngineProcess, EngineTerminated, LineCallback, ignore_lines
from protocols.text import quote_line

NS_PER_MS = 1_000_000
MAX_MESSAGE_CHARS = 1000  # of a line in `messages`; without this limit one long line could replace all others


def last_line_suffix(lines: Sequence[str]) -> str:
    """Return text to append to an error message: a quotation of the last non-blank line, if there is one.

    Such a line shows, for example, that the program speaks another protocol.
    """
    last = next((line for line in reversed(lines) if line.strip()), "")
    return f", the last line was {quote_line(last)}" if last else ""


class ClientSettings(TypedDict, total=False):
    """Keyword arguments that all clients accept; see `EngineClient`."""

    cwd: str | Path | None
    env: Mapping[str, str] | None
    grace_ms: int
    deadlines: Deadlines


class EngineClient(Player):
    """An external engine as a Player. Attributes besides those of Player:

    - `about`: facts that the engine reports, by lower-case name (`name`, `version`, ...); empty if it reports none;
    - `messages`: the lines that the engine has printed since the last new game or search began, without the answers;
    - `last_elapsed_ms`: time from sending the last search command to receiving the move;
    - `process`: the running engine; None before its start and after `close` or `kill`;
    - `deadlines`: how long the client waits for answers, except those of searches with a time limit;
    - `on_line`: called for each line in both directions; set it before the engine starts;
    - `required_limits`: names (`depth`, `nodes`) of limits that later searches set; starting an engine that does not
      support one raises EngineError.

    If no move arrives, `choose` raises EngineTimeout `grace_ms` after the time limit of the search, or after
    `deadlines.move_s` if the search has no time limit. The arena decides whether a move that arrived after the limit,
    but within `grace_ms`, loses on time.

    `command` is a command line or a list of its arguments, `cwd` the working directory of the engine. `env` is added to
    the environment variables of this process.
    """

    quit_command: str  # the protocol's command that ends the engine

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
        self._last_process: EngineProcess | None = None  # the previous process, for `stderr_tail`
        self.on_line: LineCallback = ignore_lines
        self.required_limits: tuple[str, ...] = ()
        self._stderr_text = BoundedText()  # of all processes that this client has started
        self._command = command
        self._cwd = cwd
        self._env = env
        self._grace_ms = grace_ms
        self.deadlines = deadlines
        self._needs_restart = False  # the next game needs a new process
        # Set by the subclasses:
        self._setup = Setup()
        self._moves: list[str] = []  # of the game, as given to `set_position`
        # Moves in the engine's game, as far as the subclass knows; None if its position is unknown
        self._engine_moves: list[str] | None = None

    @abstractmethod
    def _handshake(self) -> None:
        """Do the protocol's handshake with an engine that has just been started."""

    @abstractmethod
    def set_parameter(self, name: str, value: str) -> None:
        """Set an option that the engine need not list, from its next game on and again after a restart.

        Raise OptionError if the engine refuses it, or EngineError. Whether a Gomocup engine knows an option cannot be
        told, because INFO has no answer.
        """

    def _require_limit(self, name: str) -> None:
        """Raise EngineError if the engine does not support the limit `depth` or `nodes`; by default it supports both.

        Called after the handshake.
        """

    def close(self) -> None:
        """Send the quit command, wait for the engine to exit, then kill its remaining processes."""
        process = self.process
        if process:
            try:
                process.write(self.quit_command)
                process.end(self.deadlines.quit_s)
            finally:
                self.kill()

    def kill(self) -> None:
        """End the engine without the quit command. `process` is None afterwards, even if this raises."""
        process = self.process
        if process:
            try:
                process.kill()
            finally:
                self.process, self._last_process = None, process

    def interrupt(self) -> None:
        """Kill the engine in the background. Thread-safe; a thread that waits for its answer gets EngineTerminated."""
        process = self.process
        if process:
            process.kill_in_background()

    @property
    def stderr_tail(self) -> str:
        """Return the end of the standard error of the running engine, or of the previous one if none runs."""
        process = self.process or self._last_process
        return process.stderr_tail if process else ""

    def take_stderr(self) -> str:
        """Return the standard error since the last call; for a long text, its beginning and end."""
        return self._stderr_text.take()

    @contextmanager
    def _marking_failures(self) -> Iterator[None]:
        """Pass on an EngineError of the block, after noting that the next game must start a new process."""
        try:
            yield
        except EngineError as error:
            self._needs_restart = True
            error.stderr = self.stderr_tail
            raise

    def _require_process(self) -> EngineProcess:
        if self.process is None:
            raise EngineTerminated("the program is not running; begin a new game first")
        return self.process

    def _ensure_running(self) -> None:
        """Start the engine if none runs, or again if it has failed, and do the handshake; raise EngineError."""
        if self._needs_restart:
            self.kill()
        if self.process is None:
            self.process = EngineProcess(
                self._command, cwd=self._cwd, env=self._env, on_stderr=self._stderr_text.add, on_line=self.on_line
            )
            self._needs_restart = False
            try:
                self._handshake()
                for name in self.required_limits:
                    self._require_limit(name)
            except BaseException:
                self.kill()  # else the next call would use an engine without handshake and checks
                raise

    def _answer_timeout_ms(self, limits: Limits) -> int:
        """Return how long to wait for the move of a search with these limits."""
        time_limits = [max(0, limit) for limit in (limits.move_time_ms, limits.time_left_ms) if limit is not None]
        return min(time_limits) + self._grace_ms if time_limits else int(self.deadlines.move_s * 1000)

    def _timeout_message(self, began_ns: int, deadline_ns: int) -> str:
        return f"no move within {(deadline_ns - began_ns) / NS_PER_MS:.0f} ms{last_line_suffix(self.messages)}"

    def _keep_message(self, line: ArrivedLine) -> None:
        self.messages.add(line.text[:MAX_MESSAGE_CHARS])

    def _collect_stale_lines(self) -> None:
        """Move the lines that arrived after the last answer to `messages`."""
        for line in self._require_process().drain():
            self._keep_message(line)
