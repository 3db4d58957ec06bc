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
from protocols.serving.move_chooser import MoveChooser
from protocols.serving.runner import CommandRunner, Job
from protocols.text import CommandError, quote_argument

Arguments = TypeVar("Arguments")
Answer = TypeVar("Answer")
WriteLine = Callable[[str], None]

COMMAND_ERRORS = (CommandError, BadSetup, IllegalMove, OptionError)  # by which a command says that it cannot be done


@dataclass(frozen=True)
class Command(Generic[Arguments, Answer]):
    """One row of a command table. `run` turns arguments into the answer, or raises one of REFUSALS."""

    run: Callable[[Arguments], Answer]
    usage: str  # the name and what follows it
    help: str
    slow: bool = False

    def check_arguments(self, arguments: Arguments) -> None:
        """Raise CommandError if the usage does not allow for so many arguments; most commands see themselves."""


class CommandSession(ABC, Generic[Arguments, Answer]):
    """One conversation with a host. One thread calls `handle` and `end_input`, any thread `interrupt` and `close`.

    `warn` is told, for people, what went wrong inside. With `threaded=False` everything happens inside `handle`.
    `may_resign` says whether the protocol has a word for a player that resigns.
    """

    def __init__(
        self,
        player: Player,
        write: WriteLine,
        warn: Callable[[str], None],
        *,
        threaded: bool,
        may_resign: bool = False,
    ) -> None:
        self.commands: dict[str, Command[Arguments, Answer]] = {}  # by name
        self._write = write
        self._complain = warn
        self._closed = False
        self._runner = CommandRunner(self._run_line, self._recover, threaded=threaded)
        self._move_chooser = MoveChooser(player, warn, self._runner, self._note_failure, may_resign=may_resign)

    def interrupt(self) -> None:
        """Have the command that is to be answered next answered at once. Called from any thread."""
        self._runner.stop_next()

    def end_input(self) -> None:
        """No more lines will come. What has come is answered; a search that nothing limits ends."""
        self._runner.end_input()

    def close(self) -> None:
        """Stop the running command and drop the waiting ones; nobody hears the answers. Called from any thread."""
        self._closed = True
        self._runner.abandon(lambda _: False)

    def wait_idle(self, timeout_s: float | None) -> bool:
        """Wait until every line is dealt with, for ever if None; return False if that took too long."""
        return self._runner.wait_idle(timeout_s)

    def _note_bug(self, command: Command[Arguments, Answer], error: Exception) -> None:
        """Complain of a command that failed by a bug, which its answer tells the host."""
        self._complain(f"{command.usage}: {type(error).__name__}: {error}")

    def _note_failure(self, error: Exception, remedy: str) -> None:
        """Complain of a player's failure; `remedy` is what is done about it."""
        self._complain(f"{type(error).__name__}: {error}; {remedy}")

    def _recover(self, line: str, error: Exception) -> None:
        """Answer a line whose handling has failed through a bug outside the commands themselves."""
        self._move_chooser.forget()
        self._complain(f"{quote_argument(line)}: {type(error).__name__}: {error}")
        self._write_error(self._request_id(line), error, f"internal {type(error).__name__}: ")

    def _request_id(self, line: str) -> str:  # noqa: ARG002 - most protocols have none
        """Return the tag that `_run_line` gives to a line's command."""
        return ""

    @abstractmethod
    def _run_line(self, line: str) -> Job | None:
        """Run one line whose turn has come."""

    @abstractmethod
    def _write_answer(self, request_id: str, answer: Answer) -> None:
        """Write the answer of a command. `request_id` is what `_run_command` was given."""

    @abstractmethod
    def _write_error(self, request_id: str, error: Exception, error_prefix: str = "") -> None:
        """Write that a command failed; `error_prefix` is empty or goes before the error's text."""

    def _add_commands(self, commands: Sequence[Command[Arguments, Answer]]) -> None:
        self.commands |= {command.usage.partition(" ")[0]: command for command in commands}

    def _find_command(self, name: str) -> Command[Arguments, Answer] | None:
        return self.commands.get(name)

    def _run_command(self, name: str, arguments: Arguments, unknown: str, request_id: str = "") -> Job | None:
        """Run a command of the table now, or hand back the job where it is slow; `unknown` refuses one outside it."""
        command = self._find_command(name)
        if command is None:
            self._runner.mark_answered()
            self._write_error(request_id, CommandError(unknown))
            return None
        if command.slow:
            return lambda: self._respond(command, arguments, request_id)
        self._respond(command, arguments, request_id)
        return None

    def _respond(self, command: Command[Arguments, Answer], arguments: Arguments, request_id: str) -> None:
        """Run a command and write its answer. A bug must not end the game."""
        try:
            command.check_arguments(arguments)
            write = partial(self._write_answer, request_id, command.run(arguments))
        except COMMAND_ERRORS as error:
            write = partial(self._write_error, request_id, error)
        except Exception as error:
            self._move_chooser.forget()
            self._note_bug(command, error)
            write = partial(self._write_error, request_id, error, f"internal {type(error).__name__}: ")
        if command.slow:
            self._runner.clock.mark_answered()
        self._runner.mark_answered()
        write()

    def _describe_commands(self, name: str) -> list[str]:
        """How a command is used, or all of them where none is named; raise CommandError."""
        command = self._find_command(name)
        if name and command is None:
            raise CommandError(f"unknown command {quote_argument(name)}")
        shown = [command] if command else self.commands.values()
        return [f"{row.usage} - {row.help}" for row in shown]
