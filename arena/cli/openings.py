"""The `pentad openings` command: generates balanced openings, and tests these or the openings of a file in games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from arena.console import BoardSize, ExitCode, GameName, Rule, make_spinner, stderr_console, stdout_console
from arena.errors import CommandFailedError, UsageError
from arena.options.openings import DEFAULT_BOOK_TEST, BookTestOptions

if TYPE_CHECKING:
    from arena.terms.openings import OpeningBook
    from core.play.game import Game
    from core.play.player import Setup


def openings(
    game: GameName,
    count: Annotated[int | None, Parameter(help="Number of openings. Default: all of --book.")] = None,
    /,
    *,
    size: BoardSize = None,
    rule: Rule = None,
    moves: Annotated[
        int | None, Parameter(help="Length of an opening, plies. Default: depends on the game, 2 to 6.")
    ] = None,
    depth: Annotated[
        int | None,
        Parameter(
            help="Depth of the search that judges whether an opening is balanced, plies."
            " Default: depends on the game, 6 to 10."
        ),
    ] = None,
    seed: Annotated[int, Parameter(help="Seed of the random moves.")] = 1,
    options: BookTestOptions = DEFAULT_BOOK_TEST,
) -> int:
    """Print balanced openings, all different under the symmetries of the board; with --test only those that pass it.

    With --book the openings of a file are tested instead. The output has the format of an opening file.

    Example: pentad openings gomoku --book book.txt --test player=pentad --tc 0.2 --out runs/book > kept.txt
    """
    from arena.terms.arguments import choose_setup, find_game

    selected_game = find_game(game)
    moves = selected_game.opening_plies if moves is None else moves
    depth = selected_game.opening_depth if depth is None else depth
    if min(moves, depth, 1 if count is None else count) < 1:
        raise UsageError("COUNT, --moves and --depth must be 1 or more")
    if seed < 0:
        raise UsageError(f"--seed must be 0 or more, not {seed}")
    if options.book and not options.test:
        raise UsageError("--book is a file of openings to test: give --test ENGINE")
    setup = choose_setup(selected_game, size, rule)
    source = f"pentad openings {selected_game.name}{f' {count}' if count else ''}"
    source += f"{f' --size {setup.width}' if selected_game.default_setup.width else ''} --rule {setup.variant}"
    if options.book:
        book = _read_book(selected_game, setup, options, count)
        return _test_book(selected_game, setup, book, options, f"{source} --book {options.book}")
    if selected_game.make_openings is None:
        raise UsageError(f"this command cannot make openings for {selected_game.title}")
    if count is None:
        raise UsageError("COUNT, the number of openings to make, is missing")
    source += f" --moves {moves} --depth {depth} --seed {seed}"
    generated = islice(selected_game.make_openings(setup, moves, depth, seed), count)
    if options.test:
        from arena.tools.book_trial import make_book, read_started_book

        progress = _show_progress(generated, count, depth)
        book = read_started_book(options.out, source) or make_book(list(progress), source)
        return _test_book(selected_game, setup, book, options, source)
    print(f"# {source}", flush=True)
    found = 0
    for opening in _show_progress(generated, count, depth):
        print(selected_game.format_opening(opening, setup), flush=True)
        found += 1
    if found < count:
        raise CommandFailedError(f"there are only {found} such openings of {moves} moves, not {count}")
    return ExitCode.SUCCESS


def _show_progress(openings: Iterator[list[str]], count: int, depth: int) -> Iterator[list[str]]:
    """Yield the openings; meanwhile report on standard error that and for how long they are searched."""
    stderr_console().print(f"searching {count} openings to depth {depth}")
    spinner = make_spinner("searching an opening")
    while True:
        with spinner:
            opening = next(openings, None)
        if opening is None:
            return
        yield opening


def _read_book(game: Game, setup: Setup, options: BookTestOptions, count: int | None) -> OpeningBook:
    """Return the first `count` openings of the file --book, all of them if it is None."""
    from dataclasses import replace

    from arena.terms.arguments import choose_book

    book = choose_book(options.book, game, setup)
    return replace(book, lines=book.lines[:count])


def _test_book(game: Game, setup: Setup, book: OpeningBook, options: BookTestOptions, source: str) -> int:
    """Play the games of the test and print the openings that are kept.

    `source` is the command without the options of the test, for the comment in the first line.
    """
    from arena.run.display import LiveDisplay, print_result
    from arena.run.run_or_resume import run_or_resume
    from arena.tools.book_trial import configure_test, describe_test, format_test_options, write_kept_openings

    config = configure_test(game, setup, book, options)
    stderr_console().print(describe_test(config), markup=False, soft_wrap=True)
    with LiveDisplay(stderr_console(), config.planned) as display:
        result = run_or_resume(config, display, sys.argv)
    if not result.outcome.is_finished:
        print_result(stderr_console(), result)
        return result.exit_code
    kept = write_kept_openings(result.outcome.run, config, f"{source} {format_test_options(options)}", options.decided)
    stdout_console().print(kept, end="", markup=False, soft_wrap=True)
    return ExitCode.SUCCESS
