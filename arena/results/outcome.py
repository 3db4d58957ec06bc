"""The result of a run, computed from its log: statistics, ratings, SPRT state and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from arena.formats.tournament import Tournament
from arena.log.file import Run
from arena.results.ratings import Ratings, estimate_ratings, list_rating_warnings
from arena.results.rounds import RoundsResult, describe_rounds
from arena.results.run_statistics import RunStatistics, compute_statistics, group_by_pair, list_warnings
from arena.statistics.sprt import SprtState, run_sprt
from arena.terms.anchors import Anchor


@dataclass(frozen=True)
class RunOutcome:
    """The result of a run, computed from the games of its complete pairs."""

    run: Run
    statistics: RunStatistics
    ratings: Ratings | None  # None for two engines without anchors, which have an Elo difference instead
    sprt_state: SprtState | None  # None without a sequential test (SPRT)
    warnings: tuple[str, ...]  # for the user, such as `2 void games count for nobody`
    tournament: Tournament | None = None  # None in formats without rounds
    rounds: RoundsResult | None = None  # likewise

    @property
    def planned(self) -> int:
        """Number of games of the whole run; 0 in old logs. In a knock-out it has the tie-breaks so far."""
        return self.tournament.planned if self.tournament else self.run.header.planned

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to play: all planned games have a result, or the SPRT has accepted a hypothesis."""
        if self.sprt_state and self.sprt_state.accepted:
            return True
        if self.tournament:
            return self.tournament.is_finished
        games, planned = self.run.games, self.run.header.planned
        return len(games) == planned and all(game.number == number for number, game in enumerate(games, 1))


def compute_outcome(run: Run) -> RunOutcome:
    """Compute the result of a run."""
    statistics, anchors = compute_statistics(run.names, run.games), run.header.anchor
    ratings = estimate_ratings(run.names, run.games, anchors) if len(run.names) > 2 or anchors else None
    warnings = list_warnings(statistics)
    if ratings and statistics.played:
        warnings += list_rating_warnings(ratings, anchors)
    tournament = run.replay_tournament()
    rounds = describe_rounds(tournament, run.names) if tournament else None
    return RunOutcome(run, statistics, ratings, _run_sprt_test(run), tuple(warnings), tournament, rounds)


def replace_anchors(run: Run, anchors: Sequence[Anchor]) -> Run:
    """Return the run with other anchors in its header."""
    return replace(run, header=structs.replace(run.header, anchor=tuple(anchors)))


def _run_sprt_test(run: Run) -> SprtState | None:
    """Return the state of the run's SPRT, which tests the first engine, or None if it has none."""
    if run.header.sprt is None:
        return None
    name, pairs = run.names[0], group_by_pair(run.games).items()
    scores = {number: (games[0].score(name), games[1].score(name)) for number, games in pairs if len(games) == 2}
    return run_sprt(run.header.sprt, scores)
