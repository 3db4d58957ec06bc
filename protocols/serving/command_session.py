"""What sessions with a table of commands share: each line is one command, answered once, in the order of arrival.

A slow command runs on a thread of its own, so that the word to end it is heard meanwhile. A command that fails changes
nothing, and a bug in one ends neither the session nor the game. How lines are read and answers written is the
protocol's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from core.play.options import OptionError
from core.play.player import BadSetup, IllegalMove, Player
from protocols.serving.decider import Decider
from protocols.serving.runner import CommandRunner, Job
from protocols.text import CommandError, echo

Arguments = TypeVar("Arguments")
Answer = TypeVar("Answer")
Write = Callable[[str], None]

REFUSALS = (CommandError, BadSetup, IllegalMove, OptionError)  # by which a command says that it cannot be done


@dataclass(frozen=True)
class Command(Generic[Arguments, Answer]):
    """One row of a command table. `run` turns arguments into the answer, or raises one of REFUSALS."""

    run: Callable[[Arguments], Answer]
    usage: str  # the name and what follows it
    help: str
    slow: bool = False


class CommandSession(ABC, Generic[Arguments, Answer]):
    """One conversation with a host. One thread calls `handle`; `interrupt` and `close` may come from any thread.

    `complain` is told, for people, what went wrong inside. With `threaded=False` everything happens inside `handle`.
    `may_resign` says whether the protocol has a word for a player that resigns.
    """

    def __init__(
        self,
        player: Player,
        write: Write,
        complain: Callable[[str], None],
        *,
        threaded: bool,
        may_resign: bool = False,
    ) -> None:
        self.commands: dict[str, Command[Arguments, Answer]] = {}  # by name
        self._write = write
        self._complain = complain
        self._closed = False
        self._interrupted = 0  # the last line that was told to end, by the runner's number
        self._runner = CommandRunner(self._run_line, threaded=threaded)
        self._decider = Decider(player, complain, self._runner.clock, self._is_told_to_end, may_resign=may_resign)

    def interrupt(self) -> None:
        """End the command that is to be answered, with what it has. Called from any thread."""
        self._interrupted = self._runner.awaited()
        self._decider.stop()

    def close(self) -> None:
        """End what is under way, and what is still to come at once."""
        self._closed = True
        self._decider.stop()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until every line is dealt with; False where that took too long."""
        return self._runner.wait_idle(timeout_s)

    def _is_told_to_end(self) -> bool:
        """Whether the running command is. Commands never overlap, so it is the last one begun."""
        return self._closed or self._interrupted == self._runner.current

    @abstractmethod
    def _run_line(self, line: str) -> Job | None:
        """Run one line whose turn has come."""

    @abstractmethod
    def _succeed(self, tag: str, answer: Answer) -> None:
        """Write the answer of a command. `tag` is what `_run_command` was given."""

    @abstractmethod
    def _fail(self, tag: str, error: Exception, kind: str = "") -> None:
        """Write that a command failed; `kind` is empty or goes before the error's text."""

    def _add_commands(self, commands: Sequence[Command[Arguments, Answer]]) -> None:
        self.commands |= {command.usage.partition(" ")[0]: command for command in commands}

    def _find(self, name: str) -> Command[Arguments, Answer] | None:
        return self.commands.get(name)

    def _run_command(self, name: str, arguments: Arguments, unknown: str, tag: str = "") -> Job | None:
        """Run a command of the table now, or hand back the job where it is slow; `unknown` refuses one outside it."""
        command = self._find(name)
        if command is None:
            self._runner.answer()
            self._fail(tag, CommandError(unknown))
            return None
        if command.slow:
            return lambda: self._respond(command, arguments, tag)
        self._respond(command, arguments, tag)
        return None

    def _respond(self, command: Command[Arguments, Answer], arguments: Arguments, tag: str) -> None:
        """Run a command and write its answer. A bug must not end the game."""
        try:
            write = partial(self._succeed, tag, command.run(arguments))
        except REFUSALS as error:
            write = partial(self._fail, tag, error)
        except Exception as error:
            self._decider.forget()
            self._complain(f"{command.usage}: {type(error).__name__}: {error}")
            write = partial(self._fail, tag, error, f"internal {type(error).__name__}: ")
        if command.slow:
            self._runner.clock.answer()
        self._runner.answer()
        write()

    def _describe_commands(self, name: str) -> list[str]:
        """How a command is used, or all of them where none is named; raise CommandError."""
        command = self._find(name)
        if name and command is None:
            raise CommandError(f"unknown command {echo(name)}")
        shown = [command] if command else self.commands.values()
        return [f"{row.usage} - {row.help}" for row in shown]
