"""Engines of known behaviour for the tests of the play page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from arena.engines import EngineSpec
from arena.web.opponents import Opponent
from arena.web.play_table import PlayTable, Terms
from bots.gomoku.paper_player import RANDOM_OPTIONS, Random
from core.game import Game
from core.options import OptionSet
from core.player import Player


def make_random() -> Player:
    """Any legal move of Gomoku."""
    return Random(OptionSet(RANDOM_OPTIONS))


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
    return PlayTable(game, [FakeOpponent("fake", "", EngineSpec("fake"), None, make, failures)], Terms("fake"))
