"""Helpers for tests of the play page: an HTTP client for its server, and opponents whose start fails on request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from arena.engines.spec import EngineSpec
from arena.web.play.opponents import Opponent
from arena.web.play.server import make_app
from arena.web.play.session import PlaySession
from arena.web.play.state import NewGameSettings
from bots.gomoku.paper.player import RANDOM_OPTIONS, RandomPlayer
from core.play.game import Game
from core.play.options import OptionSet
from core.play.player import Player
from tests.waiting import wait_until

PORT, TOKEN = 8765, "a-token"
ORIGIN = f"http://127.0.0.1:{PORT}"


def open_page(session: PlaySession) -> TestClient:
    """Return a client that may use the server of a session as its page does."""
    return TestClient(make_app(session, PORT, TOKEN), base_url=f"{ORIGIN}/{TOKEN}", headers={"origin": ORIGIN})


Client = Callable[..., TestClient]  # type of the fixture `client`


def state_of(page: TestClient) -> Any:
    """Return the state that the server sends to its page, as a dictionary."""
    return page.get("/api/state").json()


def wait_for(page: TestClient, condition: Callable[[Any], bool]) -> Any:
    """Return the first state that meets a condition; fail if none does in time."""
    states: list[Any] = []

    def last_state_matches() -> bool:
        states.append(state_of(page))
        return bool(condition(states[-1]))

    wait_until(last_state_matches)
    return states[-1]


def make_random() -> Player:
    """Return a player that chooses a random legal move of Gomoku."""
    return RandomPlayer(OptionSet(RANDOM_OPTIONS))


@dataclass(frozen=True)
class FakeOpponent(Opponent):
    """An opponent that raises one of `failures` per start while there are any, and then starts the player of `make`."""

    make: Callable[[], Player] = make_random
    failures: list[Exception] = field(default_factory=list)

    def start(self, game: Game, level: int | None) -> Player:  # noqa: ARG002
        if self.failures:
            raise self.failures.pop()
        return self.make()


def make_fake_session(game: Game, failures: list[Exception], make: Callable[[], Player] = make_random) -> PlaySession:
    """Return a session in which the person moves first and plays against a `FakeOpponent`."""
    opponent = FakeOpponent("fake", "", EngineSpec("fake"), None, make, failures)
    return PlaySession(game, [opponent], NewGameSettings("fake"))
