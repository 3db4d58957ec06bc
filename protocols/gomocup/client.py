"""Gomocup client: drives an engine process (in Gomocup's terms a brain) and offers it to the arena as a `Player`.

Commands are sent in the order that common tournament managers use. A new process gets ABOUT (optional). A game begins
with START or RECTSTART, which the engine answers by OK, and INFO lines. For each move the engine gets INFO lines, the
last of which is `INFO time_left`, and one of BEGIN, TURN and BOARD.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Unpack

from core.play.move_list import common_prefix_length
from core.play.options import Option, OptionError, OptionSet, ParameterRefusedError
from core.play.player import BadSetup, Decision, IllegalMove, Limits, Progress, ProgressCallback, Setup, ignore_progress
from core.play.squares import format_square, parse_square
from protocols.driving.engine_client import NS_PER_MS, ClientSettings, EngineClient, last_line_suffix
from protocols.driving.line_buffers import ArrivedLine, LastLines
from protocols.driving.process import EngineMisbehaved, EngineProcess, EngineTimeout
from protocols.gomocup.board import MAX_SIDE
from protocols.gomocup.text import (
    OPPONENT,
    OWN,
    REFUSALS,
    SWAP,
    UNLIMITED_MS,
    Point,
    find_refusal,
    format_point,
    has_about_fields,
    parse_about,
    parse_point,
    parse_progress,
    split_keyword,
)

MAX_SUGGESTIONS = 100  # SUGGEST lines that are answered per move; further ones are ignored

OPTIONS = (
    Option("memory", 367_001_600, "max_memory sent to the engine, bytes; 0 for no limit", minimum=0),
    Option("threads", 0, "thread_num sent to the engine; 0 sends nothing", minimum=0),
    Option("hash", 0, "hash_size sent to the engine, MiB; 0 sends nothing", minimum=0),
)


class GomocupClient(EngineClient):
    """A Gomocup engine as a `Player`. `about` holds the fields of its answer to ABOUT.

    `rule_of_variant` converts the name of a variant to the number in `INFO rule`, or raises BadSetup. `info` holds
    further INFO pairs that are sent in each game. If it has `max_memory`, the option `memory` is not sent. Its
    `max_depth` and `max_node` apply to moves without these limits. `game_type` is the value of `INFO game_type`.
    `ask_about` sends ABOUT after the start and waits for the answer, at most `about_timeout_s` and half of
    `deadlines.start_s`. `Limits.multi_pv` is ignored, because the protocol has no command for it in a game.
    """

    quit_command = "END"

    def __init__(
        self,
        command: str | Sequence[str],
        rule_of_variant: Callable[[str], int],
        *,
        info: Mapping[str, str | int] | None = None,
        game_type: int = 1,
        ask_about: bool = True,
        about_timeout_s: float = 3.0,
        **settings: Unpack[ClientSettings],
    ) -> None:
        super().__init__(command, OptionSet(OPTIONS), **settings)
        self._rule_of_variant = rule_of_variant
        self._info = {"game_type": game_type, **(info or {})}
        self._ask_about = ask_about
        self._about_timeout_s = about_timeout_s
        self._parameters: set[str] = set()  # INFO keys that `set_parameter` has set
        self._is_confirmed = True  # whether the first move of this game has come, and no parameter was refused
        self._answers_about = False  # the running engine, at any time
        self._sent_info: dict[str, str] = {}  # the last value sent for each INFO key in this game
        self._blocked_squares: Sequence[str] = ()  # by YXBLOCK; the engine keeps them over games
        self._first_answer_deadline_ns: int | None = None  # for a new process; None after its first answer

    def new_game(self, setup: Setup) -> None:
        """Start the engine if it does not run, then a game; raise BadSetup or EngineError.

        Raise ParameterRefusedError if the engine refuses a pair of `set_parameter`.
        """
        if not (1 <= setup.width <= MAX_SIDE and 1 <= setup.height <= MAX_SIDE):
            raise BadSetup(f"board size must be 1 to {MAX_SIDE}, not {setup.width}x{setup.height}")
        self._rule_of_variant(setup.variant)
        self._setup, self._moves = setup, []
        with self._marking_failures():
            self._ensure_running()
            self._start_board()

    def set_position(self, moves: Sequence[str]) -> None:
        """Store the moves; they are sent with the next request for a move.

        Raise IllegalMove for a square that is occupied or outside the board. The referee checks the other rules.
        """
        squares = self._moves[: common_prefix_length(self._moves, moves)]
        for move in moves[len(squares) :]:
            squares.append(self._check_square(move, squares))
        self._moves = squares

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Ask the engine for a move.

        Raise EngineTimeout if no move comes within the limits plus the grace, or another EngineError. Raise
        ParameterRefusedError if the engine says now that it refuses a parameter of the game.
        """
        with self._marking_failures():
            process = self._require_process()
            if self._engine_moves and not self._moves:
                self._start_board()
            self._forget_messages()
            self._send_limits(limits)
            command, self._engine_moves = self._move_command(), None
            began_ns = process.write(*command)
            deadline_ns = began_ns + self._answer_timeout_ms(limits) * NS_PER_MS
            with limits.stop.calling(lambda: _stop_thinking(process)):
                return self._await_move(began_ns, deadline_ns, report)

    def set_parameter(self, name: str, value: str) -> None:
        """Set an option of the client, or else an INFO pair that is sent at the start of each game; raise OptionError.

        INFO has no answer, but an engine may print a line that refuses the pair. ABOUT is sent after all pairs, so that
        such a line is known before the game begins. An engine may also ignore a pair in silence.
        """
        if name in self.options:
            self.options.set(name, value)
        elif len(name.split()) != 1 or len(value.split()) != 1:
            raise OptionError(f"INFO {name} must be one word with a value of one word, not {value!r}")
        else:
            self._info[name] = value
            self._parameters.add(name)

    def swap2(self, stones: Sequence[str], limits: Limits) -> list[str]:
        """Ask for the engine's answer to a swap2 opening of 0, 3 or 5 stones: `["SWAP"]` or squares.

        Raise BadSetup if the engine does not know swap2, or EngineError as `choose` does. The referee checks whether
        the answer fits the stones. The next move is requested by BOARD.
        """
        with self._marking_failures():
            process = self._require_process()
            self._forget_messages()
            self._send_limits(limits)
            self._engine_moves = None
            began_ns = process.write("SWAP2BOARD", *(format_point(self._point(stone)) for stone in stones), "DONE")
            deadline_ns = began_ns + self._answer_timeout_ms(limits) * NS_PER_MS
            try:
                line = process.wait_line(_is_swap2_answer, deadline_ns, self._keep_message)
            except EngineTimeout:
                raise EngineTimeout(self._timeout_message(began_ns, deadline_ns)) from None
            self.last_elapsed_ms = max(0, line.at_ns - began_ns) / NS_PER_MS
            return self._read_swap2(line.text)

    def _handshake(self) -> None:
        """Send ABOUT to a new process. An engine that does not answer it in time may still play."""
        self.about, self._answers_about = {}, False
        self._first_answer_deadline_ns = time.perf_counter_ns() + int(self.deadlines.start_s * 1000) * NS_PER_MS
        self._blocked_squares = ()
        if not self._ask_about:
            return
        process = self._require_process()
        wait_s = min(self._about_timeout_s, self.deadlines.start_s / 2)
        deadline_ns = process.write("ABOUT") + int(wait_s * 1000) * NS_PER_MS
        try:
            line = process.wait_line(_is_about_answer, deadline_ns)
        except EngineTimeout:
            return
        self.about, self._first_answer_deadline_ns = parse_about(line.text), None
        self._answers_about = bool(self.about)

    def _start_board(self) -> None:
        """Begin a game: send START or RECTSTART, wait for OK, and send the INFO lines of the game."""
        process, setup = self._require_process(), self._setup
        is_square = setup.width == setup.height
        command = f"START {setup.width}" if is_square else f"RECTSTART {setup.width},{setup.height}"
        self._forget_messages()
        self._engine_moves, self._sent_info = None, {}
        began_ns = process.write(command)
        deadline_ns = self._first_answer_deadline_ns or began_ns + int(self.deadlines.new_game_s * 1000) * NS_PER_MS
        try:
            line = process.wait_line(_is_start_answer, deadline_ns, self._keep_message)
        except EngineTimeout:
            deadlines = self.deadlines
            wait_s = deadlines.start_s if self._first_answer_deadline_ns else deadlines.new_game_s
            raise EngineTimeout(f"no OK to {command} within {wait_s:g} s{last_line_suffix(self.messages)}") from None
        self._first_answer_deadline_ns = None
        if split_keyword(line.text)[0] != "OK":
            raise EngineMisbehaved("refused", f"{command} was answered by {line.text!r}")
        process.tree.members()  # record a boot loader's child processes while the boot loader lives
        self._engine_moves = []
        self._send_info("rule", self._rule_of_variant(setup.variant))
        for key, value in self._info.items():
            self._send_info(key, value)
        self._confirm_parameters()

    def _confirm_parameters(self) -> None:
        """Raise ParameterRefusedError if the engine refuses a parameter that was sent.

        An engine that does not answer ABOUT may still refuse one when it moves, see `_await_move`.
        """
        self._is_confirmed = False
        if not self._parameters or not self._answers_about:
            return
        lines = self._fetch_lines()
        self._check_named(lines)
        if not any(split_keyword(line)[0] in REFUSALS for line in lines):
            return
        # The refusal may be meant for a parameter or for another INFO line, so each parameter is sent again by itself.
        for name, value in self._parameter_values().items():
            self._require_process().write(f"INFO {name} {value}")
            reason = find_refusal(self._fetch_lines(), name, value)
            if reason:
                raise ParameterRefusedError(name, value, reason)

    def _check_named(self, lines: Sequence[str]) -> None:
        """Raise ParameterRefusedError if a line names a parameter and refuses its value."""
        for name, value in self._parameter_values().items():
            reason = find_refusal(lines, name, value, must_be_named=True)
            if reason:
                raise ParameterRefusedError(name, value, reason)

    def _parameter_values(self) -> dict[str, str]:
        return {name: str(self._info[name]) for name in sorted(self._parameters)}

    def _fetch_lines(self) -> list[str]:
        """Return the lines that the engine prints before its answer to ABOUT; none if it does not answer ABOUT."""
        lines = LastLines()

        def keep_message(line: ArrivedLine) -> None:
            lines.add(line.text)
            self._keep_message(line)

        if self._answers_about:
            process = self._require_process()
            deadline_ns = process.write("ABOUT") + int(self._about_timeout_s * 1000) * NS_PER_MS
            try:
                process.wait_line(has_about_fields, deadline_ns, keep_message)
            except EngineTimeout:
                self._answers_about = False  # it does so only once
        return list(lines)

    def _forget_messages(self) -> None:
        """Clear `messages`, then add the lines that have arrived since the last answer."""
        self.messages.clear()
        self._collect_stale_lines()

    def _send_limits(self, limits: Limits) -> None:
        """Send the INFO lines of a move that are new or changed, the excluded moves, and last `INFO time_left`."""
        if "max_memory" not in self._info:
            self._send_info("max_memory", self.options.get_int("memory"))
        if self.options.get_int("threads"):
            self._send_info("thread_num", self.options.get_int("threads"))
        if self.options.get_int("hash"):
            self._send_info("hash_size", self.options.get_int("hash") * 1024)
        if limits.move_time_ms is not None:
            self._send_info("timeout_turn", max(0, limits.move_time_ms))
        if "timeout_match" not in self._sent_info:
            self._send_info("timeout_match", max(1, limits.time_left_ms) if limits.time_left_ms is not None else 0)
        if limits.increment_ms:
            self._send_info("time_increment", limits.increment_ms)
        for key, value in (("max_depth", limits.depth), ("max_node", limits.nodes)):
            if value is not None or key in self._sent_info:
                self._send_info(key, self._info.get(key, 0) if value is None else value)
        self._exclude(limits.excluded_moves)
        left_ms = UNLIMITED_MS if limits.time_left_ms is None else max(0, limits.time_left_ms)
        self._require_process().write(f"INFO time_left {left_ms}")

    def _send_info(self, key: str, value: str | int) -> None:
        """Send an INFO pair unless the engine has that value already."""
        if self._sent_info.get(key) != str(value):
            self._sent_info[key] = str(value)
            self._require_process().write(f"INFO {key} {value}")

    def _exclude(self, squares: Sequence[str]) -> None:
        """Exclude these root moves, and no others, by YXBLOCK, which Yixin's engines know.

        Other engines answer UNKNOWN, which is ignored.
        """
        if squares or self._blocked_squares:
            self._blocked_squares = squares
            points = [format_point(self._point(square)) for square in squares]
            self._require_process().write("YXBLOCKRESET", *(["YXBLOCK", *points, "DONE"] if points else []))

    def _move_command(self) -> list[str]:
        """Return the lines that ask for a move: BEGIN, TURN if the engine knows the other stones, or BOARD."""
        moves = self._moves
        if not moves:
            return ["BEGIN"]
        if self._engine_moves == moves[:-1]:
            return [f"TURN {format_point(self._point(moves[-1]))}"]
        # The last stone is the opponent's of the engine that is asked; before it the sides alternate.
        codes = [OPPONENT if (len(moves) - index) % 2 else OWN for index in range(len(moves))]
        stones = [f"{format_point(self._point(move))},{code}" for move, code in zip(moves, codes, strict=True)]
        return ["BOARD", *stones, "DONE"]

    def _await_move(self, began_ns: int, deadline_ns: int, report: ProgressCallback) -> Decision:
        progress = Progress()

        def keep_message(line: ArrivedLine) -> None:
            nonlocal progress
            self._keep_message(line)
            parsed = parse_progress(line.text) if split_keyword(line.text)[0] == "MESSAGE" else None
            if parsed:
                progress = parsed
                report(progress)

        suggestion_count = 0
        while True:
            try:
                line = self._require_process().wait_line(_is_move_answer, deadline_ns, keep_message)
            except EngineTimeout:
                raise EngineTimeout(self._timeout_message(began_ns, deadline_ns)) from None
            keyword, rest = split_keyword(line.text)
            if keyword != "SUGGEST":
                break
            self._keep_message(line)
            suggestion_count += 1
            if suggestion_count <= MAX_SUGGESTIONS:
                self._require_process().write(f"PLAY {rest}")
        self.last_elapsed_ms = max(0, line.at_ns - began_ns) / NS_PER_MS
        if not self._is_confirmed:
            self._check_named([*self.messages, line.text])
        self._is_confirmed = True
        return Decision(self._read_move(line.text), progress)

    def _read_move(self, text: str) -> str:
        """Return the square of an answer; raise EngineMisbehaved. The referee checks whether the move is legal."""
        point = parse_point(text)
        if point is None:
            raise EngineMisbehaved("refused", f"answer must be a move x,y, not {text!r}")
        x, y = point
        if not (0 <= x < self._setup.width and 0 <= y < self._setup.height):
            raise EngineMisbehaved(
                "illegal", f"move {text!r} is outside the {self._setup.width}x{self._setup.height} board"
            )
        move = format_square(x, y)
        self._engine_moves = [*self._moves, move]
        return move

    def _read_swap2(self, text: str) -> list[str]:
        if text.upper() == SWAP:
            return [SWAP]
        if split_keyword(text)[0] == "UNKNOWN":
            raise BadSetup(f"the engine does not know swap2: {text}")
        points = [parse_point(part) for part in text.split()]
        if not all(points):
            raise EngineMisbehaved("refused", f"answer to SWAP2BOARD must be SWAP or moves x,y, not {text!r}")
        return [format_square(*point) for point in points if point]

    def _point(self, square: str) -> Point:
        """Return the point of a square name; raise IllegalMove if it is not on the board."""
        point = parse_square(square)
        if point is None or point[0] >= self._setup.width or point[1] >= self._setup.height:
            board = f"{self._setup.width}x{self._setup.height}"
            raise IllegalMove(f"move must be a square of the {board} board, not {square!r}")
        return point

    def _check_square(self, move: str, moves: Sequence[str]) -> str:
        """Return a move in canonical spelling; raise IllegalMove if it is off the board or one of `moves`."""
        square = format_square(*self._point(move))
        if square in moves:
            raise IllegalMove(f"{square} is taken")
        return square


