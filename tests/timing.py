"""A check of a ratio of two real times, which tries several times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

MAX_TRIES = 3  # other programs may delay a single try


def check_ratio(measure: Callable[[], float], minimum: float, limit: float) -> None:
    """Measure a ratio of two times up to MAX_TRIES times; fail if it never is in [`minimum`, `limit`)."""
    ratios: list[float] = []
    while len(ratios) < MAX_TRIES:
        ratios.append(measure())
        if minimum <= ratios[-1] < limit:
            return
    pytest.fail(f"ratio must be in [{minimum}, {limit}), measured {ratios}")
