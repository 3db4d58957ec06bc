"""The records that go into a run and come out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msgspec import field

from arena.console import ExitCode
from arena.engines.spec import EngineSpec
from arena.log.events import GameEnded, GameStarted
from arena.results.outcome import RunOutcome
from arena.results.run_statistics import RunStatistics
from arena.statistics.sprt import H0, SprtState
from arena.terms.openings import OpeningBook
from arena.terms.plan import OpeningDealer, Pair, list_pairings, plan_pairs
from arena.terms.settings import RunSettings
from core.play.game import Game, Position
from core.play.player import Player, Setup

USER_STOP = "interrupted"  # the reason for which a run stopped, as its log records it


class MatchConfig(RunSettings, frozen=True, kw_only=True):
    """A run that is to be played: its settings with the objects that they name."""

    game: Game
    setup: Setup
    engines: tuple[EngineSpec, ...]
    out: Path
    make_player: Callable[[EngineSpec], Player]  # starts the engine; may raise anything
    book: OpeningBook = field(default_factory=OpeningBook)
    scheduler: str = ""  # address of the cluster that plays, empty for this process

    @property
    def names(self) -> tuple[str, ...]:
        """The engines' names in their order."""
        return tuple(engine.name for engine in self.engines)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who plays whom, by index."""
        return list_pairings(len(self.engines), self.gauntlet)

    @property
    def planned(self) -> int:
        """Games in all."""
        return self.games * len(self.pairings)

    def plan(self) -> list[Pair]:
        """The pairs to be played."""
        images = len(self.game.symmetries((), self.setup)) if self.transform and self.game.symmetries else 1
        return plan_pairs(
            self.pairings, self.games, OpeningDealer(len(self.book), self.seed, self.order == "random", images)
        )

    def opening(self, pair: Pair) -> tuple[str, ...]:
        """The moves that the games of a pair begin with."""
        moves = self.book.moves(pair.opening)
        return (
            tuple(self.game.symmetries(moves, self.setup)[pair.image]) if pair.image and self.game.symmetries else moves
        )


@dataclass(frozen=True)
class MatchResult:
    """What was played. `stopped` says why a run ended early and is empty otherwise."""

    outcome: RunOutcome
    stopped: str
    directory: Path

    @property
    def statistics(self) -> RunStatistics:
        """How things stand at the end."""
        return self.outcome.statistics

    @property
    def exit_code(self) -> ExitCode:
        """Done only where nothing is left to play."""
        header, sprt_state = self.outcome.run.header, self.outcome.sprt_state
        if self.stopped == USER_STOP:
            return ExitCode.INTERRUPTED
        if self.stopped or not self.outcome.is_finished or (header.strict and self.outcome.warnings):
            return ExitCode.FAILURE
        return (
            ExitCode.H0_ACCEPTED if header.h0_fails and sprt_state and sprt_state.accepted == H0 else ExitCode.SUCCESS
        )


class RunObserver(Protocol):
    """Where a run shows what happens; called from several threads, one at a time."""

    def on_start(self, game: GameStarted) -> None:
        """A game begins."""

    def on_move(self, game: int, position: Position) -> None:
        """It is somebody's move in a game; the position may be read until this returns."""

    def on_game(self, game: GameEnded) -> None:
        """A game has ended."""

    def on_pair(self, statistics: RunStatistics, sprt_state: SprtState | None) -> None:
        """A pair is complete, and this is how things stand."""

    def tell(self, text: str) -> None:
        """Say something that no one should miss."""
