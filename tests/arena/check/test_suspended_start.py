"""The judge's first move: whoever must start up after it was stopped pays for that, and is found late."""

from __future__ import annotations

import math
import os
import re
import sys

import pytest

from arena.check import suspended_start as module
from arena.check.check_list import CheckResult
from arena.check.gomocup_talk import GomocupPatience
from arena.check.suspended_start import SuspendedStartOptions, check_suspended_start
from tests.timing import check_ratio

WORK = "while time.process_time() < 1: pass"
SERVED = f"import time\n{WORK}\nfrom tests.mocks.served_brain import main; main()"
GOOD_BRAIN = [sys.executable, "-S", "-c", SERVED, "100000"]
QUICK = GomocupPatience(start_s=20.0, end_s=0.1)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the brains are scripts of a POSIX system's")


def brain(answer: str, start_up: str = "") -> list[str]:
    """A brain that answers every DONE, after what its start takes."""
    answering = f"    if line == 'DONE': print({answer!r}, flush=True)"
    code = f"import time\n{start_up}\nwhile (line := input()) != 'END':\n{answering}"
    return [sys.executable, "-S", "-c", code]


def examine(command: list[str], monkeypatch: pytest.MonkeyPatch, turn_ms: int, pause_s: float = 0.0) -> CheckResult:
    monkeypatch.setattr(module, "TURN_LIMITS_MS", (turn_ms,))
    monkeypatch.setattr(module, "PAUSES_S", (pause_s,))
    (result,) = check_suspended_start(command, lambda _: None, SuspendedStartOptions(1, patience=QUICK))
    return result


def median_ms(result: CheckResult) -> int:
    median = re.match(r"median (\d+) ms", result.detail)
    assert median, result.detail
    return int(median[1])


def test_program_that_counts_its_start_is_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts for a second and thinks as long as it may, with nothing kept back for the way to us."""
    monkeypatch.setattr(module, "LATE_MS", 60_000)
    result = examine(GOOD_BRAIN, monkeypatch, 4000)
    assert result.passed, result.detail


@pytest.mark.timing
def test_program_that_counts_its_start_is_hardly_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LATE_MS", 60_000)

    def share() -> float:
        return median_ms(examine(GOOD_BRAIN, monkeypatch, 4000)) / 4000

    check_ratio(share, 0, 1.125)


def test_late_first_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    result = examine(brain("3,3", "time.sleep(1)"), monkeypatch, 500)
    assert not result.passed
    assert re.match(r"1 of 1 came more than 50 ms late: median \d+ ms, slowest \d+ ms of 1; 1 above", result.detail)


@pytest.mark.timing
def test_start_up_stands_still_while_the_process_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second of work is not done in three of being stopped."""

    def share_left() -> float:
        return median_ms(examine(brain("3,3", WORK), monkeypatch, 60_000, pause_s=3.0)) / 1000

    check_ratio(share_left, 0.7, math.inf)


@pytest.mark.parametrize("answer", ["20,3", "10,9"])
def test_first_move_is_a_free_square(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert examine(brain(answer), monkeypatch, 500).detail == f"the first move was '{answer}', no free square"


def test_silence_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TURN_LIMITS_MS", (100,))
    patience = GomocupPatience(start_s=0.5, end_s=0.1)
    (result,) = check_suspended_start(
        brain("MESSAGE none"), lambda _: None, SuspendedStartOptions(1, patience=patience)
    )
    assert (result.passed, result.detail) == (False, "no first move within 0.6 s")


def test_machine_is_busy_only_while_it_is_examined() -> None:
    import psutil

    def loops() -> int:
        return sum("while True: pass" in process.cmdline() for process in psutil.Process().children())

    with module._endless_loops(2):
        assert loops() == 2
    assert loops() == 0
