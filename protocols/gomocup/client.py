"""Gomocup, the driving side: a foreign brain as a Player, so that the arena need not know that it is another process.

The order of lines is that of common tournament managers: ABOUT (optional), START and its OK, INFO lines, then for each
move INFO time_left and one of BEGIN, TURN and BOARD. Between games of one program START is sent again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Unpack

from core.play.options import Option, OptionSet
from core.play.player import BadSetup, Decision, IllegalMove, Limits, Progress, ProgressCallback, Setup, ignore_progress
from core.play.squares import format_square, parse_square
from protocols.driving.engine_client import NS_PER_MS, ClientSettings, EngineClient, last_line_suffix
from protocols.driving.line_buffers import ArrivedLine
from protocols.driving.process import EngineMisbehaved, EngineProcess, EngineTimeout
from protocols.gomocup.board import MAX_SIDE
from protocols.gomocup.text import OPPONENT, OWN, SWAP, UNLIMITED_MS, Point, format_point, parse_about, parse_point
from protocols.gomocup.text import parse_progress as parse_thinking
from protocols.gomocup.text import split_command as split_line

MAX_SUGGESTIONS = 100  # that are accepted in a move; who still makes others is not worth an answer

OPTIONS = (
    Option("memory", 367_001_600, "max_memory told to the brain, bytes; 0 for no limit", minimum=0),
    Option("threads", 0, "thread_num told to the brain; 0 says nothing", minimum=0),
    Option("hash", 0, "hash_size told to the brain, MiB; 0 says nothing", minimum=0),
)


class GomocupClient(EngineClient):
    """A brain behind its command line; `about` holds the fields of its ABOUT answer.

    `rule_of_variant` turns a variant's name into the protocol's rule number. `info` holds further INFO pairs to send in
    each game; one that limits memory, depth or nodes holds where a move's limits do not say otherwise. Limits.lines has
    no counterpart in a game and is ignored.
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
        **terms: Unpack[ClientSettings],
    ) -> None:
        super().__init__(command, OptionSet(OPTIONS), **terms)
        self._rule_of_variant = rule_of_variant
        self._info = {"game_type": game_type, **(info or {})}
        self._ask_about = ask_about
        self._about_timeout_s = about_timeout_s
        self._told: dict[str, str] = {}  # INFO pairs of this game
        self._blocked: Sequence[str] = ()  # squares that the program was told to block; it keeps them over games
        self._first_word_ns: int | None = None  # when a process that has said nothing yet must have spoken

    def new_game(self, setup: Setup) -> None:
        """Start the program where needed, then a game on it; raise BadSetup, EngineMisbehaved or EngineTerminated."""
        if not (1 <= setup.width <= MAX_SIDE and 1 <= setup.height <= MAX_SIDE):
            raise BadSetup(f"board sides must be 1..{MAX_SIDE}, not {setup.width}x{setup.height}")
        self._rule_of_variant(setup.variant)
        self._setup, self._moves = setup, []
        with self._marking_failures():
            self._ensure_running()
            self._start_board()

    def set_position(self, moves: Sequence[str]) -> None:
        """Remember the moves, of which the brain hears when it has to answer.

        Only squares and their occupation are checked, as the rules live elsewhere.
        """
        checked: list[str] = []
        for move in moves:
            checked.append(self._check_square(move, checked))
        self._moves = checked

    def choose(self, limits: Limits, report: ProgressCallback = ignore_progress) -> Decision:
        """Let the brain move. Raise EngineTimeout after the limits and grace, EngineMisbehaved, EngineTerminated."""
        with self._marking_failures():
            process = self._require_process()
            if self._engine_moves and not self._moves:
                self._start_board()
            self._forget_messages()
            self._send_limits(limits)
            command, self._engine_moves = self._move_command(), None
            began_ns = process.write(*command)
            deadline_ns = began_ns + self._answer_timeout_ms(limits) * NS_PER_MS
            with limits.stop.calling(lambda: _ask_to_move(process)):
                return self._await_move(began_ns, deadline_ns, report)

    def swap2(self, stones: Sequence[str], limits: Limits) -> list[str]:
        """Let the brain answer the swap2 opening of 0, 3 or 5 stones by `["SWAP"]` or squares.

        Raise BadSetup where it does not know swap2, else as `choose` does. The next game begins anew. Whether the
        answer fits the stones is the referee's question.
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
        """A fresh program; ABOUT has a deadline of its own, and a brain that does not answer it may still play."""
        self.about, self._first_word_ns = {}, time.perf_counter_ns() + int(self.deadlines.start_s * 1000) * NS_PER_MS
        self._blocked = ()
        if not self._ask_about:
            return
        process = self._require_process()
        wait_s = min(self._about_timeout_s, self.deadlines.start_s / 2)
        deadline_ns = process.write("ABOUT") + int(wait_s * 1000) * NS_PER_MS
        try:
            line = process.wait_line(_is_about_answer, deadline_ns)
        except EngineTimeout:
            return
        self.about, self._first_word_ns = parse_about(line.text), None

    def _start_board(self) -> None:
        process, setup = self._require_process(), self._setup
        square = setup.width == setup.height
        command = f"START {setup.width}" if square else f"RECTSTART {setup.width},{setup.height}"
        self._forget_messages()
        self._engine_moves, self._told = None, {}
        began_ns = process.write(command)
        deadline_ns = self._first_word_ns or began_ns + int(self.deadlines.new_game_s * 1000) * NS_PER_MS
        try:
            line = process.wait_line(_is_start_answer, deadline_ns, self._keep_message)
        except EngineTimeout:
            deadlines = self.deadlines
            wait_s = deadlines.start_s if self._first_word_ns else deadlines.new_game_s
            raise EngineTimeout(f"no OK to {command} within {wait_s:g} s{last_line_suffix(self.messages)}") from None
        self._first_word_ns = None
        if split_line(line.text)[0] != "OK":
            raise EngineMisbehaved("refused", f"{command} was answered by {line.text!r}")
        process.tree.members()  # remember the children of a boot loader while it lives
        self._engine_moves = []
        self._tell("rule", self._rule_of_variant(setup.variant))
        for key, value in self._info.items():
            self._tell(key, value)

    def _forget_messages(self) -> None:
        """Messages are those of one move."""
        self.messages.clear()
        self._collect_stale_lines()

    def _send_limits(self, limits: Limits) -> None:
        if "max_memory" not in self._info:
            self._tell("max_memory", self.options.get_int("memory"))
        if self.options.get_int("threads"):
            self._tell("thread_num", self.options.get_int("threads"))
        if self.options.get_int("hash"):
            self._tell("hash_size", self.options.get_int("hash") * 1024)
        if limits.move_time_ms is not None:
            self._tell("timeout_turn", max(0, limits.move_time_ms))
        if "timeout_match" not in self._told:
            self._tell("timeout_match", max(1, limits.time_left_ms) if limits.time_left_ms is not None else 0)
        if limits.increment_ms:
            self._tell("time_increment", limits.increment_ms)
        for key, value in (("max_depth", limits.depth), ("max_node", limits.nodes)):
            if value is not None or key in self._told:
                self._tell(key, self._info.get(key, 0) if value is None else value)
        self._exclude(limits.excluded_moves)
        left_ms = UNLIMITED_MS if limits.time_left_ms is None else max(0, limits.time_left_ms)
        self._require_process().write(f"INFO time_left {left_ms}")

    def _tell(self, key: str, value: str | int) -> None:
        """Send an INFO pair unless the brain knows it already."""
        if self._told.get(key) != str(value):
            self._told[key] = str(value)
            self._require_process().write(f"INFO {key} {value}")

    def _exclude(self, squares: Sequence[str]) -> None:
        """Block root moves in the way of the Yixin family; other brains answer UNKNOWN, which is passed over."""
        if squares or self._blocked:
            self._blocked = squares
            lines = [format_point(self._point(square)) for square in squares]
            self._require_process().write("YXBLOCKRESET", *(["YXBLOCK", *lines, "DONE"] if lines else []))

    def _move_command(self) -> list[str]:
        moves = self._moves
        if not moves:
            return ["BEGIN"]
        if self._engine_moves == moves[:-1]:
            return [f"TURN {format_point(self._point(moves[-1]))}"]
        fields = [OPPONENT if (len(moves) - index) % 2 else OWN for index in range(len(moves))]
        stones = [f"{format_point(self._point(move))},{mark}" for move, mark in zip(moves, fields, strict=True)]
        return ["BOARD", *stones, "DONE"]

    def _await_move(self, began_ns: int, deadline_ns: int, report: ProgressCallback) -> Decision:
        progress = Progress()

        def keep(line: ArrivedLine) -> None:
            nonlocal progress
            self._keep_message(line)
            thinking = parse_thinking(line.text) if split_line(line.text)[0] == "MESSAGE" else None
            if thinking:
                progress = thinking
                report(progress)

        suggestions = 0
        while True:
            try:
                line = self._require_process().wait_line(_is_move_answer, deadline_ns, keep)
            except EngineTimeout:
                raise EngineTimeout(self._timeout_message(began_ns, deadline_ns)) from None
            word, rest = split_line(line.text)
            if word != "SUGGEST":
                break
            self._keep_message(line)
            suggestions += 1
            if suggestions <= MAX_SUGGESTIONS:
                self._require_process().write(f"PLAY {rest}")
        self.last_elapsed_ms = max(0, line.at_ns - began_ns) / NS_PER_MS
        return Decision(self._read_move(line.text), progress)

    def _read_move(self, text: str) -> str:
        """The square of an answer. Whether it is free and allowed is the referee's question."""
        point = parse_point(text)
        if point is None:
            raise EngineMisbehaved("refused", f"a move was asked for and answered by {text!r}")
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
        if split_line(text)[0] == "UNKNOWN":
            raise BadSetup(f"it does not know swap2: {text}")
        points = [parse_point(part) for part in text.split()]
        if not all(points):
            raise EngineMisbehaved("refused", f"swap2 was asked for and answered by {text!r}")
        return [format_square(*point) for point in points if point]

    def _point(self, square: str) -> Point:
        point = parse_square(square)
        if point is None or point[0] >= self._setup.width or point[1] >= self._setup.height:
            board = f"{self._setup.width}x{self._setup.height}"
            raise IllegalMove(f"a square on the {board} board is wanted, not {square!r}")
        return point

    def _check_square(self, move: str, moves: Sequence[str]) -> str:
        square = format_square(*self._point(move))
        if square in moves:
            raise IllegalMove(f"{square} is taken")
        return square


def _is_about_answer(text: str) -> bool:
    word, _ = split_line(text)
    return bool(parse_about(text)) or word in ("UNKNOWN", "ERROR")


def _is_start_answer(text: str) -> bool:
    """OK counts in capitals only: in small letters it is what a UHP engine ends everything by."""
    return text.split()[:1] == ["OK"] or split_line(text)[0] in ("ERROR", "UNKNOWN")


def _is_swap2_answer(text: str) -> bool:
    word, rest = split_line(text)
    if word == "UNKNOWN":
        return split_line(rest)[0] == "SWAP2BOARD"
    return word in ("ERROR", SWAP) or (text != "" and all(parse_point(part) for part in text.split()))


def _is_move_answer(text: str) -> bool:
    """A move, a suggestion or a refusal. UNKNOWN counts only for the move commands, as INFO may have caused others."""
    word, rest = split_line(text)
    if word == "UNKNOWN":
        return split_line(rest)[0] in ("BEGIN", "TURN", "BOARD")
    return parse_point(text) is not None or word in ("ERROR", "SUGGEST")


def _ask_to_move(process: EngineProcess) -> None:
    """Ask for the move now; brains without YXSTOP go on thinking."""
    process.write("YXSTOP")
