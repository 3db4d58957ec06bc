"""UHP client: an external Hive engine as a `Player`.

The client reads the engine's banner, then sends one command at a time and waits for its response. Before each search it
brings the engine to our position by `undo` and `play`, which all engines understand. It tolerates differences between
engines: interim lines before a move, refused fractions of seconds, thinking on the opponent's time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from core.play.move_list import common_prefix_length
from core.play.options import Option, OptionError, OptionSet, Value
from core.play.player import Decision, IllegalMove, Limits, Progress, ProgressCallback, Setup, ignore_progress
from protocols.driving.engine_client import NS_PER_MS, ClientSettings, EngineClient, last_line_suffix
from protocols.driving.line_buffers import MAX_REPLY_BYTES, ArrivedLine, LastLines
from protocols.driving.process import EngineMisbehaved, EngineTimeout
from protocols.text import quote_line
from protocols.uhp.options import NODES
from protocols.uhp.text import (
    ERROR,
    INVALID_MOVE,
    OK,
    format_duration,
    game_state,
    is_move,
    parse_info,
    parse_nodes,
    parse_option,
    parse_search_info,
)

PROBE_MS = 500  # wait for an answer of a program that printed no banner
DEFAULT_MOVE_TIME_MS = 5000  # for searches without limits, which UHP cannot express
MOVES_TO_GO = 30  # UHP has no game clock: a move gets 1/30 of the time left, plus the increment
USUAL_SETTINGS = {  # set if the engine has the option, unless the user sets it
    "PonderDuringIdle": "Disabled",  # Mzinga's; on by default, it takes a core while the other side thinks
    "Verbosity": "2",  # our own: what bestmove tells of its search
}


class UhpClient(EngineClient):
    """An engine behind its command line; `about` holds name, version and capabilities.

    - `game_string`: the last GameString of the engine, empty before the first one;
    - `settings` are sent to the engine at each start, and so are options that were set later.

    The engine's options are known once it runs. How `Limits` are sent:
    - `multi_pv` and `excluded_moves` have no counterpart in UHP and are ignored;
    - `nodes` uses the option Nodes of our own engines; an engine without it is refused;
    - a depth is sent without the time;
    - a time with a fraction of a second is sent as Mzinga reads it, then as nokamute does. An engine that refuses both
      gets whole seconds, rounded down; a move time below a second is then an error, a game clock gives one second.
    """

    quit_command = "exit"

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        settings: Mapping[str, str] | None = None,
        **client_settings: Unpack[ClientSettings],
    ) -> None:
        super().__init__(command, OptionSet(()), **client_settings)
        self.game_string = ""
        self._settings: dict[str, str] = dict(settings or {})
        self._told_nodes = 0
        self._takes = list(_TIME_FORMS)  # ways of telling a time that the engine has not refused, best first

    def new_game(self, setup: Setup) -> None:
        """Start the program where needed, then a game of the variant; raise EngineError."""
        self._setup, self._moves = setup, []
        self.messages.clear()
        with self._marking_failures():
            self._ensure_running()
            self._begin_game()

    def set_position(self, moves: Sequence[str]) -> None:
        """Store the moves; they are sent before the next search. Only their form is checked here."""
        self._moves = [_check_form(move) for move in moves]

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Let the engine move. Raise EngineTimeout if no move comes within limits and grace, and EngineError.

        UHP has no command to stop: the engine goes on to its limit.
        """
        with self._marking_failures():
            self._update_engine_position()
            self._tell_nodes(limits.nodes or 0)
            self._collect_stale_lines()
            return self._read_decision(self._think_in_its_form(limits, report))

    def legal_moves(self) -> list[str]:
        """Return the moves that the engine calls legal, in its spelling; raise as `choose` does."""
        with self._marking_failures():
            self._update_engine_position()
            return [move.strip() for line in self._ask("validmoves") for move in line.split(";") if move.strip()]

    def ask_game(self) -> str:
        """Send the moves that the engine does not have yet and return its GameString; raise as `choose` does."""
        with self._marking_failures():
            self._update_engine_position()
            return self.game_string

    def set_option(self, name: str, value: Value) -> None:
        """Tell the engine an option, starting it where needed; raise OptionError where it has none such or refuses."""
        with self._marking_failures():
            self._ensure_running()
            option = self.options.get_option(name)
            self._tell_option(option.name, str(option.parse(value)))
        self._settings[option.name] = str(value)

    def _handshake(self) -> None:
        """Read the banner and the options, then send the settings."""
        self.messages.clear()
        self.game_string, self._engine_moves, self._told_nodes = "", None, 0
        lines = self._read_banner()
        self.about = parse_info(lines)
        self.options = OptionSet(())
        listed = [parsed for line in self._ask("options", may_refuse=True) if (parsed := parse_option(line))]
        self.options = OptionSet(tuple(option for option, _ in listed))
        for option, value in listed:
            self._note_value(option, value)
        self._require_process().tree.members()  # remember the children of a boot loader while it lives
        settings = {name: value for name, value in USUAL_SETTINGS.items() if name in self.options} | self._settings
        for name, value in settings.items():
            self._insist(name, value)

    def _read_banner(self) -> list[str]:
        """Read the banner; if none comes, send a command, because its answer may show that it is not a UHP engine."""
        try:
            return self._read_reply("the start", self.deadlines.start_s)
        except EngineTimeout as silence:
            process = self._require_process()
            try:
                line = process.wait_line(bool, process.write("options") + PROBE_MS * NS_PER_MS)
            except EngineTimeout:
                raise silence from None
            raise EngineTimeout(f"{silence}; options was answered by {quote_line(line.text)}") from None

    def _insist(self, name: str, value: str) -> None:
        """Set an option that must not fail."""
        try:
            self._tell_option(name, value)
        except OptionError as error:
            raise EngineMisbehaved("refused", str(error)) from None

    def _tell_option(self, name: str, value: str) -> None:
        if not value or len(value.split()) != 1:
            raise OptionError(f"option {name} must be a value without blanks, not {value!r}")
        lines = self._ask(f"options set {name} {value}", may_refuse=True)
        if not lines or _is_refusal(lines):
            raise OptionError(f"option {name}: {value!r} was answered by {lines[-1:]}")
        parsed = parse_option(lines[-1])
        if parsed and parsed[0].name in self.options:
            self._note_value(*parsed)

    def _note_value(self, option: Option, value: str) -> None:
        try:
            self.options.set(option.name, value)
        except OptionError:  # the engine breaks its own limits; its word is not ours to doubt
            self.messages.add(f"{option.name}: {value!r} does not fit its declaration")

    def _require_limit(self, name: str) -> None:
        """Raise EngineError for nodes where the engine lists no such option; a depth has its word in the protocol."""
        if name == "nodes" and NODES not in self.options:
            raise EngineMisbehaved("refused", f"cannot send the limit nodes: the engine has no option {NODES}")

    def _tell_nodes(self, nodes: int) -> None:
        """Set the limit; what the engine knows already is not said again."""
        if nodes:
            self._require_limit("nodes")
        if nodes != self._told_nodes:
            self._insist(NODES, str(nodes))
            self._told_nodes = nodes

    def _begin_game(self) -> None:
        self._engine_moves = None
        lines = self._ask(f"newgame {self._setup.variant}".strip(), self.deadlines.new_game_s)
        self._note_game(lines)
        self._engine_moves = []

    def _update_engine_position(self) -> None:
        """Bring the engine to our position: undo the moves that differ and play the new ones."""
        self._require_process()
        self.messages.clear()
        wanted = list(self._moves)
        if self._engine_moves is None:
            self._begin_game()
        known = self._engine_moves or []
        common = common_prefix_length(known, wanted)
        self._engine_moves = None
        if len(known) > common:
            self._note_game(self._ask(f"undo {len(known) - common}"))
        for move in wanted[common:]:
            self._note_game(self._ask(f"play {move}"))
        self._engine_moves = wanted

    def _note_game(self, lines: Sequence[str]) -> None:
        """Store the GameString of a response; raise an error if there is none."""
        games = [line for line in lines if game_state(line)]
        if not games:
            raise EngineMisbehaved("refused", f"answer must contain a GameString, not {list(lines[-1:])}")
        self.game_string = games[-1]

    def _ask(self, command: str, timeout_s: float | None = None, *, may_refuse: bool = False) -> list[str]:
        """Send a command and return the lines of its response; raise EngineError for an error, EngineTimeout."""
        self._collect_stale_lines()
        self._require_process().write(command)
        lines = self._read_reply(command, self.deadlines.ping_s if timeout_s is None else timeout_s)
        if _is_refusal(lines) and not may_refuse:
            raise EngineMisbehaved("refused", f"{command} was answered by {lines[-1]!r}")
        return lines

    def _read_reply(self, command: str, timeout_s: float) -> list[str]:
        process = self._require_process()
        lines = LastLines(MAX_REPLY_BYTES)
        deadline_ns = time.perf_counter_ns() + int(timeout_s * 1000) * NS_PER_MS
        try:
            process.wait_line(_is_end, deadline_ns, lambda line: lines.add(line.text))
        except EngineTimeout:
            raise EngineTimeout(f"no ok after {command} within {timeout_s:g} s{last_line_suffix(lines)}") from None
        if lines.left_out:
            raise EngineMisbehaved("refused", f"{command} was answered by {len(lines) + lines.left_out} lines")
        return [line for line in lines if line.strip()]

    def _think_in_its_form(self, limits: Limits, report: ProgressCallback) -> list[str]:
        """Send `bestmove` in the first time format that the engine accepts, and return the last response."""
        if limits.depth is not None:
            return self._think(f"depth {limits.depth}", limits, report)
        if limits.nodes and limits.move_time_ms is None and limits.time_left_ms is None:
            return self._think("", limits, report)
        lines: list[str] = []
        for number, form in enumerate(self._takes):
            argument = form(limits)
            if not argument:
                hint = f"{limits.move_time_ms} ms cannot be sent in whole seconds"
                raise EngineMisbehaved("refused", f"bestmove was answered by {lines[-1:]}; {hint}")
            lines = self._think(argument, limits, report)
            if not _is_refusal(lines):
                self._takes = self._takes[number:]
                break
            if "." not in argument:  # it was something else
                break
        return lines

    def _think(self, argument: str, limits: Limits, report: ProgressCallback) -> list[str]:
        """Send `bestmove` and return the lines of the response."""
        process = self._require_process()
        lines = LastLines(MAX_REPLY_BYTES)

        def keep(line: ArrivedLine) -> None:
            if line.text.strip():
                lines.add(line.text.strip())
                self._report_thought(line.text, report)

        began_ns = process.write(f"bestmove {argument}".strip())
        deadline_ns = began_ns + self._thinking_ms(limits) * NS_PER_MS
        try:
            line = process.wait_line(_is_end, deadline_ns, keep)
        except EngineTimeout:
            self.messages.add_all(lines)
            raise EngineTimeout(self._timeout_message(began_ns, deadline_ns)) from None
        self.last_elapsed_ms = max(0, line.at_ns - began_ns) / NS_PER_MS
        return list(lines)

    def _report_thought(self, text: str, report: ProgressCallback) -> None:
        move, progress = parse_search_info(text)
        if progress is not None and is_move(move):
            report(progress)

    def _thinking_ms(self, limits: Limits) -> int:
        """How long an answer is waited for; without limits, what the engine was told is one."""
        set_limits = (limits.depth, limits.nodes, limits.move_time_ms, limits.time_left_ms)
        bare = all(limit is None for limit in set_limits)
        return DEFAULT_MOVE_TIME_MS + self._grace_ms if bare else self._answer_timeout_ms(limits)

    def _read_decision(self, lines: Sequence[str]) -> Decision:
        """Return the move of the last line. The referee checks whether it is legal."""
        said = (line for line in lines[:-1] if parse_search_info(line)[1] is None and parse_nodes(line) is None)
        self.messages.add(*said)
        last = lines[-1] if lines else ""
        move, progress = parse_search_info(last)
        if not is_move(move):
            raise EngineMisbehaved("refused", f"bestmove was answered by {last!r}")
        if progress is None:
            thoughts = [parse_search_info(line) for line in lines[:-1]]
            same = [thought for text, thought in thoughts if thought is not None and text == move]
            progress = same[-1] if same else Progress()
        nodes = [count for line in lines if (count := parse_nodes(line)) is not None]
        return Decision(move, replace(progress, nodes=nodes[-1]) if nodes else progress)


