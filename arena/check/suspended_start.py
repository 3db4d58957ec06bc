"""`pentad check gomocup --suspended`: imitates the Gomocup manager up to the first move, many times.

The manager writes START and the INFO lines and suspends the process (not its children) at once. It then writes the
command for the first move, resumes the process and starts the clock. Start-up work still to do counts as thinking time.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median

import psutil

from arena.check.check_list import CheckFailed, CheckResult, Point, examine_points
from arena.check.gomocup_talk import (
    MAX_MEMORY,
    TOURNAMENT_PATIENCE,
    GomocupCandidate,
    GomocupPatience,
    board_lines,
    squares_of,
)
from protocols.driving.process import EngineTimeout
from protocols.gomocup.text import parse_point
from protocols.text import quote_line

TURN_LIMITS_MS = (500, 1000)
LATE_MS = 50  # allowed beyond the limit; the manager allows a second
PAUSES_S = (0.0, 0.05, 0.2)  # suspension times, used in turn: the opponent is thinking
SIZE = 20
OPENING = "k10l11j9l9m12k8"  # in no opening book and without a forced move, so that the engine must search
MATCH_MS = 180_000


@dataclass(frozen=True)
class SuspendedStartOptions:
    """Number of starts per time limit, and number of busy loops that run at the same time as load."""

    starts: int = 20
    loops: int = 0
    patience: GomocupPatience = TOURNAMENT_PATIENCE


def check_suspended_start(
    command: Sequence[str], report: Callable[[CheckResult], None], check: SuspendedStartOptions
) -> list[CheckResult]:
    """Check the program's first moves, report the result for each time limit at once, and return all results."""
    points: list[Point[GomocupCandidate]] = [
        (number, f"first moves at timeout_turn {turn_ms} of a stopped process", _first_moves(turn_ms, check.starts))
        for number, turn_ms in enumerate(TURN_LIMITS_MS, 1)
    ]
    with _endless_loops(check.loops):
        return examine_points(points, GomocupCandidate(command, max(TURN_LIMITS_MS), check.patience), report)


@contextmanager
def _endless_loops(count: int) -> Iterator[None]:
    """Run `count` processes that loop forever, as load on the machine."""
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield


def _first_moves(turn_ms: int, starts: int) -> Callable[[GomocupCandidate], str]:
    def examine(lab: GomocupCandidate) -> str:
        took_ms = [_first_move_ms(lab, turn_ms, PAUSES_S[start % len(PAUSES_S)]) for start in range(starts)]
        over = sum(ms > turn_ms for ms in took_ms)
        late = sum(ms > turn_ms + LATE_MS for ms in took_ms)
        detail = f"median {median(took_ms):.0f} ms, slowest {max(took_ms):.0f} ms of {starts}; {over} above the limit"
        if late:
            raise CheckFailed(f"{late} of {starts} came more than {LATE_MS} ms late: {detail}")
        return detail

    return examine


def _first_move_ms(lab: GomocupCandidate, turn_ms: int, pause_s: float) -> float:
    """Return the time from resuming a new process to its first move; raise `CheckFailed` if no move comes."""
    with lab.brain() as brain:
        process = brain.process
        stones = squares_of(OPENING)
        itself = psutil.Process(process.pid)
        keys = {"timeout_turn": turn_ms, "timeout_match": MATCH_MS, "max_memory": MAX_MEMORY, "game_type": 1, "rule": 0}
        process.write_blocking(f"START {SIZE}", *(f"INFO {key} {value}" for key, value in keys.items()))
        itself.suspend()
        try:
            time.sleep(pause_s)
            process.write_blocking(f"INFO time_left {MATCH_MS}", *board_lines(stones))
        finally:
            itself.resume()
        began_ns = time.perf_counter_ns()
        within_ns = int((lab.patience.start_s + turn_ms / 1000) * 1e9)
        try:
            line = process.wait_line(_is_move, began_ns + within_ns)
        except EngineTimeout:
            raise CheckFailed(f"no first move within {within_ns / 1e9:g} s") from None
        point = parse_point(line.text)
        if point is None or not 0 <= min(point) <= max(point) < SIZE or point in stones:
            raise CheckFailed(f"the first move was {quote_line(line.text)}, no free square")
        return (line.at_ns - began_ns) / 1e6


def _is_move(text: str) -> bool:
    """Return whether the line is a move; the manager ignores all lines before the first move."""
    return parse_point(text) is not None
