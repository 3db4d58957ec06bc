"""`pentad check gomocup -- CMD`: takes any brain through the points on which tournament managers fail programs.

Answers are read as strictly as Piskvork reads them: the first line that is neither MESSAGE nor DEBUG is the answer.
Each point starts the program afresh, so one failure does not spoil the next point.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bots.gomoku.notation import parse_variant
from core.squares import format_square, parse_square, split_squares
from protocols.gomocup_text import OPPONENT, OWN, UNLIMITED_MS, Point, format_point, parse_point
from protocols.process import EngineDied, EngineFault, EngineProcess, EngineTimeout, Line

MAX_MEMORY = 367_001_600  # bytes, as Gomocup sets it
START_S = 10.0  # patience for START; slower programs fail the first move anyway
FIRST_MOVE_S = 5.0  # the shortest turn of the tournaments
TOLERANCE_S = 1.0  # what Piskvork and GomocupJudge add to a turn
AT_ONCE_S = 1.0  # for timeout_turn 0
END_S = 0.5  # GomocupJudge kills after that
SILENCE_S = 0.3  # how long to listen where nothing may come
MEMORY_POLL_S = 0.1
SEARCH_MS = 60_000  # a limit that a search does not reach while it is interrupted

# The organisers' archive test: variant, stones in order, squares of which one is wanted, squares that are not.
PROBES = (
    ("freestyle", "h8h9i8i9j8j9k8k9", "g8 l8", ""),
    ("standard", "h8h9i8h10g8h11j13h12g14h14i15", "f8 j8", ""),
    ("renju", "h8h9i7i9h10i6i11i12", "", "g9"),
    ("caro-overline", "h8f8g8f9i8f7j8l8", "f5 f6 f10 f11", ""),
)


class CheckFailed(Exception):
    """The brain does not do what a point wants; the text says what it did."""


@dataclass(frozen=True)
class CheckResult:
    """One point of the check list. `number` is that of the list in the protocol's reference, from 17 on our own."""

    number: int
    title: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True)
class Lab:
    """Where brains are examined: the command that starts one and the time it has for a move."""

    command: Sequence[str]
    move_time_ms: int

    @contextmanager
    def brain(self) -> Iterator[Brain]:
        """A fresh brain; its processes are gone at the end."""
        process = EngineProcess(self.command)
        try:
            yield Brain(process, self.move_time_ms)
        finally:
            process.kill()


class Brain:
    """A conversation with one process, keeping the stones for judging its moves."""

    def __init__(self, process: EngineProcess, move_time_ms: int) -> None:
        self.process = process
        self.born_ns = time.monotonic_ns()
        self.move_time_ms = move_time_ms
        self.size = 15
        self.stones: list[Point] = []

    def ask(self, *lines: str, within_s: float | None = None) -> Line:
        """Send lines and return the answer; raise CheckFailed where none comes."""
        within_s = START_S if within_s is None else within_s
        sent_ns = self.process.write(*lines)
        try:
            return self.process.wait_line(_is_answer, sent_ns + int(within_s * 1e9))
        except EngineTimeout:
            raise CheckFailed(f"no answer to {lines[0].strip()} within {within_s:g} s") from None

    def expect(self, wanted: str, *lines: str) -> str:
        """Send lines and return the answer; raise CheckFailed where it does not begin as wanted."""
        answer = self.ask(*lines).text
        if not answer.startswith(wanted):
            raise CheckFailed(f"{lines[0].strip()} was answered by {answer!r}, not by {wanted}")
        return answer

    def start(self, size: int = 15, rule: int = 0, turn_ms: int | None = None) -> None:
        """START and the usual INFO lines; raise CheckFailed where the answer is not exactly OK."""
        self.size, self.stones = size, []
        if self.expect("OK", f"START {size}") != "OK":
            raise CheckFailed(f"START {size} was answered by more than OK")
        turn = self.move_time_ms if turn_ms is None else turn_ms
        keys = {"timeout_turn": turn, "timeout_match": 180_000, "max_memory": MAX_MEMORY, "game_type": 1, "rule": rule}
        self.process.write(*(f"INFO {key} {value}" for key, value in keys.items()))

    def move(self, *command: str, within_s: float | None = None) -> tuple[Point, float]:
        """Send a move command; return the legal move and its seconds. Raise CheckFailed where it is none."""
        patience_s = self.move_time_ms / 1000 + TOLERANCE_S if within_s is None else within_s
        began_ns = time.monotonic_ns()
        line = self.ask(*command, within_s=patience_s)
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
        try:
            line = self.process.wait_line(bool, time.monotonic_ns() + int(SILENCE_S * 1e9))
        except (EngineTimeout, EngineDied):
            return
        raise CheckFailed(f"{after} was answered by {line.text!r}")

    def expect_exit(self, within_s: float, after: str) -> str:
        """Raise CheckFailed where the program does not exit by itself in time; return how long it took."""
        began = time.monotonic()
        if not self.process.wait_exit(within_s):
            raise CheckFailed(f"still running {within_s:g} s after {after}")
        return f"{time.monotonic() - began:.2f} s"


