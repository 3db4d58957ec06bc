"""Universal Hive Protocol, our side: a session takes lines and writes lines through a callable.

Every command gets one response, in the order in which they came: lines, then a line that is exactly `ok`. While the
player thinks,
- `exit` ends the session, and nothing more is written;
- `newgame` ends every search that it finds running or waiting; those answer with their best move so far;
- any line, also an empty one, ends an open-ended `bestmove` or `analyze`;
- SIGINT, with which viewers cancel, ends the running command; it answers with its best move so far;
- everything else waits until the move is out.
A command that fails changes nothing. The game itself - rules, moves, GameStrings - comes from the bot as
`GameRules`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.play.game import Position
from core.play.options import OptionError
from core.play.player import BadSetup, IllegalMove, Limits, Player, PlayerKind, Progress
from protocols.serving.counting import Interrupted, count_sequences
from protocols.serving.decider import OPEN_ENDED_MS, Decider
from protocols.serving.runner import CommandRunner, Job
from protocols.serving.serve import complain_to_stderr
from protocols.text import ECHO_LENGTH, CommandError, clean_text
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
    format_thought,
    parse_count,
    parse_limits,
    split_command,
)

PERFT_DEPTH = 4  # plies where none are given

Write = Callable[[str], None]


class GamePosition(Position, Protocol):
    """A position that accepts every correct spelling of a move, and lists a pass among the legal moves."""

    def game_string(self) -> str:
        """The game so far as a GameString, every field following from the moves."""


@dataclass(frozen=True)
class GameRules:
    """What the session needs of a game.

    `load_game` makes the position of a GameTypeString or at the end of a GameString; it raises BadSetup.
    """

    load_game: Callable[[str], GamePosition]
    expansions: tuple[str, ...] = ()  # capabilities: Mosquito, Ladybug, Pillbug
    default_type: str = "Base"
    max_perft: int = 20  # plies


@dataclass(frozen=True)
class _Command:
    """One row of the command table. A slow command runs on a thread of its own, so that input is heard meanwhile."""

    run: Callable[[str], list[str]]  # arguments to lines of the response; raises what `_respond` knows
    usage: str
    help: str
    slow: bool = False


class UhpSession:
    """One conversation with a viewer, begun by the banner. One thread calls `handle`; `close` may come from any thread.

    `kinds` are the players to choose from by the option Player. With `threaded=False` everything happens inside
    `handle`, so a test sees the answer when the call returns.
    """

    def __init__(
        self,
        player: Player,
        rules: GameRules,
        write: Write,
        *,
        name: str,
        version: str,
        kinds: Sequence[PlayerKind] = (),
        complain: Callable[[str], None] = complain_to_stderr,
        threaded: bool = True,
    ) -> None:
        self._rules = rules
        self._write = write
        self._info = format_info(name, version, rules.expansions)
        self._position: GamePosition | None = None
        self._runner = CommandRunner(self._run_line, threaded=threaded)
        self._decider = Decider(player, complain, self._runner.clock)
        self._options = SessionOptions(player, kinds, self._change_player)
        self._complain = complain
        self._lock = threading.Lock()  # guards the next four and _closed
        self._received = 0  # lines that came
        self._begun = 0  # lines whose turn has come
        self._new_games = 0  # newgame lines among those whose turn has not come
        self._open_ended = False  # the running search ends with the next line
        self._closed = False
        self._interrupted = 0  # the last line that was told to end, by the runner's number
        self._commands = self._make_commands()
        self._say(*self._info, OK)

    def _make_commands(self) -> dict[str, _Command]:
        limits = "[time hh:mm:ss | depth N]"
        return {
            "info": _Command(lambda _: self._info, "info", "name, version and capabilities"),
            "newgame": _Command(self._new_game, "newgame [GameTypeString | GameString]", "begin or load a game"),
            "play": _Command(self._play, "play MoveString", "play a move; a third repetition ends no game"),
            "pass": _Command(self._pass, "pass", "pass, where there is no other move"),
            "validmoves": _Command(self._valid_moves, "validmoves", "all legal moves"),
            "bestmove": _Command(
                self._best_move, f"bestmove {limits}", "choose a move; without limits until a line comes", slow=True
            ),
            "analyze": _Command(
                self._analyze, f"analyze {limits}", "as bestmove, in lines move;depth;score;pv", slow=True
            ),
            "undo": _Command(self._undo, "undo [N]", "take back the last move or the last N"),
            "options": _Command(self._set_options, "options [get NAME | set NAME VALUE]", "list, show or set options"),
            "perft": _Command(
                self._perft, "perft [N]", f"count move sequences up to N plies (default {PERFT_DEPTH})", slow=True
            ),
            "help": _Command(self._help, "help [command]", "this list, or one command of it"),
            "exit": _Command(lambda _: [], "exit", "end the program"),
        }

    def handle(self, line: str, since_ns: int | None = None) -> bool:
        """Take one line of the viewer, who may be waiting since then; False where the session has ended."""
        word, _ = split_command(line)
        if word == "exit" or self._closed:
            self.close()
            return False
        with self._lock:
            self._received += 1
            self._new_games += word == "newgame"
            ends_search = word == "newgame" or self._open_ended
        if ends_search:
            self._decider.gate.stop()
        self._runner.submit(line, since_ns)
        return True

    def interrupt(self) -> None:
        """End the command that is to be answered, with what it has. Called from any thread."""
        self._interrupted = self._runner.awaited()
        self._decider.gate.stop()

    def close(self) -> None:
        """End a running search without an answer; nothing is written from now on."""
        with self._lock:
            self._closed = True
        self._runner.keep_waiting(lambda _: False)
        self._decider.gate.stop()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until every line is dealt with; False where that took too long."""
        return self._runner.wait_idle(timeout_s)

    def _say(self, *lines: str) -> None:
        for line in lines:
            if not self._closed:
                self._write(line)

    def _run_line(self, line: str) -> Job | None:
        word, rest = split_command(line)
        with self._lock:
            self._begun += 1
            self._new_games -= word == "newgame"
        command = self._commands.get(word)
        if command is None:
            self._runner.answer()
            if word:
                self._say(f"{ERROR} unknown command {clean_text(word, ECHO_LENGTH)!r}; help lists them", OK)
            return None
        if command.slow:
            return lambda: self._respond(command, rest)
        self._respond(command, rest)
        return None

    def _respond(self, command: _Command, rest: str) -> None:
        """Run a command and write its whole response. A bug must not end the game."""
        try:
            lines = command.run(rest)
        except (CommandError, BadSetup, IllegalMove, OptionError) as error:
            lines = [format_error(error)]
        except Exception as error:
            self._decider.forget()
            self._complain(f"{command.usage}: {type(error).__name__}: {error}")
            lines = [format_error(error, f"{ERROR} internal {type(error).__name__}:")]
        if command.slow:
            self._runner.clock.answer()
        self._runner.answer()
        self._say(*lines, OK)

    def _need_game(self) -> GamePosition:
        if self._position is None:
            raise CommandError("there is no game; newgame begins one")
        return self._position

    def _need_unfinished_game(self) -> GamePosition:
        position = self._need_game()
        if position.outcome() is not None:
            raise CommandError("the game is over")
        return position

    def _show_game(self) -> list[str]:
        return [self._need_game().game_string()]

    def _new_game(self, rest: str) -> list[str]:
        position = self._rules.load_game(rest or self._rules.default_type)
        self._decider.new_game(position.setup)
        self._position = position
        return self._show_game()

    def _play(self, rest: str) -> list[str]:
        position = self._need_unfinished_game()
        try:
            position.play(rest)
        except IllegalMove as error:
            return [format_error(error, INVALID_MOVE)]
        return self._show_game()

    def _pass(self, rest: str) -> list[str]:
        if rest:
            raise CommandError("pass takes no arguments")
        return self._play(PASS)

    def _valid_moves(self, _: str) -> list[str]:
        return [";".join(self._need_unfinished_game().legal_moves())]

    def _undo(self, rest: str) -> list[str]:
        position = self._need_game()
        count, played = parse_count("undo", rest, 1, 1), len(position.moves)
        if count > played:
            raise CommandError(f"only {played} {'move' if played == 1 else 'moves'} to undo")
        for _ in range(count):
            position.undo()
        return self._show_game()

    def _set_options(self, rest: str) -> list[str]:
        words = rest.split()
        action = words[0].lower() if words else ""
        if not words:
            return self._options.lines()
        if action == "get" and len(words) == 2:
            return [self._options.line(words[1])]
        if action == "set" and len(words) == 3:
            self._options.set(words[1], words[2])
            return [self._options.line(words[1])]
        raise CommandError(f"options needs: nothing, get NAME or set NAME VALUE; not {clean_text(rest, ECHO_LENGTH)!r}")

    def _change_player(self, player: Player) -> None:
        self._decider.change_player(player, self._position.setup if self._position else None)

    def _help(self, rest: str) -> list[str]:
        if not rest:
            return [f"{command.usage} - {command.help}" for command in self._commands.values()]
        command = self._commands.get(rest.lower())
        if command is None:
            raise CommandError(f"unknown command {clean_text(rest, ECHO_LENGTH)!r}")
        return [f"{command.usage} - {command.help}"]

    def _best_move(self, rest: str) -> list[str]:
        position, limits = self._need_unfinished_game(), parse_limits("bestmove", rest)
        legal = position.legal_moves()
        if len(legal) == 1:
            return legal
        move, progress = self._search(position, limits, shows_progress=self._options.verbosity > 0)
        if self._options.verbosity > 1:
            return [format_nodes(progress.nodes), format_thought(move, progress)]
        return [move]

    def _analyze(self, rest: str) -> list[str]:
        position, limits = self._need_unfinished_game(), parse_limits("analyze", rest)
        move, progress = self._search(position, limits, shows_progress=True)
        return [format_thought(move, progress)]

    def _search(self, position: Position, limits: Limits | None, *, shows_progress: bool) -> tuple[str, Progress]:
        """Think within limits and the nodes of the options, or without either until the next line comes."""

        def report(progress: Progress) -> None:
            if shows_progress and progress.pv and self._decider.gate.searching:
                self._say(format_thought(progress.pv[0], progress))

        nodes = self._options.nodes
        self._open_gate(is_open_ended=limits is None and nodes is None)
        limits = limits or Limits(move_time_ms=None if nodes else OPEN_ENDED_MS)
        try:
            decision = self._decider.choose(position, replace(limits, nodes=nodes), report)
        finally:
            self._close_gate()
        return decision.move, decision.progress

    def _perft(self, rest: str) -> list[str]:
        """Counts up to a depth, less what is under way where the command is told to end."""
        position, depth = self._need_game(), parse_count("perft", rest, PERFT_DEPTH, 0)
        if depth > self._rules.max_perft:
            raise CommandError(f"perft goes to {self._rules.max_perft} plies, not {depth}")
        for plies in range(depth + 1):
            began_ns = time.perf_counter_ns()
            try:
                nodes = count_sequences(position, plies, self._is_told_to_end)
            except Interrupted:
                break
            self._say(*format_perft(plies, nodes, (time.perf_counter_ns() - began_ns) // 1_000_000))
            if self._is_told_to_end():
                break
        return []

    def _open_gate(self, *, is_open_ended: bool) -> None:
        """Begin a search. A line that came before the gate was open could not stop it; this is where it counts."""
        gate = self._decider.gate
        gate.begin()
        with self._lock:
            self._open_ended = is_open_ended
            is_late = is_open_ended and self._received > self._begun
        if is_late or self._is_told_to_end():
            gate.mark_stopped()

    def _is_told_to_end(self) -> bool:
        """Whether the running command is. Commands never overlap, so it is the last one begun."""
        with self._lock:
            return self._closed or self._new_games > 0 or self._interrupted == self._runner.current

    def _close_gate(self) -> None:
        with self._lock:
            self._open_ended = False
        self._decider.gate.end()
