"""The pairs of games of a run in playing order: all at once, or in a Swiss or knock-out stage by stage.

A planner returns a batch of pairs. When all of them are complete, it returns the next batch, until the run is finished.
Batches depend only on the settings and on the results, so a resumed run has the same pairs as one without interruption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.formats.tournament import Stage, Tournament
from arena.log.events import GameEnded, RoundPaired
from arena.log.file import Run
from arena.log.validation import score_pair
from arena.run.config import MatchConfig
from arena.terms.plan import Pair, plan_pairs


@dataclass(frozen=True)
class Batch:
    """Pairs that may be played at the same time."""

    pairs: Sequence[Pair]
    paired: RoundPaired | None = None  # the round that the pairs belong to; None in formats without rounds
    is_new: bool = False  # whether `paired` is not in the log yet


class PairPlanner(Protocol):
    """Plans the pairs of a run. Only one thread at a time may use it."""

    @property
    def planned(self) -> int:
        """Number of games of the whole run, as far as it is known."""

    def add_pair(self, number: int, games: Sequence[GameEnded]) -> None:
        """Add the result of a complete pair."""

    def next_batch(self) -> Batch | None:
        """Return the next batch; None if pairs of the last one are missing, or if no batch follows."""


def make_planner(config: MatchConfig, previous: Run) -> PairPlanner:
    """Return the planner of a session; `previous` is the run as the log has it so far."""
    tournament = previous.replay_tournament()
    return _StaticPlanner(config, previous) if tournament is None else _RoundPlanner(config, previous, tournament)


class _StaticPlanner:
    """Plans a round robin or a gauntlet: a single batch."""

    def __init__(self, config: MatchConfig, previous: Run) -> None:
        self.planned = config.planned
        self._is_planned = False
        self._config = config
        self._complete_pairs = previous.complete_pairs

    def add_pair(self, number: int, games: Sequence[GameEnded]) -> None:
        """Do nothing: the plan does not depend on results."""

    def next_batch(self) -> Batch | None:
        """Return the pairs that the log does not have, the first time."""
        if self._is_planned:
            return None
        self._is_planned = True
        return Batch([pair for pair in self._config.plan() if pair.number not in self._complete_pairs])


class _RoundPlanner:
    """Plans a Swiss or a knock-out: a batch for each stage."""

    def __init__(self, config: MatchConfig, previous: Run, tournament: Tournament) -> None:
        self._config = config
        self._header = previous.header
        self._tournament = tournament
        self._complete_pairs = previous.complete_pairs
        # the stage that an earlier session began and did not finish
        self._begun = None if tournament.is_stage_complete else previous.rounds[-1]

    @property
    def planned(self) -> int:
        """Number of games of the whole run, with the tie-breaks so far."""
        return self._tournament.planned

    def add_pair(self, number: int, games: Sequence[GameEnded]) -> None:
        """Add the result of a complete pair of the current stage."""
        self._tournament.add_pair(number, score_pair(self._header, self._tournament, number, games))

    def next_batch(self) -> Batch | None:
        """Return the missing pairs of a stage that an earlier session began, else those of the next stage."""
        if self._begun:
            paired, self._begun = self._begun, None
            pairs = self._plan_stage(self._tournament.stages[-1])
            return Batch([pair for pair in pairs if pair.number not in self._complete_pairs], paired)
        stage = self._tournament.next_stage()
        if stage is None:
            return None
        self._tournament.add_stage(stage)
        return Batch(self._plan_stage(stage), self._describe(stage), is_new=True)

    def _plan_stage(self, stage: Stage) -> list[Pair]:
        """Return the pairs of the last stage of the tournament."""
        games = 2 if stage.tie_break else self._config.games
        return plan_pairs(
            stage.pairings,
            games,
            self._config.dealer,
            earlier_pairs=self._tournament.pair_count - len(stage.pairings) * games // 2,
            earlier_openings=self._tournament.first_opening(stage),
        )

    def _describe(self, stage: Stage) -> RoundPaired:
        """Return a stage as an event of the log, with names instead of indices."""
        names = self._config.names
        pairings = tuple((names[first], names[second]) for first, second in stage.pairings)
        return RoundPaired(stage.round, pairings, tuple(names[engine] for engine in stage.byes), stage.tie_break)
