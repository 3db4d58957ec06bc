"""All files that derive from a run's log, always by the same way: at the end of a run and whenever it is asked for.

They hold nothing that is not in the log, so that they come out the same to the byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.log.file import Run, read_run
from arena.results import game_records as records
from arena.results.crosstable import format_results, format_tables
from arena.results.ratings import Ratings, rate
from arena.results.summary import format_summary
from arena.results.tally import (
    Standing,
    count_standing,
    describe_concerns,
    describe_doubts,
    describe_faults,
    group_pairs,
)
from arena.statistics.sprt import Course, describe_course, follow
from arena.terms.clock import describe_controls, restore_control
from core.system.files import replace_file

SUMMARY_NAME, TABLES_NAME = "summary.json", "crosstable.txt"
WARNING = "warning: "


@dataclass(frozen=True)
class RunOutcome:
    """What a run's log comes to."""

    run: Run
    standing: Standing
    ratings: Ratings | None  # where more than two engines play
    course: Course | None  # of the test, where there is one
    concerns: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play: the planned games count, and no others, or the test has its verdict."""
        if self.course and self.course.verdict:
            return True
        games, planned = self.run.games, self.run.header.planned
        return len(games) == planned and all(game.number == number for number, game in enumerate(games, 1))


def find_outcome(run: Run) -> RunOutcome:
    """What the games that count come to."""
    standing = count_standing(run.names, run.games)
    ratings = rate(run.names, run.games) if len(run.names) > 2 else None
    return RunOutcome(run, standing, ratings, _follow_test(run), tuple(describe_concerns(standing)))


def write_derived(directory: Path, formats: Sequence[str]) -> RunOutcome:
    """Write all files that derive from the log, games in their `formats`; raise LogError."""
    outcome = find_outcome(read_run(directory))
    run = outcome.run
    for game in run.games:
        records.write_game(directory, formats, run.header, game)
    records.write_collections(directory, formats, run.header, run.games)
    records.write_results(directory, run.games)
    replace_file(directory / SUMMARY_NAME, format_summary(outcome))
    replace_file(directory / TABLES_NAME, format_outcome(outcome))
    return outcome


def format_outcome(outcome: RunOutcome) -> str:
    """The tables of a run, its test and what speaks against its result, as text."""
    return format_tables(outcome.standing, outcome.ratings) + _format_end(outcome, outcome.concerns)


def format_result(outcome: RunOutcome) -> str:
    """The result alone: who has won how much, one line of faults where there are any, and what speaks against it."""
    faults = describe_faults(outcome.standing)
    text = format_results(outcome.standing, outcome.ratings) + (f"faults: {faults}\n" if faults else "")
    return text + _format_end(outcome, describe_doubts(outcome.standing))


def _format_end(outcome: RunOutcome, concerns: Iterable[str]) -> str:
    """The test, concerns, what was played and on which terms."""
    text = f"\n{describe_course(outcome.course, ended=outcome.complete)}\n" if outcome.course else ""
    text += "".join(f"{WARNING}{concern}\n" for concern in concerns)
    standing, header = outcome.standing, outcome.run.header
    played = f"played {standing.played} of {header.planned} games, {standing.distinct} distinct"
    if standing.split_share is not None:
        played += f", {standing.split_share:.0%} of pairs split"
    terms = describe_controls(restore_control(header.control), ((engine.name, engine.tc) for engine in header.engines))
    return f"{text}\n{played}; {terms}\n"


def _follow_test(run: Run) -> Course | None:
    if run.header.sprt is None:
        return None
    name = run.names[0]
    pairs = {number: games for number, games in group_pairs(run.games).items() if len(games) == 2}
    return follow(
        run.header.sprt, {number: (games[0].score(name), games[1].score(name)) for number, games in pairs.items()}
    )
