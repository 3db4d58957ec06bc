"""Check lists of the `pentad check` commands: items that pass or fail, run one after the other on a program.

The program under test is called the candidate. `arena/check/gomocup.py`, `gtp.py` and `uhp.py` have the lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from protocols.driving.process import EngineError

Candidate = TypeVar("Candidate")  # the program under test and the settings of its check, a class per protocol
TIME_TOLERANCE_S = 0.2  # difference between two searches of the same position that is always allowed


class CheckFailed(Exception):
    """A check failed; the message says what the program did."""


class ProgramUnavailable(CheckFailed):
    """The program does not start or never answers, so that all other checks would fail too."""


def compare_closed_input(open_s: float, closed_s: float) -> str:
    """Describe the times of a search with standard input open and closed; raise CheckFailed if closing cut it short.

    A search may be shorter for other reasons, such as a busy machine. So the difference may be half of `open_s`, and at
    least `TIME_TOLERANCE_S`.
    """
    if open_s - closed_s > max(TIME_TOLERANCE_S, open_s / 2):
        raise CheckFailed(f"answered after {closed_s:.2f} s; with the input open, after {open_s:.2f} s")
    return f"{closed_s:.2f} s; with the input open, {open_s:.2f} s"


@contextmanager
def fatal_failures() -> Iterator[None]:
    """Raise ProgramUnavailable for any failure in the `with` block.

    It encloses the start of the program: if that fails once, it would fail in every check.
    """
    try:
        yield
    except (CheckFailed, EngineError) as failure:
        raise ProgramUnavailable(str(failure)) from None


@dataclass(frozen=True)
class CheckResult:
    """The result of one item of a check list."""

    number: int
    title: str
    passed: bool
    detail: str = ""
    skipped: int = 0  # items after this one that were not run because the program is unavailable


# Number, title, and a function that checks a candidate: it returns a detail for the report, or raises CheckFailed.
CheckItem = tuple[int, str, Callable[[Candidate], str]]
ResultCallback = Callable[[CheckResult], None]  # called with each result as soon as it is known


def run_checks(
    items: Sequence[CheckItem[Candidate]], candidate: Candidate, report: ResultCallback
) -> list[CheckResult]:
    """Run all items on a candidate, report each result at once, and return the results.

    Stop after the first item that raises ProgramUnavailable.
    """
    results = []
    for items_done, (number, title, check) in enumerate(items, 1):
        try:
            result = CheckResult(number, title, True, check(candidate))
        except (CheckFailed, EngineError) as failure:
            skipped = len(items) - items_done if isinstance(failure, ProgramUnavailable) else 0
            result = CheckResult(number, title, False, str(failure), skipped)
        results.append(result)
        report(result)
        if result.skipped:
            break
    return results