def check_gomocup(
    command: Sequence[str], report: Callable[[CheckResult], None], move_time_s: float = 5.0
) -> list[CheckResult]:
    """Examine the program that `command` starts, report each point as it is done, and return them all."""
    lab = Lab(command, int(move_time_s * 1000))
    results = []
    for number, title, examine in POINTS:
        try:
            result = CheckResult(number, title, True, examine(lab))
        except (CheckFailed, EngineFault) as failure:
            result = CheckResult(number, title, False, str(failure))
        results.append(result)
        report(result)
    return results


def board_lines(stones: Sequence[Point]) -> list[str]:
    """BOARD ... DONE for the side whose turn it is after the stones."""
    fields = [OPPONENT if (len(stones) - index) % 2 else OWN for index in range(len(stones))]
    return ["BOARD", *(f"{format_point(p)},{field}" for p, field in zip(stones, fields, strict=True)), "DONE"]


def nearly_full_board(size: int = 15) -> list[Point]:
    """A board with 0,0 free and no five in any line: pairs of one colour, shifted from row to row, in order of play."""
    points = [(x, y) for y in range(size) for x in range(size) if (x, y) != (0, 0)]
    colours = [[point for point in points if (point[0] // 2 + point[1]) % 2 == colour] for colour in (0, 1)]
    return [point for pair in zip(*colours, strict=True) for point in pair]


def _is_answer(text: str) -> bool:
    return bool(text) and not text.lower().startswith(("message ", "debug "))


def _check_ok(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        return ""


def _check_flush(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        _, seconds = brain.move("BEGIN")
        return f"first answers came while the input stayed open, the move after {seconds:.2f} s"


def _check_crlf(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.expect("OK", "START 15\r")
        brain.move(f"INFO timeout_turn {lab.move_time_ms}\r", "BEGIN\r")
        brain.board(_squares("h8"), line_end="\r")
        return ""


def _check_input_end(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        brain.process.close_input()
        idle = brain.expect_exit(1.0, "the end of input")
    with lab.brain() as brain:
        _start_long_search(brain)
        brain.process.close_input()
        return f"idle {idle}, thinking {brain.expect_exit(1.0, 'the end of input while thinking')}"


def _check_about(lab: Lab) -> str:
    with lab.brain() as brain:
        answer = brain.expect('name="', "ABOUT")
        brain.start()
        return answer


def _check_early_info(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.process.write("INFO rule 0", f"INFO timeout_turn {lab.move_time_ms}", "INFO time_left 100000")
        brain.expect_silence("INFO before START")
        brain.start()
        brain.move("BEGIN")
        return ""


def _check_twice(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start(15)
        brain.start(20)
        brain.board(_squares("h8h9i8"))
        brain.board(_squares("t20t19"))
        brain.start(15)
        brain.move("BEGIN")
        return ""


def _check_empty_board(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        return format_square(*brain.board([])[0])


def _check_odd_clocks(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        brain.process.write("INFO time_left -350")
        _, negative = brain.move("BEGIN")
        brain.process.write(f"INFO time_left {UNLIMITED_MS}")
        _, unlimited = brain.board(_squares("h8h9"))
        return f"overrun clock {negative:.2f} s, no clock {unlimited:.2f} s"


def _check_at_once(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start(20, turn_ms=0)
        _, seconds = brain.board(_squares("h8h9i8"), within_s=AT_ONCE_S)
        return f"{seconds:.2f} s"


def _check_silence(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        brain.process.write("INFO rule 0", "INFO no_such_key 1", "INFO", "INFO max_memory lots")
        brain.expect_silence("INFO")
        brain.process.write("YXBOARD", *board_lines(_squares("h8h9"))[1:])
        brain.expect_silence("YXBOARD")
        brain.process.write("END")
        brain.expect_silence("END")
        return ""


def _check_full_board(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        brain.board(nearly_full_board())
        full = [*nearly_full_board(), (0, 0)]
        brain.process.write(*board_lines(full))
        time.sleep(SILENCE_S)  # whatever it says to a full board, it must live
        said = [line.text for line in brain.process.drain()]
        brain.start()
        brain.move("BEGIN")
        return f"a full board was answered by {said[-1]!r}" if said else "a full board was answered by nothing"


def _check_end(lab: Lab) -> str:
    with lab.brain() as brain:
        _start_long_search(brain)
        brain.process.write("END")
        return brain.expect_exit(END_S, "END while thinking")


def _check_memory(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start(20)
        brain.process.write(*board_lines(_squares("k10k11l10l11")))
        deadline = time.monotonic() + lab.move_time_ms / 1000 + TOLERANCE_S
        peak_virtual, peak_unique, answered = 0, 0, False
        while not answered and time.monotonic() < deadline:
            use = brain.process.memory()
            peak_virtual, peak_unique = max(peak_virtual, use.virtual), max(peak_unique, use.unique)
            answered = any(_is_answer(line.text) for line in brain.process.drain())
            time.sleep(MEMORY_POLL_S)
        if not answered:
            raise CheckFailed("no move came")
        detail = f"peak {peak_unique / 2**20:.0f} MiB own, {peak_virtual / 2**20:.0f} MiB virtual, over all processes"
        if max(peak_virtual, peak_unique) > MAX_MEMORY:
            raise CheckFailed(f"{detail}, more than {MAX_MEMORY / 2**20:.0f} MiB")
        return detail


def _check_first_move(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start(20)
        limit_s = max(FIRST_MOVE_S, lab.move_time_ms / 1000) + TOLERANCE_S
        brain.move("BEGIN", within_s=limit_s)
        seconds = (time.monotonic_ns() - brain.born_ns) / 1e9
        if seconds > limit_s:
            raise CheckFailed(f"the first move came {seconds:.2f} s after the start of the program")
        return f"{seconds:.2f} s from the start of the program"


def _probe(variant: str, stones: str, wanted: str, unwanted: str) -> Callable[[Lab], str]:
    """The examination of one archive probe."""

    def examine(lab: Lab) -> str:
        with lab.brain() as brain:
            brain.start(15, parse_variant(variant))
            move = format_square(*brain.board(_squares(stones))[0])
        if wanted and move not in wanted.split():
            raise CheckFailed(f"played {move}, not one of {wanted}")
        if move in unwanted.split():
            raise CheckFailed(f"played {move}, which is forbidden")
        return move

    return examine


def _check_undo(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        own, _ = brain.move("BEGIN")
        brain.expect("OK", f"TAKEBACK {format_point(own)}")
        brain.expect("OK", "RESTART")
        brain.stones = []
        brain.move("BEGIN")
        return ""


def _check_unknown(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        answer = brain.expect("UNKNOWN", "FROBNICATE 7,7")
        brain.move("BEGIN")
        return answer


def _check_bad_board(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start()
        answer = brain.expect("ERROR", "BOARD", "7,7,2", "eight;eight;1", "99,99,2", "DONE")
        brain.expect_silence("the rest of a malformed BOARD")
        brain.board(_squares("h8"))
        return answer


def _check_turn_limit(lab: Lab) -> str:
    with lab.brain() as brain:
        brain.start(20)
        _, seconds = brain.board(_squares("k10k11l10l11j10m10"))
        if seconds > lab.move_time_ms / 1000:
            raise CheckFailed(f"the move took {seconds:.3f} s of {lab.move_time_ms / 1000:g} s")
        return f"{seconds:.3f} s of {lab.move_time_ms / 1000:g} s"


def _start_long_search(brain: Brain) -> None:
    brain.start(20, turn_ms=SEARCH_MS)
    brain.process.write(f"INFO time_left {UNLIMITED_MS}", *board_lines(_squares("k10k11l10l12")))
    time.sleep(SILENCE_S)


def _squares(text: str) -> list[Point]:
    points = [parse_square(name) for name in split_squares(text) or []]
    return [point for point in points if point is not None]


POINTS: tuple[tuple[int, str, Callable[[Lab], str]], ...] = (
    (1, "START is answered by exactly OK", _check_ok),
    (2, "answers are flushed", _check_flush),
    (3, "CR LF line ends are understood", _check_crlf),
    (4, "the end of input ends the program", _check_input_end),
    (5, "ABOUT works before START", _check_about),
    (6, "INFO works before START", _check_early_info),
    (7, "START twice and BOARD twice work", _check_twice),
    (8, "an empty BOARD works", _check_empty_board),
    (9, "negative and unlimited time_left", _check_odd_clocks),
    (10, "timeout_turn 0 answers at once", _check_at_once),
    (11, "INFO, YXBOARD and END are not answered", _check_silence),
    (12, "a full or nearly full board", _check_full_board),
    (13, "END while thinking", _check_end),
    (14, "memory of all processes", _check_memory),
    (15, "the first move, with start-up", _check_first_move),
    *((16, f"archive probe {probe[0]}", _probe(*probe)) for probe in PROBES),
    (17, "RESTART and TAKEBACK", _check_undo),
    (18, "an unknown command is answered by UNKNOWN", _check_unknown),
    (19, "a malformed BOARD is an ERROR", _check_bad_board),
    (20, "the turn limit is kept", _check_turn_limit),
)
