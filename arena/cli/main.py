"""The `pentad` command: defines its subcommands and their options. Other modules of `arena` do the work.

Imports that take long are inside the subcommands, so that help and usage errors appear at once.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

from cyclopts import App, CycloptsError, Parameter
from msgspec import structs

from arena.cli.check import check
from arena.cli.completion import make_completion_command
from arena.cli.confirmation import confirm_commands
from arena.cli.kolibrat import kolibrat
from arena.cli.openings import openings
from arena.cli.play_run import OutputOptions, play_match, print_plan, show_run, watch
from arena.cli.ratings import ratings
from arena.cli.review import review
from arena.cli.tools import bench, build, convert, demo, perft
from arena.cli.tune import report_tuning, resume_tuning_command, tune
from arena.console import (
    ExitCode,
    GameName,
    flush_output,
    prepare_streams,
    print_error,
    stderr_console,
    stdout_console,
)
from arena.errors import CommandFailedError, UsageError, format_os_error
from arena.options.match import MatchOptions
from arena.options.play import DEFAULT_PLAY_OPTIONS, PlayOptions
from arena.options.tournament_file import check_whole_numbers, complete_arguments
from arena.terms.anchors import Anchors, check_anchor_names
from core.native.aot import KernelError
from core.system.ownership import UnsafeFileError
from core.system.streams import discard_output
from core.version import VERSION
from protocols.driving.orphans import adopt_orphans

if TYPE_CHECKING:
    from arena.log.file import Run
    from arena.results.outcome import RunOutcome

DEFAULT_MATCH_OPTIONS = MatchOptions()
GOMOCUP_TABLE_NAME = "gomocup.csv"


app = App(
    name="pentad",
    help="Play matches between board-game engines: our five bots and any program of the same protocols.",
    version=VERSION,
    config=check_whole_numbers,
    result_action="return_value",
    suppress_keyboard_interrupt=False,  # `run` handles it
    default_parameter=Parameter(json_dict=False, json_list=False),  # a file may be called [2024] game.sgf
)
app.command(make_completion_command(app), name="--install-completion")
for command in (bench, build, check, convert, demo, kolibrat, openings, perft, ratings, review, tune, watch):
    app.command(command)
app.command(  # loaded when it is used, because its list of studies takes long to import
    "arena.cli.study:study", name="study", help="Repeat experiments of published papers, one command per experiment."
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with an `ExitCode`."""
    for name in ("SIGTERM", "SIGHUP"):  # a terminal that is closed sends SIGHUP; Windows does not have it
        signum = getattr(signal, name, None)
        if signum is not None and signal.getsignal(signum) is not signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(signum, _terminate)  # so that a run ends its engines and writes its results
    prepare_streams()
    code = run(sys.argv[1:] if arguments is None else arguments)
    flush_output()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. Errors that a user can cause are reported without a traceback.

    On Linux, programs that the command has started, and their descendants, are killed when it ends.
    """
    try:
        with adopt_orphans():
            result = app(list(arguments), exit_on_error=False, print_error=False)
        return result if isinstance(result, int) else ExitCode.SUCCESS
    except (CycloptsError, UsageError) as error:
        return print_error(error, ExitCode.USAGE_ERROR)
    except (CommandFailedError, KernelError, UnsafeFileError, MemoryError) as error:
        return print_error(error, ExitCode.FAILURE)
    except BrokenPipeError:
        discard_output(sys.stdout)
        return print_error("standard output is closed", ExitCode.FAILURE)
    except OSError as error:
        return print_error(format_os_error(error), ExitCode.FAILURE)
    except KeyboardInterrupt:
        return print_error("interrupted", ExitCode.INTERRUPTED)


@app.command(config=complete_arguments)
def match(
    file: Annotated[
        Path | None, Parameter(help="Tournament file (TOML); its keys are the options below, without --.")
    ] = None,
    /,
    *,
    options: MatchOptions = DEFAULT_MATCH_OPTIONS,
) -> int:
    """Play a match of two engines, or a tournament of more. Report score, Elo with error, faults and times.

    Example: pentad match --engine cmd=./brain,name=A --engine player=greedy --games 20 --tc 1 --openings FILE
    """
    from arena.options.match import configure_match, describe_match

    del file  # complete_arguments has read it
    config = configure_match(options)
    if options.dry_run:
        print_plan(config, shows_all=options.verbose)
        return ExitCode.SUCCESS
    output = OutputOptions(options.boards, options.verbose, options.quiet, options.json, options.live, options.public)
    if not output.quiet:
        stderr_console().print(describe_match(config), markup=False, soft_wrap=True)
    return play_match(config, output)


@app.command
def resume(
    directory: Annotated[Path, Parameter(help="Folder of the run.")],
    /,
    *,
    force: Annotated[
        bool,
        Parameter(
            negative="",
            help="Continue even if an engine has changed since the run began, or cannot start and so loses its games.",
        ),
    ] = False,
    yes: Annotated[
        bool,
        Parameter(
            negative="",
            help="Run the engine commands in the log without asking, even if you did not begin the run here.",
        ),
    ] = False,
    boards: Annotated[bool, Parameter(negative="", help="Show the boards of the running games.")] = False,
    scheduler: Annotated[
        str, Parameter(help="Address of the Dask scheduler that plays the games, as in `pentad match`.")
    ] = "",
    verbose: Annotated[
        bool, Parameter(negative="", help="Print all tables at the end instead of only the result.")
    ] = False,
    quiet: Annotated[
        bool, Parameter(negative="", help="Print the result in one line, and nothing else but errors.")
    ] = False,
    json: Annotated[
        bool,
        Parameter(negative="", help="Print each event and the result as lines of JSON, as in `pentad match --json`."),
    ] = False,
    recover: Annotated[
        bool, Parameter(negative="", help="Do not stop the run when an engine fails repeatedly.")
    ] = False,
    live: Annotated[
        bool | int,
        Parameter(
            negative="", help="Show the run on a page in the browser while it is played: --live, or --live PORT."
        ),
    ] = False,
    public: Annotated[
        bool, Parameter(negative="", help="Let everybody who can reach this machine read the page of --live.")
    ] = False,
) -> int:
    """Continue an interrupted run with the settings in its log. Incomplete pairs of games are played again.

    This runs the engine commands in the log. If you did not begin the run on this machine, you are asked first.

    Example: pentad resume runs/first
    """
    from arena.log.replay import replay_games
    from arena.options.match import check_boards, check_live, check_quiet
    from arena.run.config import describe_forced_resumption
    from arena.run.match import resume_match
    from arena.run.provenance import describe_resumption
    from arena.run.resume import check_engines, check_unchanged, restore_config
    from arena.tune.log import is_tuning

    check_boards(boards=boards, scheduler=scheduler)
    check_quiet(quiet=quiet, boards=boards, verbose=verbose)
    if is_tuning(directory):
        options = {"--boards": boards, "--scheduler": scheduler, "--verbose": verbose, "--recover": recover}
        options |= {"--quiet": quiet, "--json": json, "--live": live is not False, "--public": public}
        for option in (name for name, value in options.items() if value):
            raise UsageError(f"{directory} holds a tuning: leave {option} out")
        return resume_tuning_command(directory, force=force, yes=yes)
    check_live(live, public=public)
    run = _find_run(directory)
    replay_games(directory, run)  # for its errors: raises LogError if a game in the log breaks the rules
    config = structs.replace(restore_config(directory, run.header), scheduler=scheduler)
    if recover:
        config = structs.replace(config, max_faults=0)
    if not yes:
        confirm_commands(config, run.header_hash)
    if not force:
        check_unchanged(config, run.header)
    check_engines(config, forced=force, advice=describe_forced_resumption(directory))
    if not quiet:
        tournament = run.replay_tournament()
        planned = tournament.planned if tournament else config.planned
        stderr_console().print(f"{len(run.games)} of {planned} games are already played", markup=False)
    resumption = describe_resumption(config, forced=force)
    output = OutputOptions(boards, verbose, quiet, json, live, public)
    return show_run(config, output, lambda observer: resume_match(config, observer, resumption))


@app.command
def report(
    directory: Annotated[Path, Parameter(help="Folder of the run.")],
    /,
    *,
    html: Annotated[
        bool, Parameter(negative="", help="Also write report.html, a page that replays every game.")
    ] = False,
    review: Annotated[
        int, Parameter(help="With --html: review the N games with the greatest swing, one second per position.")
    ] = 0,
    anchor: Annotated[
        Anchors, Parameter(help="NAME:RATING of an engine whose rating is fixed, instead of the anchors of the run.")
    ] = (),
    table: Annotated[
        Literal["gomocup"] | None,
        Parameter(help="Print the crosstable in the form of Gomocup's result pages instead, and write it as CSV."),
    ] = None,
) -> None:
    """Write the files of a run again from its log: game records, tables of results, summary.json and results.pgn.

    results.pgn has the results as PGN headers, which BayesElo and Ordo read.

    Of a tuning these are tuned.txt, tuned.toml, tuned.json, history.csv and tuned.png.

    Example: pentad report runs/first --html
    """
    from arena.log.replay import replay_games
    from arena.results.derived_files import write_derived_files
    from arena.results.outcome import compute_outcome, replace_anchors
    from arena.run.display import print_outcome
    from arena.tune.log import is_tuning

    if review < 0:
        raise UsageError(f"--review must be 0 or more, not {review}")
    if review and not html:
        raise UsageError("--review adds reviews to the page of --html: give --html, too")
    if is_tuning(directory):
        if html:
            raise UsageError(f"{directory} holds a tuning, which has no page: leave --html out")
        if anchor or table:
            raise UsageError(f"{directory} holds a tuning, which has no table: leave --anchor and --table out")
        report_tuning(directory)
        return
    run = _find_run(directory)
    if anchor:
        check_anchor_names(anchor, run.names)
        run = replace_anchors(run, anchor)
    game, outcome = replay_games(directory, run), compute_outcome(run)
    write_derived_files(directory, game.records, outcome)
    if table:
        _show_gomocup_table(directory, outcome)
    else:
        print_outcome(stdout_console(), outcome)
    if html:
        from arena.cli.review import review_games_of_run
        from arena.web.report.page import write_html

        if review:
            review_games_of_run(directory, run, game, review)
        stdout_console().print(f"page with the games: {write_html(directory, anchor)}", markup=False, soft_wrap=True)


@app.command
def play(
    game: GameName,
    /,
    *,
    options: PlayOptions = DEFAULT_PLAY_OPTIONS,
) -> None:
    """Play against any player or program on a page in the browser. Ctrl-C ends the command.

    Example: pentad play hive --engine player=pentad --level 4 --side second
    """
    from arena.terms.arguments import find_game
    from arena.web.play.launch import play as play_game

    selected_game = find_game(game)

    def show_address(address: str) -> None:
        stderr_console().print(f"{selected_game.title} at {address} (Ctrl-C ends it)", soft_wrap=True)

    play_game(selected_game, options, show_address)


def _find_run(directory: Path) -> Run:
    from arena.log.file import LOG_NAME, read_run

    if not (directory / LOG_NAME).is_file():
        raise UsageError(f"there is no run in {directory}: no {LOG_NAME}")
    return read_run(directory)


def _show_gomocup_table(directory: Path, outcome: RunOutcome) -> None:
    """Print the crosstable in Gomocup's form and write it as CSV into the folder of the run."""
    from arena.results.gomocup_table import format_gomocup_csv, format_gomocup_table
    from core.system.files import replace_text_file

    path = directory / GOMOCUP_TABLE_NAME
    replace_text_file(path, format_gomocup_csv(outcome))
    stdout_console().print(format_gomocup_table(outcome), markup=False, soft_wrap=True, end="")
    stdout_console().print(f"as CSV: {path}", markup=False, soft_wrap=True)


def _terminate(signum: int, frame: object) -> NoReturn:  # noqa: ARG001 - a signal handler
    from arena.errors import Terminated

    raise Terminated
