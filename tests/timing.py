"""Measurements of real time, for tests that carry the marker `timing`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TRIES = 3  # other programs may delay a single try


def check_ratio(measure: Callable[[], float], least: float, most: float) -> None:
    """Measure a ratio of two times up to TRIES times; fail if it is never in the range, `most` excluded."""
    ratios: list[float] = []
    while len(ratios) < TRIES:
        ratios.append(measure())
        if least <= ratios[-1] < most:
            return
    pytest.fail(f"ratio must be in [{least}, {most}), measured {ratios}")
