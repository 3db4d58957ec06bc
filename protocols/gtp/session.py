"""The server side of GTP 2: a session gets the controller's lines and writes responses.

    > 1 play black d4          > 2 genmove purple
    < =1                       < ?2 colour must be black or white, not 'purple'
    <                          <

Commands are answered in order. A response begins with `=` or, for an error, `?` and the id of the command. It ends with
an empty line. While the player searches,

- the comment `# interrupt` and SIGINT stop the running command, which answers with its result so far. Commands without
  a partial result, such as `perft`, fail;
- all other commands are queued, including `quit`, so that a script can send all its lines at once;
- after the end of input the queued commands are answered, each search within its limits. Then the process ends.

The entry point of a bot passes its game to the session as a `GtpGame`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from core.play.options import OptionSet
from core.play.player import Player, PlayerKind
from protocols.gtp.context import GtpCommand, GtpContext
from protocols.gtp.extension_commands import extension_commands
from protocols.gtp.game import GtpGame
from protocols.gtp.gogui_commands import gogui_commands
from protocols.gtp.parameter_commands import parameter_commands
from protocols.gtp.standard_commands import standard_commands
from protocols.gtp.text import Response, format_response, is_interrupt, parse_line
from protocols.serving.command_session import CommandSession, WriteLine, ignored_arguments_warning
from protocols.serving.runner import Job
from protocols.serving.serve import serve_stdio, warn_on_stderr
from protocols.text import clean_text

PROTOCOL_VERSION = "2"
MakeCommands = Callable[[GtpContext], Sequence[GtpCommand]]  # returns the commands that only one game has


class GtpSession(CommandSession[tuple[str, ...], str]):
    """A conversation with one controller (GUI, match program or script).

    `write` gets whole responses and adds the last line end. `kinds` are the players that the command `player` chooses
    from. `options` are the session options with the values from the command line; None means the defaults. `commands`
    returns the commands that only this game has.
    """

    def __init__(
        self,
        player: Player,
        game: GtpGame,
        write: WriteLine,
        *,
        name: str,
        version: str,
        kinds: Sequence[PlayerKind] = (),
        options: OptionSet | None = None,
        commands: MakeCommands = lambda _: (),
        warn: Callable[[str], None] = warn_on_stderr,
        threaded: bool = True,
    ) -> None:
        super().__init__(player, write, warn, threaded=threaded, may_resign=game.may_resign)
        self._has_quit = False
        self._context = GtpContext(player, game, self._move_chooser, kinds, options)
        rows = [*self._administrative_commands(name, version), *standard_commands(self._context)]
        rows += extension_commands(self._context) + parameter_commands(self._context)
        rows += gogui_commands(self._context, rows)
        rows += commands(self._context)
        self._add_commands(rows)

    def _administrative_commands(self, name: str, version: str) -> list[GtpCommand]:
        return [
            GtpCommand(lambda _: PROTOCOL_VERSION, "protocol_version", "version of GTP"),
            GtpCommand(lambda _: name, "name", "name of the program"),
            GtpCommand(lambda _: version, "version", "version of the program"),
            GtpCommand(self._known_command, "known_command NAME", "true or false: whether the command exists"),
            GtpCommand(lambda _: "\n".join(self.commands), "list_commands", "names of all commands"),
            GtpCommand(self._help, "help [COMMAND]", "usage and purpose of all commands or of one"),
            GtpCommand(lambda _: "", "quit", "end the program", takes_text=True),
        ]

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:
        """Handle one line of the controller; return False if the session has ended. `quit` waits for all answers.

        `waiting_since_ns` is the earliest time at which the controller can have sent it; None means now.
        """
        if is_interrupt(line):
            self.interrupt()
            return True
        request = parse_line(line)
        if request is None:
            return True
        if self._is_closed or self._has_quit:
            return False
        self._has_quit = request.name == "quit"
        if self._has_quit and request.arguments:
            self._warn(ignored_arguments_warning(request.name, request.rest))
        self._runner.submit(line, waiting_since_ns)
        if self._has_quit:
            self._runner.wait_idle(None)
        return not self._has_quit

    def _request_id(self, line: str) -> str:
        request = parse_line(line)
        return request.id if request else ""

    def _run_line(self, line: str) -> Job | None:
        request = parse_line(line)
        assert request is not None
        return self._run_command(request.name, request.arguments, "unknown command", request.id)

    def _write_answer(self, request_id: str, answer: str) -> None:
        self._write(format_response(Response(True, answer, request_id)))

    def _write_error(self, request_id: str, error: Exception, error_prefix: str = "") -> None:
        self._write(format_response(Response(False, clean_text(f"{error_prefix}{error}"), request_id)))

    def _known_command(self, arguments: tuple[str, ...]) -> str:
        return str(arguments[0] in self.commands).lower()

    def _help(self, arguments: tuple[str, ...]) -> str:
        return "\n".join(self._describe_commands(arguments[0] if arguments else ""))


def serve_gtp(make_session: Callable[[WriteLine], GtpSession]) -> NoReturn:
    """Serve a GTP session on standard input and output until `quit` or the end of input, then end the process."""
    serve_stdio(make_session)
