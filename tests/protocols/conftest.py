"""Fixtures for the tests of several protocols."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocols.driving.engine_client import EngineClient
from protocols.serving.command_clock import CommandClock
from tests.protocols.mock_clients import is_alive


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charge no time before a search, so that a player gets its full limits even on a busy machine."""
    monkeypatch.setattr(CommandClock, "elapsed_for_first_search_ms", lambda _: 0)


@pytest.fixture
def clients() -> Iterator[list[EngineClient]]:
    """Collect the clients that a test makes; at the end no engine of theirs may be alive."""
    clients: list[EngineClient] = []
    yield clients
    for client in clients:
        process = client.process
        client.kill()
        assert process is None or not is_alive(process.pid)
