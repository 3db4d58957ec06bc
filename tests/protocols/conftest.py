"""Fixtures for the tests of several protocols."""

from __future__ import annotations

import pytest

from protocols.serving.command_clock import CommandClock


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charge no time before a search, so that a player gets its full limits even on a busy machine."""
    monkeypatch.setattr(CommandClock, "elapsed_for_first_search_ms", lambda _: 0)
