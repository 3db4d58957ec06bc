"""Check lists for engine programs, shared by all protocols: each item passes or fails with an explanation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from protocols.driving.process import EngineError

Lab = TypeVar("Lab")
CUT_S = 0.2  # tolerance: a search may end this much sooner for other reasons


class CheckFailed(Exception):
    """The program fails a check item; the text says what it did."""


class NotThere(CheckFailed):
    """The program does not start or never answers, so the remaining items are skipped."""


def compare_closed_input(open_s: float, closed_s: float) -> str:
    """Describe how long a search took with the input open and closed; raise CheckFailed if the closing cut it short.

    A busy machine distorts either time, so a search may be shorter by `CUT_S` or half of `open_s`, whichever is more.
    """
    if open_s - closed_s > max(CUT_S, open_s / 2):
        raise CheckFailed(f"answered after {closed_s:.2f} s; with the input open, after {open_s:.2f} s")
    return f"{closed_s:.2f} s; with the input open, {open_s:.2f} s"


@contextmanager
def starting() -> Iterator[None]:
    """Turn a failure to start into `NotThere`: every item starts the program, so every item would fail."""
    try:
        yield
    except (CheckFailed, EngineError) as failure:
        raise NotThere(str(failure)) from None


@dataclass(frozen=True)
class CheckResult:
    """Result of one check item. `skipped` counts later items that were not run because the program does not start."""

    number: int
    title: str
    passed: bool
    detail: str = ""
    skipped: int = 0


Point = tuple[int, str, Callable[[Lab], str]]  # number, title, and the check function, which returns a detail
Report = Callable[[CheckResult], None]


def examine_points(points: Sequence[Point[Lab]], lab: Lab, report: Report) -> list[CheckResult]:
    """Run all check items on a program, report each result at once, and return all results.

    Stop after the first item at which the program does not start or never answers.
    """
    results = []
    for place, (number, title, examine) in enumerate(points, 1):
        try:
            result = CheckResult(number, title, True, examine(lab))
        except (CheckFailed, EngineError) as failure:
            skipped = len(points) - place if isinstance(failure, NotThere) else 0
            result = CheckResult(number, title, False, str(failure), skipped)
        results.append(result)
        report(result)
        if result.skipped:
            break
    return results
