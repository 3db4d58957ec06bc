"""Base class of the Gomocup, UHP and GTP sessions: runs the commands of a table and writes their answers in order.

A slow command runs on a worker thread, so that a stop command can be read meanwhile. A command that fails must leave
the game unchanged. An unexpected exception (a bug) is answered by an error and does not end the session. Subclasses
parse the lines and format the answers.
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

COMMAND_ERRORS = (CommandError, BadSetup, IllegalMove, OptionError)  # raised by a command that cannot be executed


@dataclass(frozen=True)
class Command(Generic[Arguments, Answer]):
    """A command of a session. `run` maps the arguments to the answer, or raises one of COMMAND_ERRORS."""

    run: Callable[[Arguments], Answer]
    usage: str  # the name and its arguments, as in `TURN x,y`
    help: str
    slow: bool = False  # runs on the worker thread

    def check_arguments(self, arguments: Arguments) -> None:
        """Raise CommandError if the number of arguments is wrong. By default `run` checks its arguments itself."""


def check_no_arguments(name: str, rest: str) -> None:
    """Raise CommandError if a command without arguments got some; `rest` is the text after its name."""
    if rest:
        raise CommandError(f"{name} takes no arguments, not {quote_argument(rest)}")


def ignored_arguments_warning(name: str, rest: str) -> str:
    """Return the warning for a stop or quit command with extra arguments.

    Such a command is executed all the same, because a host that wants an engine to stop must not be ignored.
    """
    return f"{name} takes no arguments; ignoring {quote_argument(rest)}"


class CommandSession(ABC, Generic[Arguments, Answer]):
    """A conversation with one host (the program that starts the engine and sends it commands).

    Subclasses add `handle`. One thread calls `handle` and `end_input`; any thread may call `interrupt` and `close`.

    `write` gets the lines for the host, `warn` gets messages for people. With `threaded=False` searches run inside
    `handle`, which tests use. `may_resign` is true if the player may resign in this protocol and game.
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
        self._warn = warn
        self._is_closed = False
        self._runner = CommandRunner(self._run_line, self._recover, threaded=threaded)
        self._move_chooser = MoveChooser(player, warn, self._runner, self._on_player_failure, may_resign=may_resign)

    def interrupt(self) -> None:
        """Stop the first command that is not answered yet; it answers with its result so far. Thread-safe."""
        self._runner.stop_next()

    def end_input(self) -> None:
        """React to the end of input: stop a search without limits. Queued commands are still answered."""
        self._runner.end_input()

    def close(self) -> None:
        """Stop the running command, which may still write its answer, and drop the queued ones. Thread-safe."""
        self._is_closed = True
        self._runner.abandon(lambda _: False)

    def wait_idle(self, timeout_s: float | None) -> bool:
        """Wait until every line is answered, for ever if the timeout is None; return False after a timeout."""
        return self._runner.wait_idle(timeout_s)

    def _on_bug(self, command: Command[Arguments, Answer], error: Exception) -> None:
        """Warn people of a bug in a command; the host gets an error answer as well."""
        self._warn(f"{command.usage}: {type(error).__name__}: {error}")

    def _on_player_failure(self, error: Exception, remedy: str) -> None:
        """Warn people of a player's failure; `remedy` says what is done about it."""
        self._warn(f"{type(error).__name__}: {error}; {remedy}")

    def _recover(self, line: str, error: Exception) -> None:
        """Write an error answer to a line whose handling failed because of a bug outside the command itself."""
        self._move_chooser.invalidate_position()
        self._warn(f"{quote_argument(line)}: {type(error).__name__}: {error}")
        self._write_error(self._request_id(line), error, f"internal {type(error).__name__}: ")

    def _request_id(self, line: str) -> str:  # noqa: ARG002 - most protocols have none
        """Return the id of a command, such as `7` in GTP's `7 genmove b`; empty if there is none."""
        return ""

    @abstractmethod
    def _run_line(self, line: str) -> Job | None:
        """Run one line; return a job if its command is slow."""

    @abstractmethod
    def _write_answer(self, request_id: str, answer: Answer) -> None:
        """Write the answer of a command. `request_id` is the value that was passed to `_run_command`."""

    @abstractmethod
    def _write_error(self, request_id: str, error: Exception, error_prefix: str = "") -> None:
        """Write the error answer of a command: `error_prefix`, then the error's text."""

    def _add_commands(self, commands: Sequence[Command[Arguments, Answer]]) -> None:
        self.commands |= {command.usage.partition(" ")[0]: command for command in commands}

    def _find_command(self, name: str) -> Command[Arguments, Answer] | None:
        return self.commands.get(name)

    def _run_command(self, name: str, arguments: Arguments, unknown: str, request_id: str = "") -> Job | None:
        """Run a command, or return its job if it is slow. `unknown` is the error text if there is no such command."""
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
        """Run a command and write its answer. Any exception becomes an error answer, so a bug ends no session."""
        try:
            command.check_arguments(arguments)
            write = partial(self._write_answer, request_id, command.run(arguments))
        except COMMAND_ERRORS as error:
            write = partial(self._write_error, request_id, error)
        except Exception as error:
            self._move_chooser.invalidate_position()
            self._on_bug(command, error)
            write = partial(self._write_error, request_id, error, f"internal {type(error).__name__}: ")
        if command.slow:
            self._runner.clock.mark_answered()
        self._runner.mark_answered()
        write()

    def _describe_commands(self, name: str) -> list[str]:
        """Return usage and help of a command, or of all for an empty name; raise CommandError for an unknown name."""
        command = self._find_command(name)
        if name and command is None:
            raise CommandError(f"unknown command {quote_argument(name)}")
        commands = [command] if command else self.commands.values()
        return [f"{command.usage} - {command.help}" for command in commands]
