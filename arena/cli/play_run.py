"""Play the games of `pentad match` and `pentad resume`, and show their progress and result; `pentad watch`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.markup import escape

from arena.console import ExitCode, stderr_console, stdout_console
from arena.errors import CommandFailedError

if TYPE_CHECKING:
    from arena.run.config import MatchConfig, MatchResult, RunObserver


@dataclass(frozen=True)
class OutputOptions:
    """What `pentad match` and `pentad resume` print and show."""

    boards: bool = False
    verbose: bool = False
    quiet: bool = False
    json: bool = False
    live: bool | int = False  # port of the page of the run, True for any free port; False: no page
    public: bool = False  # whether everybody may read that page


DEFAULT_OUTPUT = OutputOptions()


def play_match(config: MatchConfig, output: OutputOptions = DEFAULT_OUTPUT) -> ExitCode:
    """Play a new match and return its exit code; warn if the openings are too few."""
    from arena.run.match import run_match

    shortage = _describe_shortage(config)
    if shortage and config.strict:
        raise CommandFailedError(f"--strict: {shortage}")
    if shortage and not output.quiet:
        stderr_console().print(f"[yellow]warning:[/] {shortage}")
    return show_run(config, output, lambda observer: run_match(config, observer, sys.argv))


def _describe_shortage(config: MatchConfig) -> str | None:
    from arena.terms.plan import describe_shortage

    game_count = config.rules.games_with_new_openings
    return None if config.swap2 else describe_shortage(game_count, len(config.book), config.book.distinct)


def print_plan(config: MatchConfig, *, shows_all: bool) -> None:
    """Print what a match would play; raise CommandFailedError if it would be refused before its first game.

    Engines are not started on the workers of a cluster.
    """
    from arena.options.dry_run import describe_plan
    from arena.run.match import check_starts

    shortage = _describe_shortage(config)
    if shortage and config.strict:
        raise CommandFailedError(f"--strict: {shortage}")
    if not config.scheduler:
        check_starts(config)
    for line in describe_plan(config, shows_all=shows_all):
        stdout_console().print(line, markup=False, soft_wrap=True)
    if shortage:
        stderr_console().print(f"[yellow]warning:[/] {shortage}")


def show_run(config: MatchConfig, output: OutputOptions, play: Callable[[RunObserver], MatchResult]) -> ExitCode:
    """Call `play` with an observer that shows its progress, print the result and return the exit code."""
    from arena.run.display import LiveDisplay, print_result
    from arena.run.script_output import (
        SilentObserver,
        format_result_line,
        print_problems,
        write_json_line,
        write_json_result,
    )

    on_line = write_json_line if output.json else lambda _: None
    out = stderr_console() if output.json else stdout_console(ignores_closed_pipe=True)
    with _serve_page(config, output):
        if output.quiet:
            result = play(SilentObserver(stderr_console(), on_line))
        else:
            symbols = config.game.symbols if output.boards else None
            with LiveDisplay(stderr_console(), config.planned, symbols=symbols, out=out, on_line=on_line) as display:
                result = play(display)
    if output.quiet:
        print_problems(stderr_console(), result)
    else:
        print_result(out, result, verbose=output.verbose)
    if output.json:
        write_json_result(result)
    elif output.quiet:
        out.print(format_result_line(result.outcome), markup=False, soft_wrap=True)
    return result.exit_code


def _serve_page(config: MatchConfig, output: OutputOptions) -> AbstractContextManager[None]:
    """Return a context that serves the page of a match and prints its address, or does nothing without --live."""
    if output.live is False:
        return nullcontext()
    from arena.web.live.launch import serve_in_background

    console = stderr_console()
    return serve_in_background(
        config.out,
        0 if output.live is True else output.live,
        is_public=output.public,
        announce=lambda address: console.print(_describe_page(address, public=output.public), soft_wrap=True),
        warn=lambda text: console.print(f"[yellow]warning:[/] {escape(text)}", soft_wrap=True),
    )


def _describe_page(address: str, *, public: bool) -> str:
    """Return a line with the address of the page of a run."""
    reach = ", and at the same port of every address of this machine" if public else ""
    return f"the run is shown at {address}{reach}"


def watch(
    directory: Annotated[Path, Parameter(help="Folder of the run.")],
    /,
    *,
    port: Annotated[int, Parameter(help="TCP port of the page; 0: any free port.")] = 0,
    public: Annotated[
        bool,
        Parameter(
            negative="",
            help="Let everybody who can reach this machine read the page. It has no paths, commands or messages.",
        ),
    ] = False,
    no_browser: Annotated[
        bool, Parameter(negative="", help="Print the address of the page without opening a browser.")
    ] = False,
) -> None:
    """Show a run on a page in the browser: while another process plays it, before it starts or after it ended.

    Ctrl-C ends the command. It only reads the folder of the run.

    Example: pentad watch runs/first
    """
    from arena.log.file import LOG_NAME
    from arena.web.live.launch import watch_run

    def show_address(address: str) -> None:
        waiting = "" if (directory / LOG_NAME).exists() else "; there is no log yet, so it waits for the run to begin"
        stderr_console().print(_describe_page(address, public=public) + " (Ctrl-C ends it)" + waiting, soft_wrap=True)

    watch_run(directory, port, is_public=public, browse=not no_browser, announce=show_address)
