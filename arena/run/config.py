"""Input and output of a run: its configuration, its result, and the interface of its display."""

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

USER_STOP = "interrupted"  # reason in the log of a run that the user stopped


class MatchConfig(RunSettings, frozen=True, kw_only=True):
    """Everything needed to play a run: its settings, game, engines and openings."""

    game: Game
    setup: Setup
    engines: tuple[EngineSpec, ...]
    out: Path
    make_player: Callable[[EngineSpec], Player]  # starts the engine; an engine in Python may raise any exception
    book: OpeningBook = field(default_factory=OpeningBook)
    scheduler: str = ""  # address of a dask scheduler; empty: this process plays

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the engines, in the order given on the command line."""
        return tuple(engine.name for engine in self.engines)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Pairs of engines that play each other, as indices into `engines`."""
        return list_pairings(len(self.engines), self.gauntlet)

    @property
    def planned(self) -> int:
        """Number of games of the whole run."""
        return self.games * len(self.pairings)

    def plan(self) -> list[Pair]:
        """Return all pairs of games of the run in playing order."""
        symmetries = len(self.game.symmetries((), self.setup)) if self.transform and self.game.symmetries else 1
        return plan_pairs(
            self.pairings, self.games, OpeningDealer(len(self.book), self.seed, self.order == "random", symmetries)
        )

    def opening(self, pair: Pair) -> tuple[str, ...]:
        """Return the opening moves of both games of a pair."""
        moves = self.book.moves(pair.opening)
        return (
            tuple(self.game.symmetries(moves, self.setup)[pair.symmetry])
            if pair.symmetry and self.game.symmetries
            else moves
        )


@dataclass(frozen=True)
class MatchResult:
    """The result of a run. `stopped` is the reason of an early end, empty if there was none."""

    outcome: RunOutcome
    stopped: str
    directory: Path

    @property
    def statistics(self) -> RunStatistics:
        """Statistics of all counted games."""
        return self.outcome.statistics

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of `pentad match`; success only if nothing is left to play."""
        header, sprt_state = self.outcome.run.header, self.outcome.sprt_state
        if self.stopped == USER_STOP:
            return ExitCode.INTERRUPTED
        if self.stopped or not self.outcome.is_finished or (header.strict and self.outcome.warnings):
            return ExitCode.FAILURE
        return (
            ExitCode.H0_ACCEPTED if header.h0_fails and sprt_state and sprt_state.accepted == H0 else ExitCode.SUCCESS
        )


class RunObserver(Protocol):
    """Receives the progress of a run. Several threads call it, but never at the same time."""

    def on_start(self, game: GameStarted) -> None:
        """Handle the start of a game."""

    def on_move(self, game: int, position: Position) -> None:
        """Handle a new position in a game. The runner reuses the position object: do not keep it."""

    def on_game(self, game: GameEnded) -> None:
        """Handle the end of a game."""

    def on_pair(self, statistics: RunStatistics, sprt_state: SprtState | None) -> None:
        """Handle the end of a pair; the arguments include its games."""

    def tell(self, text: str) -> None:
        """Show a message to the user."""
