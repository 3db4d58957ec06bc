"""The records that go into a match and come out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Protocol

from arena.clock import TimeControl
from arena.engines import EngineSpec
from arena.log import GameEnded
from arena.openings import Book
from arena.plan import Pair, plan_match
from arena.standing import Standing
from core.game import Game
from core.player import Player, Setup

INTERRUPTED = "interrupted"


class Exit(IntEnum):
    """Exit codes of the `pentad` command."""

    DONE = 0
    FAULT = 1  # an engine stopped the run, or what was asked for failed
    USAGE = 2
    INTERRUPTED = 3


@dataclass(frozen=True)
class MatchConfig:
    """All that a match depends on. `start` makes the Player of an engine and may raise anything."""

    game: Game
    setup: Setup
    engines: tuple[EngineSpec, EngineSpec]
    games: int
    out: Path
    control: TimeControl
    seed: int
    start: Callable[[EngineSpec], Player]
    book: Book = field(default_factory=Book)
    shuffle: bool = True
    concurrency: int = 1
    restart: bool = False  # start the engines anew for each game, so that none remembers the last one
    max_faults: int = 2  # breakdowns of one engine in a row that stop the run; 0 never does

    @property
    def names(self) -> tuple[str, str]:
        """The engines' names in their order."""
        return self.engines[0].name, self.engines[1].name

    def plan(self) -> list[Pair]:
        """The pairs to be played."""
        return plan_match(self.games, len(self.book), self.seed, shuffle=self.shuffle)


@dataclass(frozen=True)
class MatchResult:
    """What was played. `stopped` says why a match ended early and is empty otherwise."""

    standing: Standing
    planned: int
    stopped: str
    directory: Path

    @property
    def exit_code(self) -> Exit:
        """Done only where every planned game was played."""
        if self.stopped == INTERRUPTED:
            return Exit.INTERRUPTED
        return Exit.FAULT if self.stopped or self.standing.played != self.planned else Exit.DONE


class Screen(Protocol):
    """Where a match shows what happens; called from several threads, one at a time."""

    def on_move(self, game: int, plies: int) -> None:
        """A move was made."""

    def on_game(self, game: GameEnded, standing: Standing) -> None:
        """A game has ended."""
