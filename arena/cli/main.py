"""The `pentad` command: defines its subcommands and their options. Other modules of `arena` do the work.

Imports that take long are inside the subcommands, so that help and usage errors appear at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
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
from arena.cli.tune import report_tuning, resume_tuning_command, tune
from arena.console import (
    BoardSize,
    ExitCode,
    GameName,
    Rule,
    discard_output,
    flush_output,
    make_spinner,
    prepare_streams,
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
from core.version import VERSION
from protocols.driving.orphans import adopt_orphans

if TYPE_CHECKING:
    from arena.log.file import Run
    from arena.results.outcome import RunOutcome
    from arena.tools.build import BuildPlan

StartPosition = Annotated[
    str,
    Parameter(
        help="Moves that lead to the position to count from, as in a line of an opening file. In Hive also a"
        " GameString, which names its game type."
    ),
]

DEFAULT_MATCH_OPTIONS = MatchOptions()
GOMOCUP_TABLE_NAME = "gomocup.csv"


app = App(
    name="pentad",
    help="Play matches between board-game engines: our five bots and any program of the same protocols.",
    version=VERSION,
    config=check_whole_numbers,
    result_action="return_value",
    suppress_keyboard_interrupt=False,  # `run` handles it
)
app.command(make_completion_command(app), name="--install-completion")
for command in (check, kolibrat, openings, ratings, review, tune, watch):
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
        return _fail(error, ExitCode.USAGE_ERROR)
    except (CommandFailedError, KernelError, UnsafeFileError, MemoryError) as error:
        return _fail(error, ExitCode.FAILURE)
    except BrokenPipeError:
        discard_output(sys.stdout)
        return _fail("standard output is closed", ExitCode.FAILURE)
    except OSError as error:
        return _fail(format_os_error(error), ExitCode.FAILURE)
    except KeyboardInterrupt:
        return _fail("interrupted", ExitCode.INTERRUPTED)


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


@app.command
def demo() -> int:
    """Build the executables and play a short match of each against one of its weaker players.

    Example: pentad demo
    """
    from contextlib import closing
    from datetime import datetime

    from arena.tools.demo import demo_folder, describe_next, iter_built, plan_match
    from core.system.build_progress import say

    plan, folder = replace(_plan_build(onedir=False), low_priority=True), demo_folder(datetime.now())
    spinner, first_played, worst_code = make_spinner("building the executables"), None, ExitCode.SUCCESS
    with closing(iter_built(plan, say)) as built_games:
        while worst_code != ExitCode.INTERRUPTED:
            with spinner:
                game = next(built_games, None)
            if game is None:
                break
            stdout_console().rule(game.title)
            worst_code = max(worst_code, play_match(plan_match(plan, game, folder)))
            first_played = first_played or game
    for line in describe_next(plan, first_played, folder) if first_played else ():
        stdout_console().print(line, markup=False, soft_wrap=True)
    return worst_code


@app.command
def build(
    *,
    onedir: Annotated[
        bool | None,
        Parameter(
            negative="--onefile",
            help="Build folders, which start faster, or single files. Default: single files; with --gomocup a folder.",
        ),
    ] = None,
    gomocup: Annotated[
        bool,
        Parameter(
            negative="",
            help="Also write dist/pentad.zip, the archive for Gomocup. It holds the content of a folder, or with"
            " --onefile a single file.",
        ),
    ] = False,
    windows: Annotated[
        bool,
        Parameter(negative="", help="Build for Windows, into dist/windows/, on Linux with wine."),
    ] = False,
) -> None:
    """Build the executables that are out of date, into dist/; with --onedir as folders, into dist/onedir/.

    Example: pentad build
    """
    from arena.tools.build import pack_for_gomocup

    # Gomocup suspends only the process that it started, but a single-file executable thinks in a child of it.
    plan = replace(_plan_build(onedir=gomocup if onedir is None else onedir), windows=windows)
    _build(plan)
    for game in plan.games:
        stdout_console().print(f"{game.title}: {plan.executable(game)}", soft_wrap=True)
    if gomocup:
        stdout_console().print(f"Gomocup archive: {pack_for_gomocup(plan)}", soft_wrap=True)


@app.command
def perft(
    game: GameName,
    depth: Annotated[int, Parameter(help="Depth, plies.")],
    /,
    *,
    size: BoardSize = None,
    rule: Rule = None,
    position: StartPosition = "",
    divide: Annotated[bool, Parameter(negative="", help="Also show the count of each first move.")] = False,
) -> None:
    """Count the sequences of DEPTH legal moves (perft).

    Example: pentad perft hive 4 --divide
    """
    from arena.terms.arguments import choose_position, choose_setup, find_game
    from arena.tools.perft import count_all, count_by_move, format_total

    if depth < 0 or (divide and depth == 0):
        raise UsageError(f"DEPTH must be {int(divide)} or more, not {depth}")
    selected_game = find_game(game)
    start = choose_position(selected_game, choose_setup(selected_game, size, rule, position), position)
    for count in count_by_move(start, depth) if divide else []:
        stdout_console().print(f"{count.move} {count.nodes}")
    stdout_console().print(format_total(count_all(start, depth), depth), soft_wrap=True)


@app.command
def bench(
    game: GameName,
    /,
    *,
    depth: Annotated[int | None, Parameter(help="Search depth, plies. Default: depends on the game.")] = None,
    exe: Annotated[bool, Parameter(negative="", help="Measure the executable in dist/ through its protocol.")] = False,
    kernels: Annotated[
        Literal["njit", "native"] | None, Parameter(help="Run the search natively compiled or by numba's JIT.")
    ] = None,
    player: Annotated[str, Parameter(help="Player, as in a match. Default: the strongest of the game.")] = "",
) -> None:
    """Search fixed positions to a fixed depth. The total of nodes changes only if the search changes.

    Example: pentad bench hive
    """
    if depth is not None and depth < 1:
        raise UsageError(f"--depth must be 1 or more, not {depth}")
    if exe and player:
        raise UsageError("--exe measures the default player of the executable: leave --player out")
    if kernels:
        os.environ["PENTAD_KERNELS"] = kernels  # read when the kernels are loaded
    from arena.terms.arguments import find_game
    from arena.tools.bench import bench_game, bench_gaps, format_row
    from arena.tools.poll_gaps import format_gap

    selected_game = find_game(game)
    executable = _plan_build(onedir=False).executable(selected_game) if exe else None
    for row in bench_game(selected_game, depth or selected_game.bench_depth, executable, player):
        stdout_console().print(format_row(row), markup=False, soft_wrap=True)
    if not exe:
        stdout_console().print(format_gap(bench_gaps(selected_game, player)), markup=False, soft_wrap=True)


@app.command
def convert(
    *files: Annotated[Path, Parameter(help="Game records (.sgf): of Hex, or of Hive from boardspace.net.")],
) -> int:
    """Print the game of each file in one line. Files that cannot be read are named on standard error.

    For Hex, the board size and the reading of the word `swap` are printed on standard error.

    Example: pentad convert games/*.sgf > games.txt
    """
    from arena.tools.convert import convert_file

    if not files:
        raise UsageError("give at least one FILE")
    code = ExitCode.SUCCESS
    for path in files:
        try:
            converted = convert_file(path)
        except CommandFailedError as error:
            code = _fail(error, ExitCode.FAILURE)
            continue
        print(converted.line)
        if converted.note:
            print(f"{path}: {converted.note}", file=sys.stderr)
    return code


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


def _plan_build(*, onedir: bool) -> BuildPlan:
    from arena.tools.build import BuildPlan
    from bots.registry import GAMES

    return BuildPlan(tuple(GAMES.values()), onedir)


def _build(plan: BuildPlan) -> None:
    from arena.tools.build import build as build_executables
    from core.system.build_progress import say

    with make_spinner("building the executables"):
        was_built = build_executables(plan, say)
    stderr_console().print("executables built" if was_built else "executables are up to date")


def _fail(error: object, code: ExitCode) -> ExitCode:
    text = " ".join(str(error).split()) if code == ExitCode.USAGE_ERROR else str(error).strip()
    stderr_console().print(f"pentad: {text}", style="red", markup=False, soft_wrap=True)
    return code
