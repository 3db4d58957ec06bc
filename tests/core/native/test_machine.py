"""What may be taken of this machine."""

from __future__ import annotations

import psutil
import pytest

from core.native import machine
from core.native.memory import memory_limit


def test_no_more_is_free_than_a_process_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's limit is one of those; which there are is tested with `memory_limit`."""
    assert 1 << 20 < machine.free_memory() <= min(psutil.virtual_memory().total, memory_limit())
    monkeypatch.setattr(machine, "memory_limit", lambda: 1 << 20)
    assert machine.free_memory() == 1 << 20
