"""After an engine has failed, its client has no dead process and can begin a new game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.play.player import Limits, Setup
from protocols.driving.deadlines import Deadlines
from protocols.driving.process import EngineMisbehaved, EngineProcess, EngineTerminated
from protocols.gtp.client import GtpClient
from tests.mocks.tiny_hex import TINY_HEX

ROOT = Path(__file__).parents[3]
SETUP = Setup(3, 3, "swap")


class FailingHandshakeClient(GtpClient):
    """A client whose next handshake raises `problem` after the engine has answered."""

    problem: BaseException | None = None

    def _handshake(self) -> None:
        super()._handshake()
        problem, self.problem = self.problem, None
        if problem:
            raise problem


@pytest.fixture
def client() -> Iterator[FailingHandshakeClient]:
    """Return a client of a mock engine that first writes a line to standard error."""
    code = "import sys; print('the last words', file=sys.stderr); from tests.mocks.gtp_engine import main; main()"
    client = FailingHandshakeClient(
        [sys.executable, "-S", "-c", code],
        TINY_HEX,
        cwd=ROOT,
        deadlines=Deadlines(start_s=30, new_game_s=30, ping_s=30, quit_s=5),
    )
    yield client
    client.kill()


@pytest.mark.parametrize(
    "problem",
    [EngineMisbehaved("refused", "no"), ValueError("no"), KeyboardInterrupt()],
    ids=lambda problem: type(problem).__name__,
)
def test_failed_handshake_leaves_no_process(client: FailingHandshakeClient, problem: BaseException) -> None:
    """Regression: the client used to request moves from an engine whose handshake had failed, so without settings."""
    client.problem = problem
    with pytest.raises(type(problem)):
        client.new_game(SETUP)
    assert client.process is None
    with pytest.raises(EngineTerminated, match="not running"):
        client.choose(Limits(move_time_ms=1000))
    client.new_game(SETUP)
    assert client.about["name"] == "Mock"
    assert client.choose(Limits(move_time_ms=60_000)).move == "a1"


def test_stderr_of_an_ended_engine_is_kept(client: FailingHandshakeClient) -> None:
    """Standard error often says why an engine has ended, so it is needed after the end."""
    client.new_game(SETUP)
    client.close()
    assert client.process is None
    assert client.stderr_tail == "the last words\n"


@pytest.mark.parametrize("step", ["write", "end"])
def test_closing_removes_the_process_even_if_a_step_fails(
    client: FailingHandshakeClient, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that keeps a dead process can neither be closed nor begin a new game."""
    client.new_game(SETUP)
    process = client.process
    assert process is not None

    def fail(*_: Any) -> None:
        raise OSError("no room")

    monkeypatch.setattr(EngineProcess, step, fail)
    with pytest.raises(OSError, match="no room"):
        client.close()
    monkeypatch.undo()
    assert client.process is None
    assert process.exit_status is not None
    client.new_game(SETUP)
    assert client.choose(Limits(move_time_ms=60_000)).move == "a1"
