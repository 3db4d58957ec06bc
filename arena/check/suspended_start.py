"""`pentad check gomocup --suspended`: plays Gomocup's judge up to the first move, many times.

The judge writes START and the INFO lines, stops the process that it made at once (that alone, not its children), writes
the first move's command, lets the process go and starts the clock. So what start-up is left counts as thinking.
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

from arena.check.check_list import CheckFailed, CheckItem, CheckResult, run_checks
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
LATE_MS = 50  # beyond the limit; the judge forgives a second
PAUSES_S = (0.0, 0.05, 0.2)  # that the process stays stopped, in turn: while the other side thinks
SIZE = 20
OPENING = "k10l11j9l9m12k8"  # that is no book's and has no forced move, so that the first move wants thinking
MATCH_MS = 180_000


@dataclass(frozen=True)
class SuspendedStartOptions:
    """How often a program is started for each limit, and beside how many endless loops."""

    starts: int = 20
    loops: int = 0
    patience: GomocupPatience = TOURNAMENT_PATIENCE


def check_suspended_start(
    command: Sequence[str], report: Callable[[CheckResult], None], check: SuspendedStartOptions
) -> list[CheckResult]:
    """Examine the program's first moves, report each limit's as they are done, and return them."""
    points: list[CheckItem[GomocupCandidate]] = [
        (number, f"first moves at timeout_turn {turn_ms} of a stopped process", _first_moves(turn_ms, check.starts))
        for number, turn_ms in enumerate(TURN_LIMITS_MS, 1)
    ]
    with _endless_loops(check.loops):
        return run_checks(points, GomocupCandidate(command, max(TURN_LIMITS_MS), check.patience), report)


@contextmanager
def _endless_loops(count: int) -> Iterator[None]:
    """Keep the machine as busy as so many programs would that never rest."""
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield


def _first_moves(turn_ms: int, starts: int) -> Callable[[GomocupCandidate], str]:
    def examine(candidate: GomocupCandidate) -> str:
        took_ms = [_first_move_ms(candidate, turn_ms, PAUSES_S[start % len(PAUSES_S)]) for start in range(starts)]
        over = sum(ms > turn_ms for ms in took_ms)
        late = sum(ms > turn_ms + LATE_MS for ms in took_ms)
        detail = f"median {median(took_ms):.0f} ms, slowest {max(took_ms):.0f} ms of {starts}; {over} above the limit"
        if late:
            raise CheckFailed(f"{late} of {starts} came more than {LATE_MS} ms late: {detail}")
        return detail

    return examine


def _first_move_ms(candidate: GomocupCandidate, turn_ms: int, pause_s: float) -> float:
    """From letting a fresh process go to its first move; raise CheckFailed where none comes."""
    with candidate.brain() as brain:
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
        within_ns = int((candidate.patience.start_s + turn_ms / 1000) * 1e9)
        try:
            line = process.wait_line(_is_move, began_ns + within_ns)
        except EngineTimeout:
            raise CheckFailed(f"no first move within {within_ns / 1e9:g} s") from None
        point = parse_point(line.text)
        if point is None or not 0 <= min(point) <= max(point) < SIZE or point in stones:
            raise CheckFailed(f"the first move was {quote_line(line.text)}, no free square")
        return (line.at_ns - began_ns) / 1e6


def _is_move(text: str) -> bool:
    """The judge takes the first line that looks like a move, whatever is said before."""
    return parse_point(text) is not None
