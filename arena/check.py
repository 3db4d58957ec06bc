"""What the checks of all protocols share: points of a list, each passed or failed with a word on why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from protocols.process import EngineFault

Lab = TypeVar("Lab")


class CheckFailed(Exception):
    """The program does not do what a point wants; the text says what it did."""


@dataclass(frozen=True)
class CheckResult:
    """One point of a check list."""

    number: int
    title: str
    passed: bool
    detail: str = ""


Point = tuple[int, str, Callable[[Lab], str]]  # number, title, and the examination, which returns a detail
Report = Callable[[CheckResult], None]


def examine_points(points: Sequence[Point[Lab]], lab: Lab, report: Report) -> list[CheckResult]:
    """Examine a program point by point, report each as it is done, and return them all."""
    results = []
    for number, title, examine in points:
        try:
            result = CheckResult(number, title, True, examine(lab))
        except (CheckFailed, EngineFault) as failure:
            result = CheckResult(number, title, False, str(failure))
        results.append(result)
        report(result)
    return results
