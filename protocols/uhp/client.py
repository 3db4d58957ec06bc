"""UHP client: drives a Hive engine process that speaks the Universal Hive Protocol and offers it as a `Player`.

The client reads the engine's banner (the response to `info`, which the engine prints at its start). Then it sends one
command at a time and waits for the response. Before each search it brings the engine to our position by `undo` and
`play`, because all engines handle these alike.

Engines may differ from the protocol: they may print lines about the search before the move, refuse fractions of a
second, or think during the opponent's time.
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

PROBE_MS = 500  # how long to wait for an answer of a program that has printed no banner
DEFAULT_MOVE_TIME_MS = 5000  # for a search without limits, because `bestmove` requires a limit; chosen by hand
MOVES_TO_GO = 30  # UHP has no game clock: a move gets 1/30 of the time left plus the increment; chosen by hand
DEFAULT_SETTINGS = {  # option -> value, sent if the engine has the option and the user does not set it
    "PonderDuringIdle": "Disabled",  # Mzinga's: it ponders by default, which takes a core from the other engine
    "Verbosity": "2",  # of our engines: print depth, score, nodes and PV of a search
}


class UhpClient(EngineClient):
    """A UHP engine as a `Player`. `about` holds its name, version and capabilities.

    - `game_string`: the last GameString of the engine; empty before the first one;
    - `settings`: option values that are sent whenever the engine starts. Values given to `set_option` later are sent
      again after a restart.

    `options` holds the engine's options; it is empty before the first start. `Limits` are sent in this way:

    - `multi_pv` and `excluded_moves` are ignored, because UHP has no command for them;
    - `nodes` sets the option Nodes of our engines; for an engine without it, EngineMisbehaved is raised;
    - a depth is sent without the time, because `bestmove` takes only one of them;
    - a time with a fraction of a second is sent in Mzinga's format, `time 00:00:02.500`, then in nokamute's, `seconds
      2.500`. An engine that refuses both gets whole seconds, rounded down. Then a move time below a second raises
      EngineMisbehaved, and a game clock gives at least one second per move.
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
        self._sent_nodes = 0  # the node limit that the engine has; 0 for none
        self._time_formats = list(_TIME_FORMATS)  # those that the engine has not refused, best first

    def new_game(self, setup: Setup) -> None:
        """Start the engine if it does not run, then a game of the variant; raise EngineError."""
        self._setup, self._moves = setup, []
        self.messages.clear()
        with self._marking_failures():
            self._ensure_running()
            self._begin_game()

    def set_position(self, moves: Sequence[str]) -> None:
        """Store the moves; the engine gets them before the next search. Raise IllegalMove for a malformed one."""
        known = common_prefix_length(self._moves, moves)
        self._moves = [*self._moves[:known], *map(_parse_move, moves[known:])]

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Ask the engine for a move. The stop token is ignored, because UHP has no command to stop a search.

        Raise EngineTimeout if no move comes within the limits plus the grace, or another EngineError.
        """
        with self._marking_failures():
            self._update_engine_position()
            self._send_nodes(limits.nodes or 0)
            self._collect_stale_lines()
            return self._read_decision(self._search(limits, report))

    def legal_moves(self) -> list[str]:
        """Return the engine's answer to `validmoves`, a list of MoveStrings; raise EngineError."""
        with self._marking_failures():
            self._update_engine_position()
            return [move.strip() for line in self._ask("validmoves") for move in line.split(";") if move.strip()]

    def fetch_game_string(self) -> str:
        """Bring the engine to our position and return its GameString; raise EngineError."""
        with self._marking_failures():
            self._update_engine_position()
            return self.game_string

    def set_option(self, name: str, value: Value) -> None:
        """Set an option of the engine, and start it if it does not run.

        Raise OptionError if the engine has no such option or refuses the value.
        """
        with self._marking_failures():
            self._ensure_running()
            option = self.options.get_option(name)
            self._send_option(option.name, str(option.parse(value)))
        self._settings[option.name] = str(value)

    def set_parameter(self, name: str, value: str) -> None:
        """Set an option that the engine need not list, and start the engine if it does not run; raise OptionError."""
        with self._marking_failures():
            self._ensure_running()
            self._send_option(name, value)
        self._settings[name] = value

    def _handshake(self) -> None:
        """Read the banner and the options, then send the settings."""
        self.messages.clear()
        self.game_string, self._engine_moves, self._sent_nodes = "", None, 0
        lines = self._read_banner()
        self.about = parse_info(lines)
        self.options = OptionSet(())
        options = [parsed for line in self._ask("options", may_fail=True) if (parsed := parse_option(line))]
        self.options = OptionSet(tuple(option for option, _ in options))
        for option, value in options:
            self._store_value(option, value)
        self._require_process().tree.members()  # record a boot loader's child processes while the boot loader lives
        settings = {name: value for name, value in DEFAULT_SETTINGS.items() if name in self.options} | self._settings
        for name, value in settings.items():
            self._set_required_option(name, value)

    def _read_banner(self) -> list[str]:
        """Read the banner and return its lines.

        If none comes, send `options` and quote the answer in the error: it may show that this is not a UHP engine.
        """
        try:
            return self._read_response("the start", self.deadlines.start_s)
        except EngineTimeout as timeout:
            process = self._require_process()
            try:
                line = process.wait_line(bool, process.write("options") + PROBE_MS * NS_PER_MS)
            except EngineTimeout:
                raise timeout from None
            raise EngineTimeout(f"{timeout}; options was answered by {quote_line(line.text)}") from None

    def _set_required_option(self, name: str, value: str) -> None:
        """Set an option of the engine; raise EngineMisbehaved if it refuses."""
        try:
            self._send_option(name, value)
        except OptionError as error:
            raise EngineMisbehaved("refused", str(error)) from None

    def _send_option(self, name: str, value: str) -> None:
        """Set an option of the engine and store the value that it reports; raise OptionError if it refuses."""
        if not value or len(value.split()) != 1:
            raise OptionError(f"option {name} must be one word, not {value!r}")
        lines = self._ask(f"options set {name} {value}", may_fail=True)
        if not lines or _is_error(lines):
            raise OptionError(f"option {name}: {value!r} was answered by {lines[-1:]}")
        parsed = parse_option(lines[-1])
        if parsed and parsed[0].name in self.options:
            self._store_value(*parsed)

    def _store_value(self, option: Option, value: str) -> None:
        try:
            self.options.set(option.name, value)
        except OptionError:  # the value is outside the limits that the engine declares; the engine may still use it
            self.messages.add(f"{option.name}: {value!r} does not fit its declaration")

    def _require_limit(self, name: str) -> None:
        """Raise EngineError if the limit is `nodes` and the engine lists no option for it. UHP itself has a depth."""
        if name == "nodes" and NODES not in self.options:
            raise EngineMisbehaved("refused", f"cannot send the limit nodes: the engine has no option {NODES}")

    def _send_nodes(self, nodes: int) -> None:
        """Set the node limit, 0 for none, unless the engine has it already."""
        if nodes:
            self._require_limit("nodes")
        if nodes != self._sent_nodes:
            self._set_required_option(NODES, str(nodes))
            self._sent_nodes = nodes

    def _begin_game(self) -> None:
        self._engine_moves = None
        lines = self._ask(f"newgame {self._setup.variant}".strip(), self.deadlines.new_game_s)
        self._store_game_string(lines)
        self._engine_moves = []

    def _update_engine_position(self) -> None:
        """Undo the engine's moves that differ from ours and play the missing ones."""
        self._require_process()
        self.messages.clear()
        target = list(self._moves)
        if self._engine_moves is None:
            self._begin_game()
        engine_moves = self._engine_moves or []
        common_length = common_prefix_length(engine_moves, target)
        self._engine_moves = None  # unknown until all commands below have succeeded
        if len(engine_moves) > common_length:
            self._store_game_string(self._ask(f"undo {len(engine_moves) - common_length}"))
        for move in target[common_length:]:
            self._store_game_string(self._ask(f"play {move}"))
        self._engine_moves = target

    def _store_game_string(self, lines: Sequence[str]) -> None:
        """Store the GameString of a response; raise EngineMisbehaved if there is none."""
        game_strings = [line for line in lines if game_state(line)]
        if not game_strings:
            raise EngineMisbehaved("refused", f"answer must contain a GameString, not {list(lines[-1:])}")
        self.game_string = game_strings[-1]

    def _ask(self, command: str, timeout_s: float | None = None, *, may_fail: bool = False) -> list[str]:
        """Send a command and return the lines of its response; the default timeout is `deadlines.ping_s`.

        Raise EngineTimeout if no response comes in time, and EngineMisbehaved for an error unless `may_fail`.
        """
        self._collect_stale_lines()
        self._require_process().write(command)
        lines = self._read_response(command, self.deadlines.ping_s if timeout_s is None else timeout_s)
        if _is_error(lines) and not may_fail:
            raise EngineMisbehaved("refused", f"{command} was answered by {lines[-1]!r}")
        return lines

    def _read_response(self, command: str, timeout_s: float) -> list[str]:
        """Return the lines before `ok` that are not blank; `command` is named in the error messages."""
        process = self._require_process()
        lines = LastLines(MAX_REPLY_BYTES)
        deadline_ns = time.perf_counter_ns() + int(timeout_s * 1000) * NS_PER_MS
        try:
            process.wait_line(_is_last_line, deadline_ns, lambda line: lines.add(line.text))
        except EngineTimeout:
            raise EngineTimeout(f"no ok after {command} within {timeout_s:g} s{last_line_suffix(lines)}") from None
        if lines.left_out:
            raise EngineMisbehaved("refused", f"{command} was answered by {len(lines) + lines.left_out} lines")
        return [line for line in lines if line.strip()]

    def _search(self, limits: Limits, report: ProgressCallback) -> list[str]:
        """Send `bestmove` in the first time format that the engine accepts, and return the lines of the response."""
        if limits.depth is not None:
            return self._bestmove(f"depth {limits.depth}", limits, report)
        if limits.nodes and limits.move_time_ms is None and limits.time_left_ms is None:
            return self._bestmove("", limits, report)
        lines: list[str] = []
        for index, format_time in enumerate(self._time_formats):
            argument = format_time(limits)
            if not argument:
                reason = f"{limits.move_time_ms} ms cannot be sent in whole seconds"
                raise EngineMisbehaved("refused", f"bestmove was answered by {lines[-1:]}; {reason}")
            lines = self._bestmove(argument, limits, report)
            if not _is_error(lines):
                self._time_formats = self._time_formats[index:]
                break
            if "." not in argument:  # there was no fraction, so the engine refused something else
                break
        return lines

    def _bestmove(self, argument: str, limits: Limits, report: ProgressCallback) -> list[str]:
        """Send `bestmove` and return the lines of the response."""
        process = self._require_process()
        lines = LastLines(MAX_REPLY_BYTES)

        def keep(line: ArrivedLine) -> None:
            if line.text.strip():
                lines.add(line.text.strip())
                self._report_search_info(line.text, report)

        began_ns = process.write(f"bestmove {argument}".strip())
        deadline_ns = began_ns + self._search_timeout_ms(limits) * NS_PER_MS
        try:
            line = process.wait_line(_is_last_line, deadline_ns, keep)
        except EngineTimeout:
            self.messages.add_all(lines)
            raise EngineTimeout(self._timeout_message(began_ns, deadline_ns)) from None
        self.last_elapsed_ms = max(0, line.at_ns - began_ns) / NS_PER_MS
        return list(lines)

    def _report_search_info(self, text: str, report: ProgressCallback) -> None:
        """Report a line such as `wA1;4;-15;wA1;bA1`; ignore other lines."""
        move, progress = parse_search_info(text)
        if progress is not None and is_move(move):
            report(progress)

    def _search_timeout_ms(self, limits: Limits) -> int:
        """Return how long to wait for the answer. Without limits the engine was given DEFAULT_MOVE_TIME_MS."""
        values = (limits.depth, limits.nodes, limits.move_time_ms, limits.time_left_ms)
        is_unlimited = all(value is None for value in values)
        return DEFAULT_MOVE_TIME_MS + self._grace_ms if is_unlimited else self._answer_timeout_ms(limits)

    def _read_decision(self, lines: Sequence[str]) -> Decision:
        """Return the move of the last line, with the latest search info about it. The referee checks its legality."""
        *infos, (move, progress) = map(parse_search_info, lines or [""])
        messages = (
            line for line, (_, info) in zip(lines, infos, strict=False) if info is None and parse_nodes(line) is None
        )
        self.messages.add(*messages)
        if not is_move(move):
            raise EngineMisbehaved("refused", f"bestmove was answered by {''.join(lines[-1:])!r}")
        if progress is None:
            reports = [info for info_move, info in infos if info is not None and info_move == move]
            progress = reports[-1] if reports else Progress()
        node_counts = [count for line in lines if (count := parse_nodes(line)) is not None]
        return Decision(move, replace(progress, nodes=node_counts[-1]) if node_counts else progress)


