"""GTP client: drives an engine process that speaks GTP 2 and offers it to the arena as a `Player`.

The client sends one command at a time and waits for its response. Before each search it brings the engine to our
position by `undo` and `play`. The colour of each move follows from the rules of the game, which this program knows.

Engines may differ from the standard: their responses may lack ids, `undo` may be missing, the move time may be a
parameter (see `time_commands`), and other lines may come between the responses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Unpack

from core.play.move_list import common_prefix_length, set_position
from core.play.options import OptionError, OptionSet, Value
from core.play.player import RESIGN, Decision, IllegalMove, Limits, Progress, ProgressCallback, Setup, ignore_progress
from core.play.stop import StopToken
from protocols.driving.engine_client import NS_PER_MS, ClientSettings, EngineClient
from protocols.driving.line_buffers import MAX_REPLY_BYTES, ArrivedLine, LastLines
from protocols.driving.process import EngineMisbehaved, EngineTimeout
from protocols.gtp.game import GtpGame, GtpPosition
from protocols.gtp.text import (
    INTERRUPT,
    Response,
    format_seconds,
    parse_parameter,
    parse_response,
    parse_search_info,
)
from protocols.text import quote_line

MOVES_TO_GO = 30  # with a game clock, `{seconds}` is 1/30 of the time left plus the increment; chosen by hand
PARAMETER_PREFIX = "param_"  # prefix of the commands that list and set parameters


class GtpClient(EngineClient):
    """A GTP engine as a `Player`. `about` holds its name and version.

    - `start_up`: commands sent whenever the engine starts; EngineMisbehaved if one fails.
    - `time_commands`: sent before each move instead of `time_settings` and `time_left`, for example `param_mohex
      max_time {seconds}`. Placeholders are `{seconds}` for the move, `{left}` for the clock (without one, as
      `{seconds}`), `{depth}` and `{nodes}`. A command with a placeholder whose limit is not set is not sent.
    - `settings`: parameter values sent whenever the engine starts, by name. The name `mohex.max_time` is the key
      `max_time` of the command `param_mohex`; the group `mohex` may be left out if only one group has the key. Values
      given to `set_option` later are sent again after a restart.

    `options` holds the engine's parameters; it is empty before the first start. `Limits.multi_pv` and `excluded_moves`
    are ignored, because GTP has no command for them. Depth and nodes are sent by `param_gtp`, which our engines have.
    Another engine gets them by a time command with that placeholder, or is assumed to be limited by a time command
    without placeholders, such as `param_mock level 3`; otherwise EngineMisbehaved is raised. An engine that refuses
    fractions gets whole seconds, rounded down, at least one.
    """

    quit_command = "quit"

    def __init__(
        self,
        command: str | Sequence[str],
        game: GtpGame,
        *,
        start_up: Sequence[str] = (),
        time_commands: Sequence[str] = (),
        settings: Mapping[str, str] | None = None,
        **client_settings: Unpack[ClientSettings],
    ) -> None:
        super().__init__(command, OptionSet(()), **client_settings)
        self._game = game
        self._start_up = tuple(start_up)
        self._time_commands = tuple(time_commands)
        self._settings = dict(settings or {})
        self._position: GtpPosition = game.new_position(game.default_setup)
        self._coloured_moves: list[tuple[str, str]] = []  # colour and move of each ply
        self._engine_commands: frozenset[str] = frozenset()  # as listed by the engine
        self._uses_ids: bool | None = None  # None until the first answer
        self._accepts_fractions = True
        self._last_id = 0  # of the commands sent, counted from 1
        self._sent_time_settings = ""  # the last `time_settings` command; empty before the first
        self._has_sent_clock = False  # whether `time_settings` with the clock was sent in this game
        self._sent_limits: dict[str, int] = {}  # the last `depth` and `nodes` sent, by name; 0 for no limit

    def new_game(self, setup: Setup) -> None:
        """Start the engine if it does not run, then a game; raise BadSetup or EngineError."""
        position = self._game.new_position(setup)
        self._setup, self._position, self._coloured_moves = setup, position, []
        self.messages.clear()
        with self._marking_failures():
            self._ensure_running()
            self._begin_game()

    def set_position(self, moves: Sequence[str]) -> None:
        """Play the moves on our position; raise IllegalMove. The engine gets them before the next search."""
        set_position(self._position, moves, self._play)
        del self._coloured_moves[len(moves) :]

    def _play(self, move: str) -> None:
        """Play a move on our position and note its colour; raise IllegalMove."""
        side = self._position.to_move
        self._position.play(move)
        played = self._position.moves
        self._coloured_moves[len(played) - 1 :] = [(self._game.colours[side], played[-1])]

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Ask the engine for a move.

        Raise EngineTimeout if no move comes within the limits plus the grace, or another EngineError.
        """
        with self._marking_failures():
            self._require_process()
            self.messages.clear()
            self._update_engine_position()
            side = self._position.to_move
            self._send_limits(side, limits)
            move = self._genmove(side, limits)
            progress = self._fetch_progress() if move != RESIGN else Progress()
            report(progress)
            return Decision(move, progress)

    def set_option(self, name: str, value: Value) -> None:
        """Set a parameter of the engine, and start it if it does not run.

        Raise OptionError if the engine has no such parameter or refuses the value.
        """
        with self._marking_failures():
            self._ensure_running()
            option = self.options.get_option(name)
            self._send_parameter(option.name, option.parse(value))
        self._settings[option.name] = str(value)

    def set_parameter(self, name: str, value: str) -> None:
        """Set a parameter that the engine need not list, and start the engine if it does not run; raise OptionError."""
        with self._marking_failures():
            self._ensure_running()
            self._send_parameter(name, value)
        self._settings[name] = value

    def _handshake(self) -> None:
        """Ask the engine for its name, version, commands and parameters, then send start-up commands and settings."""
        self._engine_moves, self._sent_time_settings, self._sent_limits = None, "", {}
        self._uses_ids, self._accepts_fractions = None, True
        self._uses_ids = bool(self._ask("protocol_version", self.deadlines.start_s, may_fail=True).id)
        answers = {name: self._ask(name, may_fail=True) for name in ("name", "version", "list_commands")}
        self.about = {name: answers[name].text for name in ("name", "version") if answers[name].ok}
        self._engine_commands = frozenset(answers["list_commands"].text.split() if answers["list_commands"].ok else ())
        self._require_process().tree.members()  # record a boot loader's child processes while the boot loader lives
        for command in self._start_up:
            self._ask(command)
        self._read_options()
        for name, value in self._settings.items():
            try:
                self._send_parameter(name, value)
            except OptionError as error:
                raise EngineMisbehaved("refused", str(error)) from None

    def _read_options(self) -> None:
        """Fill `options` with the parameters that the engine's commands `param_*` list."""
        named_options = []
        for command in sorted(name for name in self._engine_commands if name.startswith(PARAMETER_PREFIX)):
            answer = self._ask(command, may_fail=True)
            for line in answer.text.splitlines() if answer.ok else ():
                option = parse_parameter(line)
                if option:
                    named_options.append((f"{command.removeprefix(PARAMETER_PREFIX)}.{option.name}", option))
        self.options = OptionSet(tuple(replace(option, name=name) for name, option in named_options))

    def _send_parameter(self, name: str, value: Value) -> None:
        """Set a parameter of the engine; raise OptionError if it refuses the value."""
        name = self._full_parameter_name(name)
        group, _, key = name.partition(".")
        text = str(int(value)) if isinstance(value, bool) else str(value)
        answer = self._ask(f"{PARAMETER_PREFIX}{group} {key} {text}", may_fail=True)
        if not answer.ok:
            raise OptionError(f"parameter {name}: {text!r} was answered by {answer.text!r}")
        if name in self.options:
            self.options.set(name, value)

    def _full_parameter_name(self, name: str) -> str:
        """Return a parameter's name with its group, as in `mohex.max_time`.

        Raise OptionError if the group is left out and not exactly one group has the key, or if either is empty.
        """
        group, dot, key = name.partition(".")
        if group and key:
            return name
        matches = [known for known in self.options if not dot and known.partition(".")[2].lower() == name.lower()]
        if len(matches) != 1:
            known = ", ".join(self.options) or "none"
            raise OptionError(f"parameter must be a name such as mohex.max_time, not {name!r}; known: {known}")
        return matches[0]

    def _begin_game(self) -> None:
        """Send the commands that set up the board of the game and, as far as the engine has them, its rules."""
        self._engine_moves, self._has_sent_clock = None, False
        for command in self._game.setup_commands(self._setup):
            self._ask(command, self.deadlines.new_game_s)
        for command in self._game.rule_commands(self._setup):
            if command.split()[0] in self._engine_commands:
                self._ask(command, self.deadlines.new_game_s)
        self._engine_moves = []

    def _update_engine_position(self) -> None:
        """Undo the engine's moves that differ from ours and play the missing ones.

        An engine without `undo` begins the game again.
        """
        target = [
            self._format_play(*play) for play in self._game.moves_to_send(tuple(self._coloured_moves), self._setup)
        ]
        if self._engine_moves is None:
            self._begin_game()
        engine_moves = self._engine_moves or []
        common_length = common_prefix_length(engine_moves, target)
        if len(engine_moves) > common_length and "undo" not in self._engine_commands:
            self._begin_game()
            engine_moves, common_length = [], 0
        self._engine_moves = None  # unknown until all commands below have succeeded
        for _ in engine_moves[common_length:]:
            self._ask("undo")
        for play in target[common_length:]:
            self._ask(f"play {play}")
        self._engine_moves = target

    def _send_limits(self, side: int, limits: Limits) -> None:
        """Send the limits of a search that the engine does not have yet: depth, nodes and time."""
        for name, value in (("depth", limits.depth or 0), ("nodes", limits.nodes or 0)):
            self._send_limit(name, value)
        if self._time_commands:
            for template in self._time_commands:
                values = _placeholder_values(limits)
                if all(value is not None for name, value in values.items() if f"{{{name}}}" in template):
                    self._send_timed_command(template, limits)
        elif _move_time_ms(limits) is None:
            if self._sent_time_settings:
                self._send_time_settings("time_settings 0 0 0", limits)
        elif limits.move_time_ms is not None:
            self._send_time_settings("time_settings 0 {seconds} 1", limits)
        else:
            if not self._has_sent_clock:
                self._sent_time_settings, self._has_sent_clock = "", True
                self._send_time_settings("time_settings {left} 0 0", limits)
            if "time_left" in self._engine_commands:
                self._send_timed_command(f"time_left {self._game.colours[side]} {{left}} 0", limits)

    def _send_limit(self, name: str, value: int) -> None:
        """Send the limit `depth` or `nodes`, 0 for none, unless the engine has it already."""
        if value == self._sent_limits.get(name, 0):
            return
        self._require_limit(name)
        if f"gtp.{name}" in self.options:
            self._ask(f"{PARAMETER_PREFIX}gtp {name} {value}")
        self._sent_limits[name] = value

    def _require_limit(self, name: str) -> None:
        """Raise EngineError if there is no way to send the limit `depth` or `nodes` to the engine."""
        is_in_time_commands = any(f"{{{name}}}" in template or "{" not in template for template in self._time_commands)
        if f"gtp.{name}" not in self.options and not is_in_time_commands:
            reason = f"the engine has no param_gtp {name}, and no time command has {{{name}}}"
            raise EngineMisbehaved("refused", f"cannot send the limit {name}: {reason}")

    def _send_time_settings(self, template: str, limits: Limits) -> None:
        """Send `time_settings`, unless the engine lacks it or has the same settings already."""
        is_known = self._fill_template(template, limits) == self._sent_time_settings
        if "time_settings" in self._engine_commands and not is_known:
            self._send_timed_command(template, limits)
            self._sent_time_settings = self._fill_template(template, limits)

    def _send_timed_command(self, template: str, limits: Limits) -> None:
        """Fill in the times of a command and send it. If the engine refuses a fraction, send whole seconds."""
        text = self._fill_template(template, limits)
        answer = self._ask(text, may_fail=self._accepts_fractions and "." in text)
        if not answer.ok:
            self._accepts_fractions = False
            self._ask(self._fill_template(template, limits))

    def _fill_template(self, template: str, limits: Limits) -> str:
        """Return a time command with its placeholders replaced by the limits."""

        def format_time(time_ms: int) -> str:
            if not self._accepts_fractions:
                time_ms = max(1000, time_ms // 1000 * 1000)
            return format_seconds(max(1, time_ms))  # 0 seconds would mean no limit

        for name, value in _placeholder_values(limits).items():
            text = format_time(value or 0) if name in ("seconds", "left") else str(value)
            template = template.replace(f"{{{name}}}", text)
        return template

    def _genmove(self, side: int, limits: Limits) -> str:
        """Return the engine's move in the game's notation, or `resign`. The referee checks whether it is legal.

        The move is the first word of the answer. The rest, such as a comment or statistics, is ignored.
        """
        command, moves_before = f"genmove {self._game.colours[side]}", self._engine_moves or []
        self._engine_moves = None
        answer = self._ask(command, self._answer_timeout_ms(limits) / 1000, stop=limits.stop)
        move_text = next(iter(answer.text.partition("#")[0].split()), "")
        if move_text.lower() == RESIGN:
            return RESIGN
        if not move_text:
            raise EngineMisbehaved("refused", f"{command} was answered by {answer.text!r}")
        try:
            move = self._game.parse_move(move_text, self._setup)
        except IllegalMove as error:
            raise EngineMisbehaved("illegal", f"{command} was answered by {answer.text!r}: {error}") from None
        self._engine_moves = [*moves_before, self._format_play(self._game.colours[side], move)]
        return move

    def _fetch_progress(self) -> Progress:
        """Return the search info that our engines report by `last_search`; an empty one for other engines."""
        if "last_search" not in self._engine_commands:
            return Progress()
        return parse_search_info(self._ask("last_search").text)

    def _format_play(self, colour: str, move: str) -> str:
        return f"{colour} {self._game.format_move(move, self._setup)}"

    def _ask(
        self, command: str, timeout_s: float | None = None, *, may_fail: bool = False, stop: StopToken | None = None
    ) -> Response:
        """Send a command and return its response; the default timeout is `deadlines.ping_s`.

        Raise EngineTimeout if no response comes in time, and EngineMisbehaved if the command fails, unless `may_fail`.
        `stop` is given for a command that searches; setting it interrupts the search.
        """
        process = self._require_process()
        self._collect_stale_lines()
        self._last_id += 1
        number = "" if self._uses_ids is False else str(self._last_id)
        expected_ids = {number} if self._uses_ids else {number, ""}
        began_ns = process.write(f"{number} {command}".lstrip())
        deadline_ns = began_ns + int((self.deadlines.ping_s if timeout_s is None else timeout_s) * 1000) * NS_PER_MS
        try:
            with stop.calling(self._interrupt_search) if stop else nullcontext():
                first = process.wait_line(
                    lambda text: _is_first_response_line(text, expected_ids), deadline_ns, self._keep_message
                )
        except EngineTimeout:
            message = self._timeout_message(began_ns, deadline_ns)
            raise EngineTimeout(message if stop else f"{command}: {message.replace('move', 'answer', 1)}") from None
        if stop:
            self.last_elapsed_ms = max(0, first.at_ns - began_ns) / NS_PER_MS
        answer = parse_response([first.text, *self._read_further_lines(command, first, deadline_ns)])
        assert answer is not None
        if not answer.ok and not may_fail:
            raise EngineMisbehaved("refused", f"{command} was answered by {f'? {answer.text}'.strip()!r}")
        return answer

    def _interrupt_search(self) -> None:
        """Ask for the move now, if the engine lists `gogui-interrupt`; other engines search on."""
        if "gogui-interrupt" in self._engine_commands:
            self._require_process().write(f"# {INTERRUPT}")

    def _read_further_lines(self, command: str, first: ArrivedLine, deadline_ns: int) -> Sequence[str]:
        """Return the lines of a response between its first line and the empty line that ends it."""
        lines = LastLines(MAX_REPLY_BYTES)
        try:
            self._require_process().wait_line(lambda text: not text, deadline_ns, lambda line: lines.add(line.text))
        except EngineTimeout:
            raise EngineTimeout(f"no empty line after {quote_line(first.text)}, the answer to {command}") from None
        if lines.left_out:
            raise EngineMisbehaved("refused", f"{command} was answered by {len(lines) + lines.left_out} lines")
        return lines


def _is_first_response_line(text: str, ids: Collection[str]) -> bool:
    """Return whether a line is the first of a response with one of these ids."""
    answer = parse_response([text])
    return answer is not None and answer.id in ids


def _move_time_ms(limits: Limits) -> int | None:
    """Return the time for the move: the move time or a part of the clock, whichever is less; None without a limit."""
    times_ms = [] if limits.move_time_ms is None else [limits.move_time_ms]
    if limits.time_left_ms is not None:
        times_ms.append(min(limits.time_left_ms, limits.time_left_ms // MOVES_TO_GO + limits.increment_ms))
    return max(0, min(times_ms)) if times_ms else None


def _placeholder_values(limits: Limits) -> dict[str, int | None]:
    """Return the value of each placeholder of a time command by name: times in ms, None for a limit that is not set.

    `left` is the move time if there is no clock.
    """
    move_ms = _move_time_ms(limits)
    left_ms = limits.time_left_ms if limits.time_left_ms is not None else move_ms
    return {"seconds": move_ms, "left": left_ms, "depth": limits.depth, "nodes": limits.nodes}
