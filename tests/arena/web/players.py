"""Engines of known behaviour for the tests of the play page."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arena.engines import EngineSpec
from arena.web.opponents import Opponent
from arena.web.play_table import PlayTable, Terms
from core.game import Game, Position
from core.options import OptionSet
from core.player import Decision, Limits, Player, Report, Setup, ignore_progress


class ChancePlayer(Player):
    """Any legal move."""

    def __init__(self, options: OptionSet, game: Game) -> None:
        self.options = options
        self._game = game
        self.position: Position = game.new_position(game.default_setup)

    def new_game(self, setup: Setup) -> None:
        self.position = self._game.new_position(setup)

    def set_moves(self, moves: Sequence[str]) -> None:
        self.new_game(self.position.setup)
        for move in moves:
            self.position.play(move)

    def play(self, move: str) -> None:
        self.position.play(move)

    def undo(self) -> None:
        self.position.undo()

    def choose(self, limits: Limits, report: Report = ignore_progress) -> Decision:  # noqa: ARG002
        return Decision(random.choice(self.position.legal_moves()))

    def stop(self) -> None:
        return


@dataclass(frozen=True)
class FakeOpponent(Opponent):
    """Starts what it is told; raises the failures that it was given first, one a start."""

    make: Callable[[], Player] | None = None
    failures: list[Exception] = field(default_factory=list)

    def start(self, game: Game, level: int | None) -> Player:  # noqa: ARG002
        if self.failures:
            raise self.failures.pop()
        assert self.make
        return self.make()


def broken_opponent(game: Game, failures: list[Exception], make: Callable[[], Player] | None = None) -> PlayTable:
    """A table at which the person begins against an engine that fails so."""
    default: Callable[[], Player] = lambda: ChancePlayer(OptionSet(()), game)  # noqa: E731
    opponent = FakeOpponent("fake", "", EngineSpec("fake"), None, make or default, failures)
    return PlayTable(game, [opponent], Terms("fake"))
