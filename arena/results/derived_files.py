"""All files that derive from a run's log, always by the same way: at the end of a run and whenever it is asked for.

They hold nothing that is not in the log, so that they come out the same to the byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.log.file import Run
from arena.results import game_records as records
from arena.results.crosstable import format_results, format_tables
from arena.results.ratings import Ratings, estimate_ratings
from arena.results.run_statistics import (
    RunStatistics,
    compute_statistics,
    describe_doubts,
    format_faults,
    group_by_pair,
    list_warnings,
)
from arena.results.summary import format_summary
from arena.statistics.sprt import SprtState, follow, format_sprt
from arena.terms.clock import describe_controls
from core.system.files import replace_text_file

SUMMARY_NAME, CROSSTABLE_NAME = "summary.json", "crosstable.txt"
WARNING_PREFIX = "warning: "


@dataclass(frozen=True)
class RunOutcome:
    """What a run's log comes to."""

    run: Run
    statistics: RunStatistics
    ratings: Ratings | None  # where more than two engines play
    sprt_state: SprtState | None  # of the test, where there is one
    warnings: tuple[str, ...]

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to play: the planned games count, and no others, or the test has its verdict."""
        if self.sprt_state and self.sprt_state.accepted:
            return True
        games, planned = self.run.games, self.run.header.planned
        return len(games) == planned and all(game.number == number for number, game in enumerate(games, 1))


def compute_outcome(run: Run) -> RunOutcome:
    """What the games that count come to."""
    statistics = compute_statistics(run.names, run.games)
    ratings = estimate_ratings(run.names, run.games) if len(run.names) > 2 else None
    return RunOutcome(run, statistics, ratings, _follow_test(run), tuple(list_warnings(statistics)))


def write_derived_files(
    directory: Path, formats: Sequence[str], outcome: RunOutcome, written: Collection[int] = ()
) -> None:
    """Write all files that derive from the log, game records in their `formats`.

    The records of the games whose numbers are in `written` are up to date and are left as they are.
    """
    run = outcome.run
    for game in run.games:
        if game.number not in written:
            records.write_game(directory, formats, run.header, game)
    records.write_collections(directory, formats, run.header, run.games)
    records.write_results(directory, run.games)
    replace_text_file(directory / SUMMARY_NAME, format_summary(outcome))
    replace_text_file(directory / CROSSTABLE_NAME, format_full_report(outcome))


def format_full_report(outcome: RunOutcome) -> str:
    """The tables of a run, its test and what speaks against its result, as text."""
    return format_tables(outcome.statistics, outcome.ratings) + _format_end(outcome, outcome.warnings)


def format_short_report(outcome: RunOutcome) -> str:
    """The result alone: who has won how much, one line of faults where there are any, and what speaks against it."""
    faults = format_faults(outcome.statistics)
    text = format_results(outcome.statistics, outcome.ratings) + (f"faults: {faults}\n" if faults else "")
    return text + _format_end(outcome, describe_doubts(outcome.statistics))


def _format_end(outcome: RunOutcome, warnings: Iterable[str]) -> str:
    """The test, concerns, what was played and on which terms."""
    text = f"\n{format_sprt(outcome.sprt_state, ended=outcome.is_finished)}\n" if outcome.sprt_state else ""
    text += "".join(f"{WARNING_PREFIX}{concern}\n" for concern in warnings)
    statistics, header = outcome.statistics, outcome.run.header
    played = f"played {statistics.played} of {header.planned} games, {statistics.distinct} distinct"
    if statistics.split_share is not None:
        played += f", {statistics.split_share:.0%} of pairs split"
    terms = describe_controls(header.control, ((engine.name, engine.tc) for engine in header.engines))
    return f"{text}\n{played}; {terms}\n"


def _follow_test(run: Run) -> SprtState | None:
    if run.header.sprt is None:
        return None
    name = run.names[0]
    pairs = {number: games for number, games in group_by_pair(run.games).items() if len(games) == 2}
    return follow(
        run.header.sprt, {number: (games[0].score(name), games[1].score(name)) for number, games in pairs.items()}
    )
