"""The Gomocup check list: a correct brain passes every item, and a misbehaving one fails the items that it should."""

from __future__ import annotations

import sys

import pytest

from arena.check.check_list import CheckResult
from arena.check.gomocup import CHECK_ITEMS, check_gomocup
from arena.check.gomocup_conversation import GomocupTimeouts, nearly_full_board

GOOD_BRAIN = [sys.executable, "-S", "-c", "from tests.mocks.served_brain import main; main()"]

# The mocks answer at once, so the test need not wait as long as tournament managers do.
SHORT_TIMEOUTS = GomocupTimeouts(start_s=3.0, tolerance_s=3.0, end_s=0.1, silence_s=0.1)


def failed_numbers(results: list[CheckResult]) -> set[int]:
    """Return the numbers of the items that failed."""
    return {result.number for result in results if not result.passed}


def test_correct_brain_passes() -> None:
    reported: list[CheckResult] = []
    results = check_gomocup(GOOD_BRAIN, reported.append, move_time_s=0.2, timeouts=SHORT_TIMEOUTS)
    assert reported == results
    assert not failed_numbers(results), [result for result in results if not result.passed]
    assert [result.number for result in results] == [*range(1, 16), 16, 16, 16, 16, 17, 18, 19, 20, 21]


def test_misbehaving_brain_fails() -> None:
    """The brain ignores END, never answers ERROR or UNKNOWN, and plays the free squares in order on any position."""
    command = [sys.executable, "-S", "-m", "tests.mocks.gomocup_brain", "deaf=1"]
    results = check_gomocup(command, lambda _: None, move_time_s=0.1, timeouts=SHORT_TIMEOUTS)
    failed = failed_numbers(results)
    assert failed >= {4, 13, 16, 17, 18, 19, 21}
    assert not failed & {1, 2, 5, 6, 8, 9, 10, 14, 15, 20}
    details = {result.title: result.detail for result in results}
    assert details["END ends the program during a search"] == "still running 0.5 s after END during a search"
    assert details["an unknown command is answered by UNKNOWN"].startswith("no answer to FROBNICATE")


@pytest.mark.parametrize(
    ("command", "detail"),
    [
        ([sys.executable, "-c", ""], "exited with status 0"),
        ([sys.executable, "-c", "input(); input()"], "no answer to START 15 within 0.5 s"),
        (["/no/such/brain"], "cannot start /no/such/brain: "),
    ],
)
def test_unavailable_program_ends_the_check(command: list[str], detail: str) -> None:
    """The check stops, because each of its 24 items would wait 10 s for a program that never answers."""
    timeouts = GomocupTimeouts(start_s=0.5, end_s=0.1, silence_s=0.1) if "input" in command[-1] else SHORT_TIMEOUTS
    (result,) = check_gomocup(command, lambda _: None, timeouts=timeouts)
    assert (result.number, result.passed, result.skipped) == (1, False, 23)
    assert result.detail.startswith(detail)


def test_one_missing_answer_does_not_end_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """A brain that lacks ABOUT or larger boards is still checked further."""
    monkeypatch.setattr("arena.check.gomocup.CHECK_ITEMS", [item for item in CHECK_ITEMS if item[0] in (1, 5, 10, 18)])
    code = "while (line := input()) != 'END':\n    if line == 'START 15': print('OK', flush=True)"
    timeouts = GomocupTimeouts(start_s=2.0, tolerance_s=0.1, end_s=0.5, silence_s=0.1)
    results = check_gomocup([sys.executable, "-S", "-c", code], lambda _: None, move_time_s=0.1, timeouts=timeouts)
    assert [(result.number, result.passed) for result in results] == [(1, True), (5, False), (10, False), (18, False)]


def test_nearly_full_board_has_no_five() -> None:
    stones = nearly_full_board()
    assert len(set(stones)) == 224
    for colour in (set(stones[::2]), set(stones[1::2])):
        for x, y in colour:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                assert not all((x + dx * step, y + dy * step) in colour for step in range(5))
