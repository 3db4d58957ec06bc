"""Fixtures for the tests of several protocols."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocols.driving.engine_client import EngineClient
from protocols.serving.command_clock import CommandClock
from tests.protocols.mock_clients import is_alive
from tests.protocols.mock_processes import Engine, StartMock, kill_mock_process, start_mock_process


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count no time before a search, so that a player gets its full limits even on a busy machine."""
    monkeypatch.setattr(CommandClock, "elapsed_for_first_search_ms", lambda _: 0)


@pytest.fixture
def clients() -> Iterator[list[EngineClient]]:
    """Return a list for the clients of a test; kill their engines at the end, and check that none is alive."""
    clients: list[EngineClient] = []
    yield clients
    for client in clients:
        process = client.process
        client.kill()
        assert process is None or not is_alive(process.pid)


@pytest.fixture
def start_mock() -> Iterator[StartMock]:
    """Return a function that starts a mock engine as a process; kill all of them at the end."""
    engines: list[Engine] = []

    def start(mock: str, *arguments: str) -> Engine:
        engines.append(start_mock_process(mock, *arguments))
        return engines[-1]

    yield start
    for engine in engines:
        kill_mock_process(engine)