def _is_end(text: str) -> bool:
    return text == OK


def _is_refusal(lines: Sequence[str]) -> bool:
    return bool(lines) and lines[-1].partition(" ")[0] in (ERROR, INVALID_MOVE)


def _check_form(move: str) -> str:
    text = " ".join(move.split())
    if not is_move(text):
        raise IllegalMove(f"move must be a MoveString such as 'wA1 -bQ' or 'pass', not {move!r}")
    return text


def _share_ms(limits: Limits) -> int:
    """The time for a move."""
    known = [] if limits.move_time_ms is None else [limits.move_time_ms]
    if limits.time_left_ms is not None:
        known.append(min(limits.time_left_ms, limits.time_left_ms // MOVES_TO_GO + limits.increment_ms))
    return max(0, min(known)) if known else DEFAULT_MOVE_TIME_MS


def _tell_fraction(limits: Limits) -> str:
    """Format the move time as Mzinga reads it, with a fraction only if there is one."""
    return f"time {format_duration(_share_ms(limits))}"


def _tell_seconds(limits: Limits) -> str:
    """Format the move time in nokamute's own form."""
    return f"seconds {_share_ms(limits) / 1000:.3f}"


def _tell_whole(limits: Limits) -> str:
    """Format the move time in whole seconds, as the protocol says; empty if the move has less than a second."""
    if limits.move_time_ms is not None and limits.move_time_ms < 1000:
        return ""
    return f"time {format_duration(max(1000, _share_ms(limits) // 1000 * 1000))}"


_TIME_FORMS = (_tell_fraction, _tell_seconds, _tell_whole)
