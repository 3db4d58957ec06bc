"""Engines of known behaviour for the tests of the play page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from arena.engines.spec import EngineSpec
from arena.web.play.opponents import Opponent
from arena.web.play.server import make_app
from arena.web.play.state import NewGameTerms
from arena.web.play.table import PlayTable
from bots.gomoku.paper.player import RANDOM_OPTIONS, RandomPlayer
from core.play.game import Game
from core.play.options import OptionSet
from core.play.player import Player
from tests.waiting import wait_until

PORT, TOKEN = 8765, "a-token"
ORIGIN = f"http://127.0.0.1:{PORT}"


def open_page(table: PlayTable) -> TestClient:
    """What the page of a table can ask of its server."""
    return TestClient(make_app(table, PORT, TOKEN), base_url=f"{ORIGIN}/{TOKEN}", headers={"origin": ORIGIN})


Client = Callable[..., TestClient]


def state_of(page: TestClient) -> Any:
    return page.get("/api/state").json()


def wait_for(page: TestClient, is_wanted: Callable[[Any], bool]) -> Any:
    states: list[Any] = []

    def has_come() -> bool:
        states.append(state_of(page))
        return is_wanted(states[-1])

    wait_until(has_come)
    return states[-1]


def make_random() -> Player:
    """Any legal move of Gomoku."""
    return RandomPlayer(OptionSet(RANDOM_OPTIONS))


@dataclass(frozen=True)
class FakeOpponent(Opponent):
    """Starts what it is told; raises the failures that it was given first, one a start."""

    make: Callable[[], Player] = make_random
    failures: list[Exception] = field(default_factory=list)

    def start(self, game: Game, level: int | None) -> Player:  # noqa: ARG002
        if self.failures:
            raise self.failures.pop()
        return self.make()


def lay_table(game: Game, failures: list[Exception], make: Callable[[], Player] = make_random) -> PlayTable:
    """A table at which the person begins against an engine that fails so."""
    return PlayTable(game, [FakeOpponent("fake", "", EngineSpec("fake"), None, make, failures)], NewGameTerms("fake"))