def _is_last_line(text: str) -> bool:
    """Return whether a line ends a response."""
    return text == OK


def _is_error(lines: Sequence[str]) -> bool:
    """Return whether the lines of a response end with an error line."""
    return bool(lines) and lines[-1].partition(" ")[0] in (ERROR, INVALID_MOVE)


def _parse_move(move: str) -> str:
    """Return the move with single spaces; raise IllegalMove if it does not have the form of a MoveString."""
    text = " ".join(move.split())
    if not is_move(text):
        raise IllegalMove(f"move must be a MoveString such as 'wA1 -bQ' or 'pass', not {move!r}")
    return text


def _move_time_ms(limits: Limits) -> int:
    """Return the time for the move: the move time or a part of the clock, whichever is less, or the default."""
    times_ms = [] if limits.move_time_ms is None else [limits.move_time_ms]
    if limits.time_left_ms is not None:
        times_ms.append(min(limits.time_left_ms, limits.time_left_ms // MOVES_TO_GO + limits.increment_ms))
    return max(0, min(times_ms)) if times_ms else DEFAULT_MOVE_TIME_MS


def _format_with_fraction(limits: Limits) -> str:
    """Return the move time in Mzinga's format, `time 00:00:02.500`; without a fraction if there is none."""
    return f"time {format_duration(_move_time_ms(limits))}"


def _format_seconds(limits: Limits) -> str:
    """Return the move time in nokamute's format, `seconds 2.500`."""
    return f"seconds {_move_time_ms(limits) / 1000:.3f}"


def _format_whole_seconds(limits: Limits) -> str:
    """Return the move time in the format of the protocol, in whole seconds, at least one: `time 00:00:02`.

    Return an empty string if the move time is less than a second.
    """
    if limits.move_time_ms is not None and limits.move_time_ms < 1000:
        return ""
    return f"time {format_duration(max(1000, _move_time_ms(limits) // 1000 * 1000))}"


_TIME_FORMATS = (_format_with_fraction, _format_seconds, _format_whole_seconds)
