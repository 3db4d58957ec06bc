"""A conversation with a Gomocup brain under test. Answers are read as strictly as the manager Piskvork reads them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from arena.check.check_list import CheckFailed, fatal_failures
from arena.check.conversation import SILENCE_S, Conversation, start_program
from arena.engines.gomocup_zip import find_archive, make_target, unpack_engine
from core.play.player import Setup
from core.play.squares import parse_square, split_squares
from protocols.driving.line_buffers import ArrivedLine
from protocols.driving.process import EngineProcess, EngineTerminated, EngineTimeout
from protocols.gomocup.text import OPPONENT, OWN, Point, format_point, parse_point
from protocols.text import quote_line

USUAL_SIZE, USUAL_VARIANT = 15, "freestyle"  # a board and a rule that every brain supports
MAX_MEMORY_BYTES = 367_001_600  # the value that Gomocup sends as INFO max_memory
MATCH_MS = 180_000  # INFO timeout_match, the time for a game


@dataclass(frozen=True)
class GomocupTimeouts:
    """How long the check waits for a brain, in seconds."""

    start_s: float = 10.0  # for answers that need no search; the first one includes the start-up of the program
    tolerance_s: float = 1.0  # beyond the time limit of a move, as Piskvork and GomocupJudge allow
    end_s: float = 0.7  # from END until the process is killed
    silence_s: float = SILENCE_S  # without output after a command that has no answer


TOURNAMENT_TIMEOUTS = GomocupTimeouts()


@dataclass(frozen=True)
class CheckedProgram:
    """A program of the brain under test."""

    command: str | Sequence[str]
    directory: str | None = None  # working directory; None for that of the check
    environment: tuple[tuple[str, str], ...] = ()  # added to the environment of the check


@dataclass(frozen=True)
class GomocupCandidate:
    """The brain under test: the command that starts it, its time for a move, and the timeouts of the check."""

    command: Sequence[str]  # its first argument may be a ZIP as sent to Gomocup
    move_time_ms: int
    timeouts: GomocupTimeouts
    has_wine: bool = False  # whether wine may run a program of the ZIP

    @contextmanager
    def brain(self, variant: str = USUAL_VARIANT) -> Iterator[GomocupConversation]:
        """Start the brain for the time of a `with` block. A ZIP may have a program of its own for the variant."""
        program = self.find_program(variant)
        command, quit_s = program.command, self.timeouts.end_s
        with start_program(command, "END", quit_s, cwd=program.directory, env=dict(program.environment)) as process:
            yield GomocupConversation(process, self.move_time_ms, self.timeouts)

    def find_program(self, variant: str = USUAL_VARIANT) -> CheckedProgram:
        """Return the program that plays a variant on the usual board; raise UsageError if the ZIP has none."""
        if not find_archive(self.command):
            return CheckedProgram(self.command)
        setup = Setup(USUAL_SIZE, USUAL_SIZE, variant)
        unpacked = unpack_engine(self.command, make_target(setup, wine=self.has_wine))
        return CheckedProgram(unpacked.command, unpacked.directory, unpacked.environment)


class GomocupConversation(Conversation):
    """A conversation with one process. It keeps the stones on the board to check whether the brain's moves are legal.

    The methods raise CheckFailed if the brain does not do what is expected.
    """

    def __init__(self, process: EngineProcess, move_time_ms: int, timeouts: GomocupTimeouts) -> None:
        super().__init__(process, timeouts.silence_s)
        self.timeouts = timeouts
        self.move_time_ms = move_time_ms
        self.size = USUAL_SIZE
        self.stones: list[Point] = []
        self._is_first_request = True  # until an answer or silence is first expected

    def ask(self, *lines: str, within_s: float | None = None, closes_input: bool = False) -> ArrivedLine:
        """Send lines, then close standard input if `closes_input`; return the answer."""
        self._is_first_request = False
        within_s = self.timeouts.start_s if within_s is None else within_s
        sent_ns = self.process.write(*lines)
        if closes_input:
            self.process.close_input()
        try:
            return self.process.wait_line(is_answer, sent_ns + int(within_s * 1e9))
        except EngineTimeout:
            raise CheckFailed(f"no answer to {lines[0].strip()} within {within_s:g} s") from None
        except EngineTerminated as error:
            if not closes_input:
                raise
            raise CheckFailed(f"no answer to {lines[0].strip()} after the input was closed: {error}") from None

    def expect(self, beginning: str, *lines: str) -> str:
        """Send lines and return the answer, which must begin with the text `beginning`."""
        answer = self.ask(*lines).text
        if not answer.startswith(beginning):
            raise CheckFailed(f"{lines[0].strip()} was answered by {answer!r}, not by {beginning}")
        return answer

    def start(self, size: int = USUAL_SIZE, rule: int = 0, turn_ms: int | None = None) -> None:
        """Send START, which must be answered by exactly OK, and the usual INFO lines; `rule` is that of INFO rule."""
        self.size, self.stones = size, []
        # Without an answer to the first START of size 15 every check would fail; to another START, only this one.
        with fatal_failures() if self._is_first_request and size == USUAL_SIZE else nullcontext():
            answer = self.ask(f"START {size}").text
        if answer != "OK":
            raise CheckFailed(f"START {size} was answered by {quote_line(answer)}, not by exactly OK")
        self.process.write(*info_lines(self.move_time_ms if turn_ms is None else turn_ms, rule))

    def move(self, *command: str, within_s: float | None = None, closes_input: bool = False) -> tuple[Point, float]:
        """Send a command that asks for a move. Return the move, which must be legal, and its time in seconds."""
        within_s = self.move_time_ms / 1000 + self.timeouts.tolerance_s if within_s is None else within_s
        began_ns = time.perf_counter_ns()
        answer = self.ask(*command, within_s=within_s, closes_input=closes_input)
        point = parse_point(answer.text)
        if point is None or format_point(point) != answer.text:
            raise CheckFailed(f"{command[0]} was answered by {answer.text!r}, not by x,y")
        if min(point) < 0 or max(point) >= self.size or point in self.stones:
            raise CheckFailed(f"{command[0]} was answered by {answer.text}, which is no free square")
        self.stones.append(point)
        return point, (answer.at_ns - began_ns) / 1e9

    def board(self, stones: Sequence[Point], within_s: float | None = None, line_end: str = "") -> tuple[Point, float]:
        """Send a position with BOARD, its stones in the order of play; return move and time as `move` does."""
        self.stones = list(stones)
        return self.move(*(f"{line}{line_end}" for line in board_lines(stones)), within_s=within_s)

    def expect_silence(self, cause: str, is_output: Callable[[str], bool] = bool) -> None:
        """Expect no output except empty lines, which managers ignore."""
        self._is_first_request = False
        super().expect_silence(cause, is_output)


def info_lines(turn_ms: int, rule: int = 0) -> list[str]:
    """Return the INFO lines that a manager sends after START, such as `INFO timeout_turn 5000`."""
    limits = {"timeout_turn": turn_ms, "timeout_match": MATCH_MS, "max_memory": MAX_MEMORY_BYTES}
    return [f"INFO {key} {value}" for key, value in {**limits, "game_type": 1, "rule": rule}.items()]


def board_lines(stones: Sequence[Point]) -> list[str]:
    """Return the lines BOARD to DONE for stones in the order of play; the brain is the side to move."""
    fields = [OPPONENT if (len(stones) - index) % 2 else OWN for index in range(len(stones))]
    return ["BOARD", *(f"{format_point(p)},{field}" for p, field in zip(stones, fields, strict=True)), "DONE"]


def nearly_full_board(size: int = 15) -> list[Point]:
    """Return stones on all squares but 0,0, without five in a row, in the order of play.

    A row has pairs of one colour, and each row is shifted by one pair:

        . X O O X X O O ...
        O O X X O O X X ...
    """
    points = [(x, y) for y in range(size) for x in range(size) if (x, y) != (0, 0)]
    colours = [[point for point in points if (point[0] // 2 + point[1]) % 2 == colour] for colour in (0, 1)]
    return [point for pair in zip(*colours, strict=True) for point in pair]


def is_answer(text: str) -> bool:
    """Return whether a line is an answer: for Piskvork the first line that is neither empty, MESSAGE nor DEBUG."""
    return bool(text) and not text.lower().startswith(("message ", "debug "))


def parse_points(text: str) -> list[Point]:
    """Return the points of squares such as `h8i9g7`."""
    points = [parse_square(name) for name in split_squares(text) or []]
    return [point for point in points if point is not None]
