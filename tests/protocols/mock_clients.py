"""Clients of the mock engines of the three protocols, for tests of the behaviour that all clients share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bots.gomoku.notation import parse_variant
from core.play.player import Setup
from protocols.driving.deadlines import Deadlines
from protocols.driving.engine_client import EngineClient
from protocols.gomocup.client import GomocupClient
from protocols.gtp.client import GtpClient
from protocols.uhp.client import UhpClient
from tests.mocks.tiny_hex import TINY_HEX

ROOT = Path(__file__).parents[2]
QUIT_S = 0.7  # after the quit command; then the engine is killed
PATIENT = Deadlines(start_s=30, new_game_s=30, ping_s=30, quit_s=QUIT_S)  # long enough for a busy machine


@dataclass(frozen=True)
class MockProtocol:
    """A protocol with its mock engine and moves of that engine's game."""

    mock: str  # the engine's module in tests.mocks
    new_client: Callable[..., EngineClient]  # takes the command line and the settings of all clients
    setup: Setup
    first_move: str  # the engine's move in a new game
    search_command: str  # first word of the command that asks for a move
    last_answer_line: str  # last line of the answer with the first move, without an id
    opening: str  # a first move of the opponent
    reply: str  # the engine's answer to the opening
    bad_moves: tuple[str, ...]  # moves that the client refuses after the opening
    garbage: str  # part of a line that the mock prints for `garbage=1` and the client keeps as a message

    def make(self, *switches: str, **settings: Any) -> EngineClient:
        """Return a client of the mock engine with switches, its faults (tests/mocks/misbehaviour.py)."""
        defaults: dict[str, Any] = {"deadlines": PATIENT, "grace_ms": 30_000}
        return self.new_client(mock_command(self.mock, *switches), cwd=ROOT, **(defaults | settings))


def new_gomocup_client(command: str | list[str], **settings: Any) -> GomocupClient:
    return GomocupClient(command, parse_variant, **settings)


def new_gtp_client(command: str | list[str], **settings: Any) -> GtpClient:
    return GtpClient(command, TINY_HEX, **settings)


MOCK_PROTOCOLS = {
    "gomocup": MockProtocol(
        mock="gomocup_brain",
        new_client=new_gomocup_client,
        setup=Setup(15, 15, "freestyle"),
        first_move="a1",
        search_command="BEGIN",
        last_answer_line="0,0",
        opening="h8",
        reply="a1",
        bad_moves=("h8", "q1", "hello"),
        garbage="7;7",
    ),
    "gtp": MockProtocol(
        mock="gtp_engine",
        new_client=new_gtp_client,
        setup=Setup(3, 3, "swap"),
        first_move="a1",
        search_command="genmove",
        last_answer_line="a1",
        opening="b2",
        reply="a1",
        bad_moves=("", "d1", "b2", "a1\nquit"),
        garbage="VAR B b2 W a3",
    ),
    "uhp": MockProtocol(
        mock="uhp_engine",
        new_client=UhpClient,
        setup=Setup(variant="Base+M"),
        first_move="wS1",
        search_command="bestmove",
        last_answer_line="ok",
        opening="wS1",
        reply="bS1 -wS1",
        bad_moves=("", "h8", "wS1 bQ -", "wS1\nexit"),
        garbage="zzz",
    ),
}


def mock_command(mock: str, *switches: str) -> list[str]:
    """Return the command line of a mock engine."""
    return [sys.executable, "-S", "-m", f"tests.mocks.{mock}", *switches]


def is_alive(pid: int) -> bool:
    """Return whether a process runs and is not a zombie."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
