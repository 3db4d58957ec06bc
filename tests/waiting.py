"""Polling helpers that wait for other processes and threads."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 60.0  # of a busy machine; nothing that works takes so long


def wait_until(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Come back as soon as the condition holds; fail where it never does."""
    deadline = time.perf_counter() + patience_s
    while not condition():
        assert time.perf_counter() < deadline, "it never came"
        time.sleep(0.005)
