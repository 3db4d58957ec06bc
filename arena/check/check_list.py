"""What the checks of all protocols share: points of a list, each passed or failed with a word on why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from protocols.driving.process import EngineError

Candidate = TypeVar("Candidate")
CUT_S = 0.2  # by which a search may end sooner for other reasons


class CheckFailed(Exception):
    """The program does not do what a point wants; the text says what it did."""


class NotThere(CheckFailed):
    """The program does not start, or never answers: no other point would tell more."""


def compare_closed_input(open_s: float, closed_s: float) -> str:
    """Describe how long a search took with the input open and closed; raise CheckFailed if the closing cut it short.

    A machine that is busy for one of the two tells nothing by a little, so half of the time and `CUT_S` are allowed.
    """
    if open_s - closed_s > max(CUT_S, open_s / 2):
        raise CheckFailed(f"answered after {closed_s:.2f} s; with the input open, after {open_s:.2f} s")
    return f"{closed_s:.2f} s; with the input open, {open_s:.2f} s"


@contextmanager
def starting() -> Iterator[None]:
    """What fails here fails at every point, as each starts the program."""
    try:
        yield
    except (CheckFailed, EngineError) as failure:
        raise NotThere(str(failure)) from None


@dataclass(frozen=True)
class CheckResult:
    """The result of one item of a check list. `skipped` items after it were left out: the program is gone."""

    number: int
    title: str
    passed: bool
    detail: str = ""
    skipped: int = 0


CheckItem = tuple[
    int, str, Callable[[Candidate], str]
]  # number, title, and a function that returns a detail for the report
Report = Callable[[CheckResult], None]


def run_checks(items: Sequence[CheckItem[Candidate]], candidate: Candidate, report: Report) -> list[CheckResult]:
    """Check a program item by item; report each result at once, and return them all.

    Stop after the first item at which the program does not start or never answers.
    """
    results = []
    for place, (number, title, examine) in enumerate(items, 1):
        try:
            result = CheckResult(number, title, True, examine(candidate))
        except (CheckFailed, EngineError) as failure:
            skipped = len(items) - place if isinstance(failure, NotThere) else 0
            result = CheckResult(number, title, False, str(failure), skipped)
        results.append(result)
        report(result)
        if result.skipped:
            break
    return results
