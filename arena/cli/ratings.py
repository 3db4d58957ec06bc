"""The `pentad ratings` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from arena.console import stderr_console, stdout_console
from arena.errors import UsageError
from arena.terms.anchors import Anchors


def ratings(
    *directories: Annotated[Path, Parameter(help="Folders of runs.", negative="")],
    anchor: Annotated[
        Anchors,
        Parameter(
            help="NAME:RATING of a program whose rating is fixed, once per anchor. Without anchors the mean is 0."
        ),
    ] = (),
    min_games: Annotated[
        int,
        Parameter(help="Show only programs with at least this number of games; the games of the others count, too."),
    ] = 0,
    merge_names: Annotated[
        bool, Parameter(negative="", help="Rate all programs with the same name as one, whatever else differs.")
    ] = False,
    csv: Annotated[Path | None, Parameter(help="Also write the list as CSV into this file.")] = None,
    json: Annotated[bool, Parameter(negative="", help="Print the list as JSON.")] = False,
    pgn: Annotated[
        Path | None, Parameter(help="Also write all games as PGN headers for BayesElo and Ordo into this file.")
    ] = None,
) -> None:
    """Print a rating list of the games of many runs, one for each game, variant and board.

    A program is one entry if its name, hash (or version of Pentad), arguments, options and time control are the same in
    all runs. Else it is an entry for each difference, and a warning names them.

    Example: pentad ratings runs/* --anchor Rapfi:2300 --min-games 50
    """
    from arena.rating_list.merge import make_rating_lists, read_results
    from arena.rating_list.output import format_csv, format_json, format_list_pgn, format_lists
    from arena.results.derived_files import WARNING_PREFIX
    from core.system.files import replace_text_file

    _check_arguments(directories, min_games)
    lists = make_rating_lists(read_results(directories), anchor, merge_names=merge_names)
    if pgn and len(lists) > 1:
        rules = "; ".join(str(rating_list.rules) for rating_list in lists)
        raise UsageError(f"--pgn needs runs of the same game, variant and board, not: {rules}")
    for warning in (warning for rating_list in lists for warning in rating_list.warnings):
        stderr_console().print(f"{WARNING_PREFIX}{warning}", style="yellow", markup=False, soft_wrap=True)
    text = (format_json if json else format_lists)(lists, min_games)
    stdout_console().print(text, markup=False, soft_wrap=True, end="")
    if csv:
        replace_text_file(csv, format_csv(lists, min_games))
    if pgn:
        replace_text_file(pgn, "".join(map(format_list_pgn, lists)))


def _check_arguments(directories: tuple[Path, ...], min_games: int) -> None:
    from arena.log.file import LOG_NAME

    if not directories:
        raise UsageError("give at least one folder of a run")
    if min_games < 0:
        raise UsageError(f"--min-games must be 0 or more, not {min_games}")
    for directory in directories:
        if not (directory / LOG_NAME).is_file():
            raise UsageError(f"there is no run in {directory}: no {LOG_NAME}")
