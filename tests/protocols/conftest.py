"""What tests of several protocols share."""

from __future__ import annotations

import pytest

from protocols.serving.command_clock import CommandClock


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player gets its whole limits, however long a busy machine takes from a command to its search."""
    monkeypatch.setattr(CommandClock, "elapsed_for_first_search_ms", lambda _: 0)