def _is_about_answer(text: str) -> bool:
    return has_about_fields(text) or split_keyword(text)[0] in REFUSALS


def _is_start_answer(text: str) -> bool:
    """Return whether the line answers START. The `ok` of UHP engines in lower case does not count.

    UNKNOWN does not count if it names INFO, because such a line may come from the game before.
    """
    keyword, rest = split_keyword(text)
    is_refusal = keyword in REFUSALS and split_keyword(rest)[0] != "INFO"
    return text.split()[:1] == ["OK"] or is_refusal


def _is_swap2_answer(text: str) -> bool:
    keyword, rest = split_keyword(text)
    if keyword == "UNKNOWN":
        return split_keyword(rest)[0] == "SWAP2BOARD"
    return keyword in ("ERROR", SWAP) or (text != "" and all(parse_point(part) for part in text.split()))


def _is_move_answer(text: str) -> bool:
    """Return whether the line is a move, a suggestion or an error.

    UNKNOWN counts only for the move commands, because INFO lines can cause it, too.
    """
    keyword, rest = split_keyword(text)
    if keyword == "UNKNOWN":
        return split_keyword(rest)[0] in ("BEGIN", "TURN", "BOARD")
    return parse_point(text) is not None or keyword in ("ERROR", "SUGGEST")


def _stop_thinking(process: EngineProcess) -> None:
    """Ask for the move now. An engine that does not know YXSTOP searches on."""
    process.write("YXSTOP")
