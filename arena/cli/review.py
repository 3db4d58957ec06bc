"""The `pentad review` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.console import ExitCode, stderr_console, stdout_console
from arena.errors import CommandFailedError, UsageError
from arena.options.review import DEFAULTS, ReviewOptions, check_options, make_plan, make_reading_options
from core.play.player import Setup

if TYPE_CHECKING:
    from arena.log.file import Run
    from arena.review.run import ReviewPlan, Source
    from core.play.game import Game


def review(
    *files: Annotated[
        Path,
        Parameter(
            allow_leading_hyphen=True, json_list=False, help="Game records, folders of runs, or - for standard input."
        ),
    ],
    options: ReviewOptions = DEFAULTS,
) -> int:
    """Judge every move of games: what each move lost, and what should have been played instead.

    Reads .psq, .sgf (Gomoku, Hex, Hive), GameStrings, our own records and plain moves. Writes review.html, review.json,
    review.csv and the annotated game into a folder. Ctrl-C keeps what is done; the same command continues.

    Example: pentad review game.sgf --time 2
    """
    from arena.review.run import STANDARD_INPUT, list_sources, name_of
    from arena.web.review.page import write_page

    if not files:
        raise UsageError("give at least one FILE, or - for standard input")
    for path in files:
        if str(path).startswith("--"):
            raise UsageError(f"Unknown option: {path}")
    check_options(options)
    if files.count(STANDARD_INPUT) > 1:
        raise UsageError("- can be given once: standard input is read to its end")
    reading, number = make_reading_options(options)
    sources = list_sources(files, reading, number)
    out = options.out or Path(f"review-{name_of(files[0])}")
    return _review_all(sources, make_plan(options, write_page), out)


def _review_all(sources: list[Source], plan: ReviewPlan, out: Path) -> int:
    from arena.review.display import ReviewDisplay, print_review
    from arena.review.files import PAGE_NAME
    from arena.review.run import INDEX_NAME, ReviewResult, review_source, write_index

    results: list[ReviewResult] = []
    is_single = len(sources) == 1
    console, errors = stdout_console(), stderr_console()
    with ReviewDisplay(errors, len(sources)) as display:
        for index, source in enumerate(sources, 1):
            directory = out if is_single else out / source.folder
            result = ReviewResult(source)
            if source.stored is None:
                result.problems.append(source.problem)
            else:
                display.begin(index, source.title)
                try:
                    result = review_source(source, plan, directory, display.on_position)
                except CommandFailedError as error:
                    result.problems.append(str(error))
                except BaseException:
                    if not is_single and any(done.review for done in results):
                        write_index(out, results)
                    raise
            results.append(result)
            if result.review is not None and source.stored is not None:
                print_review(console, source.title, source.stored, result.review)
            for problem in result.problems:
                errors.print(f"pentad: {source.title}: {problem}", style="red", markup=False, soft_wrap=True)
            if not is_single and any(done.review for done in results):
                write_index(out, results)
    if any(result.review for result in results):
        page = out / (PAGE_NAME if is_single else INDEX_NAME)
        console.print(f"review to look at: {page}", markup=False, soft_wrap=True)
    return ExitCode.FAILURE if any(result.problems for result in results) else ExitCode.SUCCESS


def review_games_of_run(directory: Path, run: Run, game: Game, count: int) -> None:
    """Review the games of a match with the greatest swing, into the folder of the run."""
    from arena.options.review import make_plan
    from arena.review.display import ReviewDisplay
    from arena.review.run import Source, from_log, review_source
    from arena.review.run_games import find_greatest_swings, name_review
    from arena.web.review.page import write_page

    header = run.header
    setup = Setup(header.width, header.height, header.variant, header.position)
    chosen = find_greatest_swings(game, setup, run.games, count)
    with ReviewDisplay(stderr_console(), len(chosen)) as display:
        for index, ended in enumerate(chosen, 1):
            folder = (directory / name_review(ended.number)).parent
            source = Source(f"game {ended.number}", folder.name, from_log(header, ended))
            display.begin(index, source.title)
            review_source(source, make_plan(DEFAULTS, write_page), folder, display.on_position)
