"""Write the files that are derived from the log of a run: game records, results, summary.json and crosstable.txt.

They depend only on the log, so that writing them again gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from arena.results import game_records as records
from arena.results.outcome import RunOutcome
from arena.results.pgn import format_pgn, list_played
from arena.results.round_tables import format_rounds
from arena.results.rounds import write_rounds
from arena.results.run_statistics import format_faults, list_game_warnings
from arena.results.summary import format_summary
from arena.results.tables import format_results, format_tables
from arena.statistics.sprt import format_sprt
from arena.terms.clock import describe_controls
from core.system.files import replace_text_file

SUMMARY_NAME, CROSSTABLE_NAME, PGN_NAME = "summary.json", "crosstable.txt", "results.pgn"
WARNING_PREFIX = "warning: "


def write_derived_files(
    directory: Path, formats: Sequence[str], outcome: RunOutcome, written_games: Collection[int] = ()
) -> None:
    """Write all files that are derived from the log, with game records in `formats` (keys of `game_records.FORMATS`).

    `written_games` has the numbers of games whose own records are up to date; those are not written again.
    """
    run = outcome.run
    for game in run.games:
        if game.number not in written_games:
            records.write_game(directory, formats, run.header, game)
    records.write_collections(directory, formats, run.header, run.games)
    records.write_results(directory, run.games)
    replace_text_file(directory / PGN_NAME, format_pgn(run.header, list_played(run.games)))
    write_rounds(directory, outcome.rounds)
    replace_text_file(directory / SUMMARY_NAME, format_summary(outcome))
    replace_text_file(directory / CROSSTABLE_NAME, format_full_report(outcome))


def format_full_report(outcome: RunOutcome) -> str:
    """Format all tables of a run, its SPRT, warnings about its result, the number of games and the time controls."""
    tables = format_tables(outcome.statistics, outcome.ratings)
    return _format_start(outcome) + tables + _format_end(outcome, outcome.warnings)


def format_short_report(outcome: RunOutcome) -> str:
    """Format the table of results, a line of faults if there are any, the SPRT, warnings and the number of games."""
    faults = format_faults(outcome.statistics)
    text = (
        _format_start(outcome)
        + format_results(outcome.statistics, outcome.ratings)
        + (f"faults: {faults}\n" if faults else "")
    )
    return text + _format_end(outcome, list_game_warnings(outcome.statistics))


def _format_start(outcome: RunOutcome) -> str:
    """Format the crosstable by rounds of a Swiss or the bracket of a knock-out."""
    return f"{format_rounds(outcome.rounds)}\n" if outcome.rounds else ""


def _format_end(outcome: RunOutcome, warnings: Iterable[str]) -> str:
    """Format the SPRT, the warnings, the number of games played and the time controls."""
    text = f"\n{format_sprt(outcome.sprt_state, ended=outcome.is_finished)}\n" if outcome.sprt_state else ""
    text += "".join(f"{WARNING_PREFIX}{warning}\n" for warning in warnings)
    statistics, header = outcome.statistics, outcome.run.header
    played = f"played {statistics.played} of {outcome.planned} games, {statistics.distinct} distinct"
    if statistics.split_share is not None:
        played += f", {statistics.split_share:.0%} of pairs split"
    time_controls = describe_controls(header.control, ((engine.name, engine.tc) for engine in header.engines))
    return f"{text}\n{played}; {time_controls}\n"
