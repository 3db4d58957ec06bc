"""The server side of the Universal Hive Protocol (UHP): a session gets a viewer's lines and writes responses.

Commands are answered in order. A response is any number of lines followed by `ok`:

    > newgame Base              > bestmove depth 3
    < Base;NotStarted;White[1]  < wS1
    < ok                        < ok

While the player searches,

- `exit` ends the session, and nothing more is written;
- `newgame` stops the running search and all queued ones, which still answer with their best move so far; a `newgame`
  that will fail stops nothing;
- any line, even an empty one, stops a `bestmove` or `analyze` without limits of depth, time or nodes;
- SIGINT, by which viewers cancel a command, stops the running command. A search answers with its best move so far, and
  `perft` with the depths that are complete;
- the end of input stops a search without limits and no other; queued commands are still answered;
- all other commands are queued until the search has answered.

A command that fails changes nothing. The entry point of the Hive bot passes its game to the session as a `UhpGame`,
which parses and formats Hive's notation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn, Protocol

from core.play.game import Position
from core.play.options import OptionSet
from core.play.player import IllegalMove, Limits, Player, PlayerKind, Progress
from protocols.serving.command_session import (
    Command,
    CommandSession,
    WriteLine,
    check_no_arguments,
    ignored_arguments_warning,
)
from protocols.serving.perft import PerftInterrupted, interruptible_perft
from protocols.serving.runner import Job
from protocols.serving.serve import serve_stdio, warn_on_stderr
from protocols.text import CommandError, quote_argument
from protocols.uhp.options import SessionOptions
from protocols.uhp.text import (
    ERROR,
    INVALID_MOVE,
    OK,
    PASS,
    format_error,
    format_info,
    format_nodes,
    format_perft,
    format_search_info,
    parse_count,
    parse_limits,
    split_command,
)

PERFT_DEPTH = 4  # plies, if the command has no argument


class UhpPosition(Position, Protocol):
    """A Hive position: `play` accepts every valid MoveString, and `legal_moves` lists `pass` if it is legal."""

    def only_legal_move(self) -> str:
        """Return the legal move if there is only one, else an empty text."""

    def game_string(self) -> str:
        """Return the game so far as a GameString."""


@dataclass(frozen=True)
class UhpGame:
    """What a session needs to know about Hive.

    `parse_game` maps a GameTypeString, such as `Base+MLP`, to the start position, and a GameString to the position
    after its moves. It raises BadSetup for other texts.
    """

    parse_game: Callable[[str], UhpPosition]
    expansions: tuple[str, ...] = ()  # as listed in the banner: Mosquito, Ladybug, Pillbug
    default_type: str = "Base"  # of a `newgame` without arguments
    max_perft_depth: int = 20  # plies


@dataclass(frozen=True)
class _Command(Command[str, list[str]]):
    """A command of a UHP session. `run` maps the text after the command word to the lines of the response."""

    def check_arguments(self, arguments: str) -> None:
        """Raise CommandError if the usage is the command word alone and there are arguments."""
        if " " not in self.usage:
            check_no_arguments(self.usage, arguments)


class UhpSession(CommandSession[str, list[str]]):
    """A conversation with one viewer (GUI or match program).

    The constructor writes the response to `info`, as the protocol requires. `kinds` are the players that the option
    Player can choose. `options` are the session options with the values from the command line; None means the defaults.
    """

    def __init__(
        self,
        player: Player,
        rules: UhpGame,
        write: WriteLine,
        *,
        name: str,
        version: str,
        kinds: Sequence[PlayerKind] = (),
        options: OptionSet | None = None,
        warn: Callable[[str], None] = warn_on_stderr,
        threaded: bool = True,
    ) -> None:
        super().__init__(player, write, warn, threaded=threaded)
        self._game = rules
        self._info = format_info(name, version, rules.expansions)
        self._position: UhpPosition | None = None
        self._options = SessionOptions(player, kinds, self._move_chooser.change_player, options)
        self._has_exited = False  # True after `exit`: nothing more is written
        self._add_commands(self._make_commands())
        self._write_lines(*self._info, OK)

    def _make_commands(self) -> list[_Command]:
        limits_usage = "[time hh:mm:ss | depth N]"
        return [
            _Command(lambda _: self._info, "info", "name, version and capabilities"),
            _Command(self._newgame, "newgame [GameTypeString | GameString]", "begin or load a game"),
            _Command(self._play, "play MoveString", "play a move (a third repetition does not end the game)"),
            _Command(self._pass, "pass", "pass, if there is no other legal move"),
            _Command(self._validmoves, "validmoves", "all legal moves"),
            _Command(
                self._bestmove,
                f"bestmove {limits_usage}",
                "choose a move; without a limit, search until the next line",
                slow=True,
            ),
            _Command(
                self._analyze, f"analyze {limits_usage}", "search as bestmove and print move;depth;score;pv", slow=True
            ),
            _Command(self._undo, "undo [N]", "take back the last move or the last N"),
            _Command(self._answer_options, "options [get NAME | set NAME VALUE]", "list, show or set options"),
            _Command(
                self._perft, "perft [N]", f"count move sequences up to N plies (default {PERFT_DEPTH})", slow=True
            ),
            _Command(self._describe_commands, "help [command]", "usage and purpose of all commands or of one"),
            _Command(lambda _: [], "exit", "end the program"),
        ]

    def handle(self, line: str, waiting_since_ns: int | None = None) -> bool:
        """Handle one line of the viewer; return False if the session has ended.

        `waiting_since_ns` is the earliest time at which the viewer can have sent it; None means now.
        """
        word, rest = split_command(line)
        if word == "exit":
            if rest:
                self._warn(ignored_arguments_warning(word, rest))
            self._exit()
        if self._is_closed:
            return False
        if word == "newgame" and self._is_loadable(rest):
            self._runner.stop_all()
        self._runner.submit(line, waiting_since_ns)
        return True

    def _is_loadable(self, game: str) -> bool:
        """Return whether `newgame` will succeed; one that fails must not stop the running search."""
        try:
            self._game.parse_game(game or self._game.default_type)
        except Exception:  # the error is reported when the command runs
            return False
        return True

    def _exit(self) -> None:
        """Handle `exit`: abandon the running search and write nothing more."""
        self._has_exited = True
        self.close()

    def _write_lines(self, *lines: str) -> None:
        for line in lines:
            if not self._has_exited:
                self._write(line)

    def _run_line(self, line: str) -> Job | None:
        word, rest = split_command(line)
        if not word:
            self._runner.mark_answered()
            return None
        unknown = f"unknown command {quote_argument(word)}; help lists them"
        return self._run_command(word, rest, unknown)

    def _find_command(self, name: str) -> Command[str, list[str]] | None:
        return self.commands.get(name.lower())

    def _write_answer(self, _: str, answer: list[str]) -> None:
        self._write_lines(*answer, OK)

    def _write_error(self, _: str, error: Exception, error_prefix: str = "") -> None:
        self._write_lines(format_error(error, f"{ERROR} {error_prefix}".rstrip()), OK)

    def _require_game(self) -> UhpPosition:
        if self._position is None:
            raise CommandError("there is no game; newgame begins one")
        return self._position

    def _require_unfinished_game(self) -> UhpPosition:
        position = self._require_game()
        if position.outcome() is not None:
            raise CommandError("the game is over")
        return position

    def _show_game(self) -> list[str]:
        return [self._require_game().game_string()]

    def _newgame(self, rest: str) -> list[str]:
        position = self._game.parse_game(rest or self._game.default_type)
        self._move_chooser.new_game(position.setup)
        self._position = position
        return self._show_game()

    def _play(self, rest: str) -> list[str]:
        position = self._require_unfinished_game()
        try:
            position.play(rest)
        except IllegalMove as error:
            return [format_error(error, INVALID_MOVE)]
        return self._show_game()

    def _pass(self, _: str) -> list[str]:
        return self._play(PASS)

    def _validmoves(self, _: str) -> list[str]:
        return [";".join(self._require_unfinished_game().legal_moves())]

    def _undo(self, rest: str) -> list[str]:
        position = self._require_game()
        count, played = parse_count("undo", rest, 1, 1), len(position.moves)
        if count > played:
            raise CommandError(f"only {played} {'move' if played == 1 else 'moves'} to undo")
        for _ in range(count):
            position.undo()
        return self._show_game()

    def _answer_options(self, rest: str) -> list[str]:
        words = rest.split()
        action = words[0].lower() if words else ""
        if not words:
            return self._options.format_all()
        if action == "get" and len(words) == 2:
            return [self._options.format_option(words[1])]
        if action == "set" and len(words) == 3:
            self._options.set(words[1], words[2])
            return [self._options.format_option(words[1])]
        raise CommandError(f"options arguments must be none, get NAME or set NAME VALUE, not {quote_argument(rest)}")

    def _bestmove(self, rest: str) -> list[str]:
        position, limits = self._require_unfinished_game(), parse_limits("bestmove", rest)
        move, is_verbose = position.only_legal_move(), self._options.verbosity > 0
        if move:
            progress = Progress(pv=(move,))
            if is_verbose:
                self._write_lines(format_search_info(move, progress))
        else:
            move, progress = self._search(position, limits, shows_progress=is_verbose)
        if self._options.verbosity > 1:
            return [format_nodes(progress.nodes), format_search_info(move, progress)]
        return [move]

    def _analyze(self, rest: str) -> list[str]:
        position, limits = self._require_unfinished_game(), parse_limits("analyze", rest)
        limits = replace(limits or Limits(), is_analysis=True)
        move, progress = self._search(position, limits, shows_progress=True)
        return [format_search_info(move, progress)]

    def _search(self, position: Position, limits: Limits | None, *, shows_progress: bool) -> tuple[str, Progress]:
        """Search within `limits` and the option Nodes and return the move. Without both, search until the next line."""

        def report(progress: Progress) -> None:
            if shows_progress and progress.pv:
                self._write_lines(format_search_info(progress.pv[0], progress))

        limits = replace(limits or Limits(), nodes=self._options.nodes)
        if limits.is_unlimited:
            self._runner.stop_at_next_line()
        decision = self._move_chooser.choose(position, limits, report)
        return decision.move, decision.progress

    def _perft(self, rest: str) -> list[str]:
        """Write the perft count of each depth as soon as it is known. If stopped, leave out the unfinished depth."""
        position, depth = self._require_game(), parse_count("perft", rest, PERFT_DEPTH, 0)
        if depth > self._game.max_perft_depth:
            raise CommandError(f"perft depth must be at most {self._game.max_perft_depth} plies, not {depth}")
        stop = self._runner.stop
        for plies in range(depth + 1):
            began_ns = time.perf_counter_ns()
            try:
                nodes = interruptible_perft(position, plies, stop)
            except PerftInterrupted:
                break
            self._write_lines(*format_perft(plies, nodes, (time.perf_counter_ns() - began_ns) // 1_000_000))
            if stop.is_set:
                break
        return []


def serve_uhp(make_session: Callable[[WriteLine], UhpSession]) -> NoReturn:
    """Serve a UHP session on standard input and output until `exit` or the end of input, then end the process."""
    serve_stdio(make_session)
