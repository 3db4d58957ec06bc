"""GTP client: an external engine as a `Player`.

The client sends one command at a time and waits for its response. Before each search it brings the engine to our
position by `undo` and `play`; our rules tell the colour of each move. It tolerates differences between engines:
responses without ids, no `undo`, a move time that is a parameter, lines between the responses.
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
    parse_thought,
)
from protocols.text import quote_line

MOVES_TO_GO = 30  # `{seconds}` of a time command: 1/30 of the time left on the clock, plus the increment
PARAM = "param_"  # prefix of the commands that list and set parameters


class GtpClient(EngineClient):
    """An engine behind its command line; `about` holds name and version.

    - `start_up`: commands sent at each start; they must succeed.
    - `time_commands`: sent before each move instead of `time_settings` and `time_left`, for example `param_mohex
      max_time {seconds}`. `{seconds}` is the time for the move, `{left}` the time left on the clock, `{depth}` and
      `{nodes}` are those limits. A command whose limit is not set is not sent.
    - `settings`: parameters sent at each start. `mohex.max_time` is the key `max_time` of `param_mohex`; the group may
      be left out if only one has the key. Options set later are sent as well.

    The engine's parameters are known once it runs. `Limits.multi_pv` and `excluded_moves` have no counterpart and are
    ignored. Depth and nodes use `param_gtp` of our own engines; an engine without it is refused, unless a time command
    has the limit in it or is a constant. Engines that refuse fractions get whole seconds, rounded down, at least one.
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
        **terms: Unpack[ClientSettings],
    ) -> None:
        super().__init__(command, OptionSet(()), **terms)
        self._game = game
        self._start_up = tuple(start_up)
        self._time_commands = tuple(time_commands)
        self._settings = dict(settings or {})
        self._position: GtpPosition = game.new_position(game.default_setup)
        self._plays: list[tuple[str, str]] = []  # colour and move of each ply
        self._commands: frozenset[str] = frozenset()  # what the engine lists; beyond the required ones no other is used
        self._uses_ids: bool | None = None  # None until the first answer
        self._takes_fractions = True
        self._last_id = 0
        self._told_time = ""  # the last time_settings
        self._told_left = False  # whether the engine knows the clock of this game
        self._told: dict[str, int] = {}  # depth and nodes as the engine knows them

    def new_game(self, setup: Setup) -> None:
        """Start the program where needed, then a game on it; raise BadSetup, EngineError."""
        position = self._game.new_position(setup)
        self._setup, self._position, self._plays = setup, position, []
        self.messages.clear()
        with self._marking_failures():
            self._ensure_running()
            self._begin_game()

    def set_position(self, moves: Sequence[str]) -> None:
        """Play the moves on our position; they are sent before the next search. Raise IllegalMove."""
        set_position(self._position, moves, self._play)
        del self._plays[len(moves) :]

    def _play(self, move: str) -> None:
        side = self._position.to_move
        self._position.play(move)
        played = self._position.moves
        self._plays[len(played) - 1 :] = [(self._game.colours[side], played[-1])]

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Let the engine move. Raise EngineTimeout if no move comes within limits and grace, and EngineError."""
        with self._marking_failures():
            self._require_process()
            self.messages.clear()
            self._follow()
            side = self._position.to_move
            self._tell_limits(side, limits)
            move = self._generate(side, limits)
            progress = self._ask_progress() if move != RESIGN else Progress()
            report(progress)
            return Decision(move, progress)

    def set_option(self, name: str, value: Value) -> None:
        """Tell the engine a parameter, starting it where needed; raise OptionError for an unknown or refused one."""
        with self._marking_failures():
            self._ensure_running()
            option = self.options.get_option(name)
            self._tell_parameter(option.name, option.parse(value))
        self._settings[option.name] = str(value)

    def _handshake(self) -> None:
        """Ask the engine for its name, version, commands and parameters, then send start-up commands and settings."""
        self._engine_moves, self._told_time, self._told = None, "", {}
        self._uses_ids, self._takes_fractions = None, True
        self._uses_ids = bool(self._ask("protocol_version", self.deadlines.start_s, may_fail=True).id)
        answers = {name: self._ask(name, may_fail=True) for name in ("name", "version", "list_commands")}
        self.about = {name: answers[name].text for name in ("name", "version") if answers[name].ok}
        self._commands = frozenset(answers["list_commands"].text.split() if answers["list_commands"].ok else ())
        self._require_process().tree.members()  # remember the children of a boot loader while it lives
        for command in self._start_up:
            self._ask(command)
        self._read_options()
        for name, value in self._settings.items():
            try:
                self._tell_parameter(name, value)
            except OptionError as error:
                raise EngineMisbehaved("refused", str(error)) from None

    def _read_options(self) -> None:
        found = []
        for command in sorted(name for name in self._commands if name.startswith(PARAM)):
            answer = self._ask(command, may_fail=True)
            for line in answer.text.splitlines() if answer.ok else ():
                option = parse_parameter(line)
                if option:
                    found.append((f"{command.removeprefix(PARAM)}.{option.name}", option))
        self.options = OptionSet(tuple(replace(option, name=name) for name, option in found))

    def _tell_parameter(self, name: str, value: Value) -> None:
        name = self._with_group(name)
        group, _, key = name.partition(".")
        text = str(int(value)) if isinstance(value, bool) else str(value)
        answer = self._ask(f"{PARAM}{group} {key} {text}", may_fail=True)
        if not answer.ok:
            raise OptionError(f"parameter {name}: {text!r} was answered by {answer.text!r}")
        if name in self.options:
            self.options.set(name, value)

    def _with_group(self, name: str) -> str:
        """Return a parameter's name with its group, which may be left out if unique; raise OptionError."""
        group, dot, key = name.partition(".")
        if group and key:
            return name
        found = [known for known in self.options if not dot and known.partition(".")[2].lower() == name.lower()]
        if len(found) != 1:
            known = ", ".join(self.options) or "none"
            raise OptionError(f"parameter must be a name such as mohex.max_time, not {name!r}; known: {known}")
        return found[0]

    def _begin_game(self) -> None:
        self._engine_moves, self._told_left = None, False
        for command in self._game.setup_commands(self._setup):
            self._ask(command, self.deadlines.new_game_s)
        for command in self._game.rule_commands(self._setup):
            if command.split()[0] in self._commands:
                self._ask(command, self.deadlines.new_game_s)
        self._engine_moves = []

    def _follow(self) -> None:
        """Take back and play what the engine's game differs from ours by."""
        wanted = [self._spell(*play) for play in self._game.moves_to_send(tuple(self._plays), self._setup)]
        if self._engine_moves is None:
            self._begin_game()
        known = self._engine_moves or []
        common = common_prefix_length(known, wanted)
        if len(known) > common and "undo" not in self._commands:
            self._begin_game()
            known, common = [], 0
        self._engine_moves = None
        for _ in known[common:]:
            self._ask("undo")
        for play in wanted[common:]:
            self._ask(f"play {play}")
        self._engine_moves = wanted

    def _tell_limits(self, side: int, limits: Limits) -> None:
        """Clock, depth and nodes, in the engine's way; what it knows already is not said again."""
        for name, wanted in (("depth", limits.depth or 0), ("nodes", limits.nodes or 0)):
            self._tell_limit(name, wanted)
        if self._time_commands:
            for template in self._time_commands:
                if all(value is not None for name, value in _values(limits).items() if f"{{{name}}}" in template):
                    self._tell(template, limits)
        elif _time_for_move(limits) is None:
            if self._told_time:
                self._tell_settings("time_settings 0 0 0", limits)
        elif limits.move_time_ms is not None:
            self._tell_settings("time_settings 0 {seconds} 1", limits)
        else:
            if not self._told_left:
                self._told_time, self._told_left = "", True
                self._tell_settings("time_settings {left} 0 0", limits)
            if "time_left" in self._commands:
                self._tell(f"time_left {self._game.colours[side]} {{left}} 0", limits)

    def _tell_limit(self, name: str, wanted: int) -> None:
        if wanted == self._told.get(name, 0):
            return
        self._require_limit(name)
        if f"gtp.{name}" in self.options:
            self._ask(f"{PARAM}gtp {name} {wanted}")
        self._told[name] = wanted

    def _require_limit(self, name: str) -> None:
        """Raise EngineError where the engine cannot be told a limit of depth or nodes."""
        in_commands = any(f"{{{name}}}" in template or "{" not in template for template in self._time_commands)
        if f"gtp.{name}" not in self.options and not in_commands:
            why = f"the engine has no param_gtp {name}, and no time command has {{{name}}}"
            raise EngineMisbehaved("refused", f"cannot send the limit {name}: {why}")

    def _tell_settings(self, template: str, limits: Limits) -> None:
        """Send `time_settings`, unless they are the same as before."""
        if "time_settings" in self._commands and self._fill_in(template, limits) != self._told_time:
            self._tell(template, limits)
            self._told_time = self._fill_in(template, limits)

    def _tell(self, template: str, limits: Limits) -> None:
        """Send a command with times in it, in whole seconds if the engine refuses fractions."""
        text = self._fill_in(template, limits)
        answer = self._ask(text, may_fail=self._takes_fractions and "." in text)
        if not answer.ok:
            self._takes_fractions = False
            self._ask(self._fill_in(template, limits))

    def _fill_in(self, template: str, limits: Limits) -> str:
        def seconds(time_ms: int) -> str:
            if not self._takes_fractions:
                time_ms = max(1000, time_ms // 1000 * 1000)
            return format_seconds(max(1, time_ms))  # no time at all would mean no limit

        for name, value in _values(limits).items():
            text = seconds(value or 0) if name in ("seconds", "left") else str(value)
            template = template.replace(f"{{{name}}}", text)
        return template

    def _generate(self, side: int, limits: Limits) -> str:
        """Return the engine's move in the game's notation, or `resign`. Whether it is legal is the referee's question.

        The move is the first word of the answer; comments and further lines (statistics) of engines are skipped.
        """
        command, wanted = f"genmove {self._game.colours[side]}", self._engine_moves or []
        self._engine_moves = None
        answer = self._ask(command, self._answer_timeout_ms(limits) / 1000, stop=limits.stop)
        word = next(iter(answer.text.partition("#")[0].split()), "")
        if word.lower() == RESIGN:
            return RESIGN
        if not word:
            raise EngineMisbehaved("refused", f"{command} was answered by {answer.text!r}")
        try:
            move = self._game.parse_move(word, self._setup)
        except IllegalMove as error:
            raise EngineMisbehaved("illegal", f"{command} was answered by {answer.text!r}: {error}") from None
        self._engine_moves = [*wanted, self._spell(self._game.colours[side], move)]
        return move

    def _ask_progress(self) -> Progress:
        """Return the search info that our own engines report by `last_search`; empty for other engines."""
        if "last_search" not in self._commands:
            return Progress()
        return parse_thought(self._ask("last_search").text)

    def _spell(self, colour: str, move: str) -> str:
        return f"{colour} {self._game.format_move(move, self._setup)}"

    def _ask(
        self, command: str, timeout_s: float | None = None, *, may_fail: bool = False, stop: StopToken | None = None
    ) -> Response:
        """Send a command and return its answer; raise EngineError, also if the command fails.

        `stop` belongs to a command that thinks, and interrupts it.
        """
        process = self._require_process()
        self._collect_stale_lines()
        self._last_id += 1
        number = "" if self._uses_ids is False else str(self._last_id)
        wanted = {number} if self._uses_ids else {number, ""}
        began_ns = process.write(f"{number} {command}".lstrip())
        deadline_ns = began_ns + int((self.deadlines.ping_s if timeout_s is None else timeout_s) * 1000) * NS_PER_MS
        try:
            with stop.calling(self._interrupt_search) if stop else nullcontext():
                first = process.wait_line(lambda text: _begins_answer(text, wanted), deadline_ns, self._keep_message)
        except EngineTimeout:
            silence = self._timeout_message(began_ns, deadline_ns)
            raise EngineTimeout(silence if stop else f"{command}: {silence.replace('move', 'answer', 1)}") from None
        if stop:
            self.last_elapsed_ms = max(0, first.at_ns - began_ns) / NS_PER_MS
        answer = parse_response([first.text, *self._read_rest(command, first, deadline_ns)])
        assert answer is not None
        if not answer.ok and not may_fail:
            raise EngineMisbehaved("refused", f"{command} was answered by {f'? {answer.text}'.strip()!r}")
        return answer

    def _interrupt_search(self) -> None:
        """Ask for the move now, if the engine has announced that it listens."""
        if "gogui-interrupt" in self._commands:
            self._require_process().write(f"# {INTERRUPT}")

    def _read_rest(self, command: str, first: ArrivedLine, deadline_ns: int) -> Sequence[str]:
        """Return the lines of a response after the first, up to the empty one."""
        lines = LastLines(MAX_REPLY_BYTES)
        try:
            self._require_process().wait_line(lambda text: not text, deadline_ns, lambda line: lines.add(line.text))
        except EngineTimeout:
            raise EngineTimeout(f"no empty line after {quote_line(first.text)}, the answer to {command}") from None
        if lines.left_out:
            raise EngineMisbehaved("refused", f"{command} was answered by {len(lines) + lines.left_out} lines")
        return lines


def _begins_answer(text: str, ids: Collection[str]) -> bool:
    """True if a line starts a response with one of these ids."""
    answer = parse_response([text])
    return answer is not None and answer.id in ids


def _time_for_move(limits: Limits) -> int | None:
    """Return the milliseconds for the move; None if time is unlimited."""
    known = [] if limits.move_time_ms is None else [limits.move_time_ms]
    if limits.time_left_ms is not None:
        known.append(min(limits.time_left_ms, limits.time_left_ms // MOVES_TO_GO + limits.increment_ms))
    return max(0, min(known)) if known else None


def _values(limits: Limits) -> dict[str, int | None]:
    """Return the values of the placeholders of a time command; None for a limit that is not set."""
    move_ms = _time_for_move(limits)
    left_ms = limits.time_left_ms if limits.time_left_ms is not None else move_ms
    return {"seconds": move_ms, "left": left_ms, "depth": limits.depth, "nodes": limits.nodes}
