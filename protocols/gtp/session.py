"""GTP 2, our side: a session takes lines and writes answers through a callable.

Every command gets one answer, in the order in which they came: a first line with `=` or `?` and the id, maybe further
lines, an empty line, and never an empty line inside. While the player thinks,
- the comment `# interrupt` and SIGINT end the running command, which then answers with what it has, and fails as a
  count;
- everything else waits for its turn, also `quit`, so that a script may send all its lines at once;
- the end of input ends every search; what has come is still answered, then the process ends.
A command that fails changes nothing. The game itself comes from the bot as a `GtpGame`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from core.play.options import OptionError, OptionSet
from core.play.player import BadSetup, IllegalMove, Player, PlayerKind
from protocols.gtp.extra import extra_commands
from protocols.gtp.game import Command, GtpGame
from protocols.gtp.gogui import gogui_commands
from protocols.gtp.host import GtpHost
from protocols.gtp.params import parameter_commands
from protocols.gtp.standard import need_arguments, standard_commands
from protocols.gtp.text import Request, Response, format_response, is_interrupt, parse_line
from protocols.serving.runner import CommandRunner, Job
from protocols.serving.serve import complain_to_stderr, serve_stdio
from protocols.text import ECHO_LENGTH, CommandError, clean_text

PROTOCOL_VERSION = "2"
LONGEST_WAIT_S = 1e6  # for the commands before quit; each has a limit of its own
END_GRACE_S = 2.0  # for the answers that are due when the input ends

Write = Callable[[str], None]


class GtpSession:
    """One conversation with a controller. One thread calls `handle`; `close` may come from any thread.

    `write` gets whole answers; it adds the last line end. `kinds` are the players to choose from by the command player,
    `options` those of `session_options` where the command line has set them. With `threaded=False` everything happens
    inside `handle`, so a test sees the answer when the call returns.
    """

    def __init__(
        self,
        player: Player,
        game: GtpGame,
        write: Write,
        *,
        name: str,
        version: str,
        kinds: Sequence[PlayerKind] = (),
        options: OptionSet | None = None,
        complain: Callable[[str], None] = complain_to_stderr,
        threaded: bool = True,
    ) -> None:
        self._write = write
        self._complain = complain
        self._lock = threading.Lock()  # guards the next two
        self._interrupted = 0  # the last command that was told to end, by the runner's number
        self._closed = False
        self._has_quit = False
        self._runner = CommandRunner(self._run_line, threaded=threaded)
        self._host = GtpHost(
            player,
            game,
            kinds=kinds,
            complain=complain,
            is_interrupted=self._is_interrupted,
            clock=self._runner.clock,
            options=options,
        )
        self.commands: Mapping[str, Command] = self._make_commands(name, version)

    def _make_commands(self, name: str, version: str) -> dict[str, Command]:
        table: dict[str, Command] = {}
        table |= {
            "protocol_version": Command(lambda _: PROTOCOL_VERSION, "protocol_version", "version of GTP"),
            "name": Command(lambda _: name, "name", "name of the program"),
            "version": Command(lambda _: version, "version", "version of the program"),
            "known_command": Command(self._known_command, "known_command NAME", "whether there is such a command"),
            "list_commands": Command(lambda _: "\n".join(table), "list_commands", "names of all commands"),
            "help": Command(self._help, "help [COMMAND]", "how commands are used"),
            "quit": Command(lambda _: "", "quit", "end the program"),
        }
        table |= standard_commands(self._host) | extra_commands(self._host) | parameter_commands(self._host)
        table |= gogui_commands(self._host, table)
        if self._host.game.commands:
            table |= self._host.game.commands(self._host)
        return table

    def handle(self, line: str, since_ns: int | None = None) -> bool:
        """Take one line of the controller, who may be waiting since then; False where the session has ended."""
        if is_interrupt(line):
            self.interrupt()
            return True
        request = parse_line(line)
        if request is None:
            return True
        with self._lock:
            if self._closed or self._has_quit:
                return False
            self._has_quit = request.name == "quit"
        self._runner.submit(line, since_ns)
        if self._has_quit:
            self._runner.wait_idle(LONGEST_WAIT_S)
        return not self._has_quit

    def interrupt(self) -> None:
        """End the command that is to be answered, with what it has. Called from any thread."""
        self._interrupted = self._runner.awaited()
        self._host.stop()

    def close(self) -> None:
        """The input has ended: no search goes on, and what has come is answered as fast as that can be."""
        with self._lock:
            self._closed = True
        self._host.stop()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until every line is dealt with; False where that took too long."""
        return self._runner.wait_idle(timeout_s)

    def _is_interrupted(self) -> bool:
        """Commands never overlap, so the one that asks is the last one begun."""
        return self._closed or self._interrupted == self._runner.current

    def _run_line(self, line: str) -> Job | None:
        request = parse_line(line)
        assert request is not None
        command = self.commands.get(request.name)
        if command is None:
            self._answer(request, "unknown command", ok=False)
            return None
        if command.slow:
            return lambda: self._respond(command, request)
        self._respond(command, request)
        return None

    def _respond(self, command: Command, request: Request) -> None:
        """Run a command and write its answer. A bug must not end the game."""
        try:
            text, ok = command.run(request.arguments), True
        except (CommandError, BadSetup, IllegalMove, OptionError) as error:
            text, ok = clean_text(str(error)), False
        except Exception as error:
            self._host.forget()
            self._complain(f"{command.usage}: {type(error).__name__}: {error}")
            text, ok = clean_text(f"internal {type(error).__name__}: {error}"), False
        if command.slow:
            self._runner.clock.answer()
        self._answer(request, text, ok=ok)

    def _answer(self, request: Request, text: str, *, ok: bool) -> None:
        self._runner.answer()
        self._write(format_response(Response(ok, text, request.id)))

    def _known_command(self, arguments: tuple[str, ...]) -> str:
        return str(need_arguments("known_command NAME", arguments, 1)[0] in self.commands).lower()

    def _help(self, arguments: tuple[str, ...]) -> str:
        if not arguments:
            return "\n".join(f"{command.usage} - {command.help}" for command in self.commands.values())
        command = self.commands.get(arguments[0])
        if command is None:
            raise CommandError(f"unknown command {clean_text(arguments[0], ECHO_LENGTH)!r}")
        return f"{command.usage} - {command.help}"


def serve_gtp(make_session: Callable[[Write], GtpSession]) -> NoReturn:
    """Serve on standard input and output until quit or the end of input, then end the process."""
    serve_stdio(make_session, end_grace_s=END_GRACE_S)
