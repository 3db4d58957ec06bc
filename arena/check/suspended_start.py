"""`pentad check gomocup --suspended`: measures the first move of a brain that was suspended during its start-up.

A brain is a program that speaks the Gomocup protocol. Gomocup's tournament manager sends START and the INFO lines, and
suspends the process at once (only this process, not its children). Later it sends the command for the first move,
resumes the process and starts the clock. So the part of the start-up that is not finished yet counts as thinking time.
This check does the same many times.
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

from arena.check.check_list import CheckFailed, CheckItem, CheckResult, ResultCallback, run_checks
from arena.check.gomocup_conversation import (
    MATCH_MS,
    TOURNAMENT_TIMEOUTS,
    GomocupCandidate,
    GomocupTimeouts,
    board_lines,
    info_lines,
    parse_points,
)
from protocols.driving.process import EngineTimeout
from protocols.gomocup.text import parse_point
from protocols.text import quote_line

TURN_LIMITS_MS = (500, 1000)  # time limits of a move (timeout_turn), one check item each
TOLERANCE_MS = 50  # a later move fails the item; chosen by hand, the tournament manager allows 1 s
SUSPENSIONS_S = (0.0, 0.05, 0.2)  # used in turn; they stand for the time in which the opponent thinks
SIZE = 20  # of the board
# Stones before the first move of the brain, in the order of play; not from a book and without a forced move, so that
# the brain must search
OPENING = "k10l11j9l9m12k8"


@dataclass(frozen=True)
class SuspendedStartOptions:
    """The options of the check."""

    start_count: int = 20  # how often the program is started for each time limit
    busy_process_count: int = 0  # number of endless loops that run meanwhile, each in a process
    timeouts: GomocupTimeouts = TOURNAMENT_TIMEOUTS


def check_suspended_start(
    command: Sequence[str], report: ResultCallback, options: SuspendedStartOptions, *, has_wine: bool = False
) -> list[CheckResult]:
    """Check the first moves for each time limit, report each result at once, and return the results.

    Raise UsageError if the brain is a ZIP without a program. With `has_wine` wine may run it.
    """
    items: list[CheckItem[GomocupCandidate]] = [
        (number, f"first moves after a suspension, timeout_turn {turn_ms}", _make_check(turn_ms, options.start_count))
        for number, turn_ms in enumerate(TURN_LIMITS_MS, 1)
    ]
    # Each item sends its own time limit
    candidate = GomocupCandidate(command, max(TURN_LIMITS_MS), options.timeouts, has_wine)
    candidate.find_program()  # for its errors
    with _busy_processes(options.busy_process_count):
        return run_checks(items, candidate, report)


@contextmanager
def _busy_processes(count: int) -> Iterator[None]:
    """Run `count` endless loops, each in a process, until the end of the `with` block."""
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield


def _make_check(turn_ms: int, start_count: int) -> Callable[[GomocupCandidate], str]:
    """Return the function that checks a brain with this time limit for a move, as a check item needs it."""

    def check(candidate: GomocupCandidate) -> str:
        times_ms = [
            _measure_first_move(candidate, turn_ms, SUSPENSIONS_S[start % len(SUSPENSIONS_S)])
            for start in range(start_count)
        ]
        over_limit_count = sum(ms > turn_ms for ms in times_ms)
        late_count = sum(ms > turn_ms + TOLERANCE_MS for ms in times_ms)
        times = f"median {median(times_ms):.0f} ms, slowest {max(times_ms):.0f} ms of {start_count}"
        detail = f"{times}; {over_limit_count} above the limit"
        if late_count:
            raise CheckFailed(f"{late_count} of {start_count} came more than {TOLERANCE_MS} ms late: {detail}")
        return detail

    return check


def _measure_first_move(candidate: GomocupCandidate, turn_ms: int, suspended_s: float) -> float:
    """Return the milliseconds from resuming a new process to its first move; raise CheckFailed if no move comes."""
    with candidate.brain() as brain:
        process = brain.process
        stones = parse_points(OPENING)
        system_process = psutil.Process(process.pid)
        process.write_blocking(f"START {SIZE}", *info_lines(turn_ms))
        system_process.suspend()
        try:
            time.sleep(suspended_s)
            process.write_blocking(f"INFO time_left {MATCH_MS}", *board_lines(stones))
        finally:
            system_process.resume()
        resumed_ns = time.perf_counter_ns()
        timeout_s = candidate.timeouts.start_s + turn_ms / 1000
        try:
            line = process.wait_line(_is_move, resumed_ns + int(timeout_s * 1e9))
        except EngineTimeout:
            raise CheckFailed(f"no first move within {timeout_s:g} s") from None
        point = parse_point(line.text)
        if point is None or not 0 <= min(point) <= max(point) < SIZE or point in stones:
            raise CheckFailed(f"the first move was {quote_line(line.text)}, which is no free square")
        return (line.at_ns - resumed_ns) / 1e6


def _is_move(text: str) -> bool:
    """Return whether a line looks like a move; the tournament manager takes the first one and ignores lines before."""
    return parse_point(text) is not None
