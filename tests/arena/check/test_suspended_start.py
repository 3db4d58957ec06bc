"""Tests of `pentad check gomocup --suspended`: the part of the start-up after the suspension counts as thinking time.

A brain is a Gomocup program. The check starts it, suspends its process, and measures the time from resuming it to its
first move.
"""

from __future__ import annotations

import math
import os
import re
import sys

import pytest

from arena.check import suspended_start as module
from arena.check.check_list import CheckResult
from arena.check.gomocup_conversation import GomocupTimeouts
from arena.check.suspended_start import SuspendedStartOptions, check_suspended_start
from tests.timing import check_ratio
from tests.waiting import wait_until

ONE_SECOND_OF_CPU_TIME = "while time.process_time() < 1: pass"
SERVED_BRAIN_CODE = f"import time\n{ONE_SECOND_OF_CPU_TIME}\nfrom tests.mocks.served_brain import main; main()"
# Its own maximum of 100,000 ms per move is above every time limit here, so it uses the whole limit
GOOD_BRAIN = [sys.executable, "-S", "-c", SERVED_BRAIN_CODE, "100000"]
SHORT_TIMEOUTS = GomocupTimeouts(start_s=20.0, end_s=0.1)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="written for the processes of POSIX systems")


def make_brain_command(answer: str, start_up: str = "") -> list[str]:
    """Return the command of a brain that runs the code `start_up` and then answers every DONE with `answer`."""
    answer_code = f"    if line == 'DONE': print({answer!r}, flush=True)"
    code = f"import time\n{start_up}\nwhile (line := input()) != 'END':\n{answer_code}"
    return [sys.executable, "-S", "-c", code]


def check_once(
    command: list[str], monkeypatch: pytest.MonkeyPatch, turn_ms: int, suspended_s: float = 0.0
) -> CheckResult:
    """Start a brain once with a time limit of `turn_ms` for its first move; return the result of the check."""
    monkeypatch.setattr(module, "TURN_LIMITS_MS", (turn_ms,))
    monkeypatch.setattr(module, "SUSPENSIONS_S", (suspended_s,))
    (result,) = check_suspended_start(
        command, lambda _: None, SuspendedStartOptions(start_count=1, timeouts=SHORT_TIMEOUTS)
    )
    return result


def median_ms(result: CheckResult) -> int:
    """Return the median time of the first moves, read from the detail of the result."""
    median = re.match(r"median (\d+) ms", result.detail)
    assert median, result.detail
    return int(median[1])


def test_brain_that_deducts_its_start_up_from_its_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The brain works for a second and then thinks for the rest of its time; a busy machine may make it late."""
    monkeypatch.setattr(module, "TOLERANCE_MS", 60_000)
    result = check_once(GOOD_BRAIN, monkeypatch, 4000)
    assert result.passed, result.detail


@pytest.mark.timing
def test_brain_that_deducts_its_start_up_is_at_most_an_eighth_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOLERANCE_MS", 60_000)

    def time_ratio() -> float:
        return median_ms(check_once(GOOD_BRAIN, monkeypatch, 4000)) / 4000

    check_ratio(time_ratio, minimum=0, limit=1.125)


def test_late_first_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    result = check_once(make_brain_command("3,3", "time.sleep(1)"), monkeypatch, 500)
    assert not result.passed
    assert re.match(r"1 of 1 came more than 50 ms late: median \d+ ms, slowest \d+ ms of 1; 1 above", result.detail)


@pytest.mark.timing
def test_start_up_pauses_while_the_process_is_suspended(monkeypatch: pytest.MonkeyPatch) -> None:
    """After 3 s of suspension, most of the second of CPU time is still to be used."""

    def work_left_ratio() -> float:
        return (
            median_ms(
                check_once(make_brain_command("3,3", ONE_SECOND_OF_CPU_TIME), monkeypatch, 60_000, suspended_s=3.0)
            )
            / 1000
        )

    check_ratio(work_left_ratio, minimum=0.7, limit=math.inf)


@pytest.mark.parametrize("answer", ["20,3", "10,9"])  # outside the board; on a stone of the position
def test_first_move_must_be_a_free_square(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        check_once(make_brain_command(answer), monkeypatch, 500).detail
        == f"the first move was '{answer}', which is no free square"
    )


def test_missing_first_move_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TURN_LIMITS_MS", (100,))
    timeouts = GomocupTimeouts(start_s=0.5, end_s=0.1)
    (result,) = check_suspended_start(
        make_brain_command("MESSAGE none"), lambda _: None, SuspendedStartOptions(start_count=1, timeouts=timeouts)
    )
    assert (result.passed, result.detail) == (False, "no first move within 0.6 s")


def test_busy_processes_run_during_the_check_only() -> None:
    import psutil

    def count_busy() -> int:
        return sum("while True: pass" in process.cmdline() for process in psutil.Process().children())

    with module._busy_processes(2):
        wait_until(lambda: count_busy() == 2)  # a process that has just been started has no command line yet
    assert count_busy() == 0
