"""Where Gomocup brains are examined: a conversation that reads answers as strictly as Piskvork does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass

from arena.check.check_list import CheckFailed, starting
from core.play.squares import parse_square, split_squares
from protocols.driving.line_buffers import ArrivedLine
from protocols.driving.process import EngineError, EngineProcess, EngineTerminated, EngineTimeout
from protocols.gomocup.text import OPPONENT, OWN, Point, format_point, parse_point
from protocols.text import quote_line

USUAL_SIZE = 15  # every brain plays on it
MAX_MEMORY = 367_001_600  # bytes, as Gomocup sets it


@dataclass(frozen=True)
class GomocupPatience:
    """How long to wait, in seconds."""

    start_s: float = 10.0  # for answers that need no thinking; slower programs fail the first move anyway
    tolerance_s: float = 1.0  # what Piskvork and GomocupJudge add to a turn
    end_s: float = 0.7  # from END to being killed
    silence_s: float = 0.3  # where nothing may come


TOURNAMENT_PATIENCE = GomocupPatience()


@dataclass(frozen=True)
class GomocupCandidate:
    """Where brains are examined: the command that starts one, the time it has for a move, and our patience."""

    command: Sequence[str]
    move_time_ms: int
    patience: GomocupPatience

    @contextmanager
    def brain(self) -> Iterator[GomocupTalk]:
        """A fresh brain; its processes are gone at the end, by themselves where they can: a one-file executable that is
        killed leaves what it unpacked in the temporary folder."""
        with starting():
            process = EngineProcess(self.command)
        try:
            yield GomocupTalk(process, self.move_time_ms, self.patience)
        finally:
            with suppress(EngineError):  # it may have ended long ago
                process.write("END")
            process.end(self.patience.end_s)


class GomocupTalk:
    """A conversation with one process, keeping the stones for judging its moves."""

    def __init__(self, process: EngineProcess, move_time_ms: int, patience: GomocupPatience) -> None:
        self.process = process
        self.patience = patience
        self.born_ns = time.perf_counter_ns()
        self.move_time_ms = move_time_ms
        self.size = USUAL_SIZE
        self._is_fresh = True  # nobody has expected anything yet
        self.stones: list[Point] = []

    def ask(self, *lines: str, within_s: float | None = None, closes_input: bool = False) -> ArrivedLine:
        """Send lines, end the input there if asked to, and return the answer; raise CheckFailed if none comes."""
        self._is_fresh = False
        within_s = self.patience.start_s if within_s is None else within_s
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
            raise CheckFailed(f"no answer to {lines[0].strip()}, whose input was closed behind it: {error}") from None

    def expect(self, wanted: str, *lines: str) -> str:
        """Send lines and return the answer; raise CheckFailed where it does not begin as wanted."""
        answer = self.ask(*lines).text
        if not answer.startswith(wanted):
            raise CheckFailed(f"{lines[0].strip()} was answered by {answer!r}, not by {wanted}")
        return answer

    def start(self, size: int = USUAL_SIZE, rule: int = 0, turn_ms: int | None = None) -> None:
        """START and the usual INFO lines; raise CheckFailed where the answer is not exactly OK."""
        self.size, self.stones = size, []
        with starting() if self._is_fresh and size == USUAL_SIZE else nullcontext():
            answer = self.ask(f"START {size}").text
        if answer != "OK":
            raise CheckFailed(f"START {size} was answered by {quote_line(answer)}, not by exactly OK")
        turn = self.move_time_ms if turn_ms is None else turn_ms
        keys = {"timeout_turn": turn, "timeout_match": 180_000, "max_memory": MAX_MEMORY, "game_type": 1, "rule": rule}
        self.process.write(*(f"INFO {key} {value}" for key, value in keys.items()))

    def move(self, *command: str, within_s: float | None = None, closes_input: bool = False) -> tuple[Point, float]:
        """Send a move command; return the legal move and its seconds. Raise CheckFailed where it is none."""
        patience_s = self.move_time_ms / 1000 + self.patience.tolerance_s if within_s is None else within_s
        began_ns = time.perf_counter_ns()
        line = self.ask(*command, within_s=patience_s, closes_input=closes_input)
        point = parse_point(line.text)
        if point is None or format_point(point) != line.text:
            raise CheckFailed(f"{command[0]} was answered by {line.text!r}, not by x,y")
        if min(point) < 0 or max(point) >= self.size or point in self.stones:
            raise CheckFailed(f"{command[0]} was answered by {line.text}, which is no free square")
        self.stones.append(point)
        return point, (line.at_ns - began_ns) / 1e9

    def board(self, stones: Sequence[Point], within_s: float | None = None, line_end: str = "") -> tuple[Point, float]:
        """Send a position in order of play by BOARD and return the move, as `move` does."""
        self.stones = list(stones)
        return self.move(*(f"{line}{line_end}" for line in board_lines(stones)), within_s=within_s)

    def expect_silence(self, after: str) -> None:
        """Raise CheckFailed where the brain says anything now."""
        self._is_fresh = False
        try:
            line = self.process.wait_line(bool, time.perf_counter_ns() + int(self.patience.silence_s * 1e9))
        except (EngineTimeout, EngineTerminated):
            return
        raise CheckFailed(f"{after} was answered by {line.text!r}")

    def expect_exit(self, within_s: float, after: str) -> str:
        """Raise CheckFailed where the program does not exit by itself in time; return how long it took."""
        began = time.perf_counter()
        if not self.process.wait_exit(within_s):
            raise CheckFailed(f"still running {within_s:g} s after {after}")
        return f"{time.perf_counter() - began:.2f} s"


def board_lines(stones: Sequence[Point]) -> list[str]:
    """BOARD ... DONE for the side whose turn it is after the stones."""
    fields = [OPPONENT if (len(stones) - index) % 2 else OWN for index in range(len(stones))]
    return ["BOARD", *(f"{format_point(p)},{field}" for p, field in zip(stones, fields, strict=True)), "DONE"]


def nearly_full_board(size: int = 15) -> list[Point]:
    """A board with 0,0 free and no five in any line: pairs of one colour, shifted from row to row, in order of play."""
    points = [(x, y) for y in range(size) for x in range(size) if (x, y) != (0, 0)]
    colours = [[point for point in points if (point[0] // 2 + point[1]) % 2 == colour] for colour in (0, 1)]
    return [point for pair in zip(*colours, strict=True) for point in pair]


def is_answer(text: str) -> bool:
    """Whether a line is an answer: Piskvork takes the first that is neither MESSAGE nor DEBUG."""
    return bool(text) and not text.lower().startswith(("message ", "debug "))


def squares_of(text: str) -> list[Point]:
    """The points of a position such as `h8i9g7`."""
    points = [parse_square(name) for name in split_squares(text) or []]
    return [point for point in points if point is not None]
