"""Configuration and result of a run, and the interface through which a run shows its progress.

`pentad match` and the other commands that play games create a MatchConfig; arena/run/match.py plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msgspec import field

from arena.console import ExitCode
from arena.engines.spec import EngineSpec
from arena.errors import format_resume_command
from arena.formats.rules import TournamentRules, find_rules
from arena.log.events import GameEnded, GameStarted, MoveEntry, RoundPaired
from arena.results.outcome import RunOutcome
from arena.results.run_statistics import RunStatistics
from arena.statistics.sprt import H0, SprtState
from arena.terms.openings import OpeningBook
from arena.terms.plan import OpeningDealer, Pair, plan_pairs
from arena.terms.settings import RunSettings
from core.play.game import Game, Position
from core.play.player import Player, Setup

USER_STOP = "interrupted"  # the reason of an early end if the user stopped the run


class MatchConfig(RunSettings, frozen=True, kw_only=True):
    """Everything needed to play a run: its settings, game, engines and openings."""

    game: Game
    setup: Setup
    engines: tuple[EngineSpec, ...]
    out: Path  # folder of the run
    make_player: Callable[[EngineSpec], Player]  # the code of a Python player may raise any exception
    book: OpeningBook = field(default_factory=OpeningBook)
    scheduler: str = ""  # address of a dask scheduler; empty: the games are played on this machine

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the engines, in the order given on the command line."""
        return tuple(engine.name for engine in self.engines)

    @property
    def rules(self) -> TournamentRules:
        """The format of the tournament and its numbers; raise ValueError if the settings contradict each other."""
        return find_rules(self, len(self.engines))

    @property
    def planned(self) -> int:
        """Number of games of the whole run, without the tie-breaks of a knock-out."""
        return self.rules.planned

    @property
    def dealer(self) -> OpeningDealer:
        """The openings of the pairs."""
        symmetries = len(self.game.symmetries((), self.setup)) if self.transform and self.game.symmetries else 1
        return OpeningDealer(len(self.book), self.seed, self.order == "random", symmetries)

    def plan(self) -> list[Pair]:
        """Return all pairs of games of a round robin or gauntlet in playing order."""
        assert not self.rules.is_by_rounds
        return plan_pairs(self.rules.pairings, self.games, self.dealer)

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
    """The result of a run."""

    outcome: RunOutcome
    stopped: str  # reason of an early end, empty if there was none
    directory: Path  # folder of the run

    @property
    def statistics(self) -> RunStatistics:
        """Statistics of the games of complete pairs."""
        return self.outcome.statistics

    @property
    def exit_code(self) -> ExitCode:
        """Exit code of `pentad match`; SUCCESS only if all games are played or the SPRT is decided."""
        header, sprt_state = self.outcome.run.header, self.outcome.sprt_state
        if self.stopped == USER_STOP:
            return ExitCode.INTERRUPTED
        if self.stopped or not self.outcome.is_finished or (header.strict and self.outcome.warnings):
            return ExitCode.FAILURE
        return (
            ExitCode.H0_ACCEPTED if header.h0_fails and sprt_state and sprt_state.accepted == H0 else ExitCode.SUCCESS
        )


def describe_forced_resumption(directory: Path) -> str:
    """Return advice for a run with an engine that cannot start when the run is resumed."""
    command = format_resume_command(directory)
    return f"`{command} --force` plays on without it: an engine that cannot start loses its games"


class RunObserver(Protocol):
    """Receives the progress of a run, such as LiveDisplay.

    Several threads call the `on_...` methods, but never at the same time. `show_message` may be called meanwhile.
    """

    def on_round(self, paired: RoundPaired, planned: int) -> None:
        """Handle the start of a round of a Swiss or knock-out, of further games in it, or of a session within it.

        `planned` is the number of games of the whole run, as far as it is known.
        """

    def on_start(self, game: GameStarted) -> None:
        """Handle the start of a game."""

    def on_move(self, game: int, position: Position, entries: Sequence[MoveEntry]) -> None:
        """Handle the position before a move of the game with this number.

        `entries` has the moves after the opening so far, with the engines' search info. Position and entries change
        later: copy what is needed.
        """

    def on_game(self, game: GameEnded) -> None:
        """Handle the end of a game."""

    def on_pair(self, statistics: RunStatistics, sprt_state: SprtState | None) -> None:
        """Handle the end of a pair, or the start of a session. The arguments cover all complete pairs.

        `sprt_state` is None without --sprt.
        """

    def on_line(self, line: bytes) -> None:
        """Handle a line that was written to the log, an event as JSON with its line feed."""

    def show_message(self, text: str) -> None:
        """Show a message to the user."""
