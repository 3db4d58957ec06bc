"""A polling helper that waits for other processes and threads."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 60.0  # longer than any condition takes if the tested code works, even on a busy machine


def wait_until(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Return as soon as the condition is true; fail if it is not within `patience_s`."""
    deadline_s = time.perf_counter() + patience_s
    while not condition():
        assert time.perf_counter() < deadline_s, f"the condition was not met within {patience_s} s"
        time.sleep(0.005)
