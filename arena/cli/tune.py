"""The `pentad tune` commands, and what `pentad resume` and `pentad report` do for the folder of a tuning."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from msgspec import structs
from rich.markup import escape

from arena.cli.confirmation import confirm_commands
from arena.console import stderr_console, stdout_console
from arena.errors import UsageError, format_resume_command
from arena.options.tune import DEFAULT_SPRT, DEFAULT_VERIFICATION_GAMES, SpsaOptions
from arena.options.tuning_file import complete_tuning
from protocols.command_line import join_command

if TYPE_CHECKING:
    from arena.run.config import MatchConfig
    from arena.tune.config import TuneConfig
    from arena.tune.display import TuningDisplay
    from arena.tune.log import Tuning
    from arena.tune.run import TuneResult

DEFAULT_SPSA_OPTIONS = SpsaOptions()

tune = App(
    name="tune",
    help="Tune the parameters of an engine by games.",
    result_action="return_value",
)


@tune.command(config=complete_tuning)
def spsa(
    file: Annotated[
        Path | None,
        Parameter(help="Tuning file (TOML): a table [parameters], and the options below without -- as keys."),
    ] = None,
    /,
    *,
    options: SpsaOptions = DEFAULT_SPSA_OPTIONS,
) -> int:
    """Tune parameters by SPSA: play the engine against itself with perturbed values, and follow the results.

    A parameter in the file is a line such as margin = {value = 80, min = 0, max = 300, step = 10, type = "int"}.

    Example: pentad tune spsa hive.toml --iterations 2000 --concurrency 2 --pairs 2
    """
    from arena.run.resume import check_unchanged
    from arena.tune.config import configure_tuning, is_same_tuning, restore_tuning
    from arena.tune.log import is_tuning, read_tuning
    from arena.tune.run import run_tuning
    from arena.tune.verify import parse_verification_sprt

    del file  # complete_tuning has read it
    config = configure_tuning(options)
    parse_verification_sprt("--verify-sprt", options.verify_sprt)  # for its errors, before the first game
    if is_tuning(config.match.out):
        tuning = read_tuning(config.match.out)
        restored = restore_tuning(config.match.out, tuning.header)
        if not is_same_tuning(config, restored):
            raise UsageError(f"{config.match.out} holds a different tuning: choose another --out")
        match = structs.replace(restored.match, concurrency=config.match.concurrency)
        check_unchanged(match, tuning.header.match)
        return _resume(structs.replace(restored, match=match), tuning, forced=False)
    _announce(config)
    _check_engine(config)
    return _show(config, lambda display: run_tuning(config, display, sys.argv))


@tune.command
def verify(
    directory: Annotated[Path, Parameter(help="Folder of a finished tuning.")],
    /,
    *,
    games: Annotated[int, Parameter(help="Maximum number of games.")] = DEFAULT_VERIFICATION_GAMES,
    sprt: Annotated[
        str, Parameter(help="Sequential test, as in `pentad match --sprt`, or `none` to play all games.")
    ] = DEFAULT_SPRT,
    openings: Annotated[
        Path | None,
        Parameter(help="File of openings; those that the tuning played are left out. Default: those it did not play."),
    ] = None,
    seed: Annotated[
        int | None, Parameter(help="Seed of the openings and our own players. Default: by that of the tuning.")
    ] = None,
    out: Annotated[
        Path | None, Parameter(help="Folder of the match. Default: the folder verify in that of the tuning.")
    ] = None,
    concurrency: Annotated[
        int | None, Parameter(help="Games played at the same time. Default: as in the tuning.", show_default=False)
    ] = None,
    force: Annotated[
        bool, Parameter(negative="", help="Play even if the engine has changed, or with more games than processors.")
    ] = False,
    yes: Annotated[bool, Parameter(negative="", help="Run the engine commands in the log without asking.")] = False,
) -> int:
    """Play the tuned values against the start values. The same command continues an interrupted match.

    With another --out it plays another match; give another --seed too, or the same games may be repeated.

    Example: pentad tune verify runs/hive --games 400
    """
    from arena.options.engines import check_processors
    from arena.run.resume import check_engines, check_unchanged
    from arena.tune.config import restore_tuning
    from arena.tune.log import read_tuning
    from arena.tune.verify import configure_verification, parse_verification_sprt

    _check_tuning(directory)
    if games < 2 or games % 2:
        raise UsageError(f"--games must be even and 2 or more, not {games}")
    if concurrency is not None and concurrency < 0:
        raise UsageError(f"--concurrency must be 0 or more, not {concurrency}")
    if seed is not None and seed < 0:
        raise UsageError(f"--seed must be 0 or more, not {seed}")
    tuning = read_tuning(directory)
    config = restore_tuning(directory, tuning.header)
    if not yes:
        confirm_commands(config.match, tuning.header_hash)
    if not force:
        check_unchanged(config.match, tuning.header.match)
    check_engines(config.match)
    if concurrency is not None:
        processors = check_processors(config.match.engine_limits, concurrency, force=force)
        config = structs.replace(config, match=structs.replace(config.match, concurrency=processors))
    test = parse_verification_sprt("--sprt", sprt)
    return _verify(config, tuning, configure_verification(config, tuning, games, test, openings, seed=seed, out=out))


def resume_tuning_command(directory: Path, *, force: bool, yes: bool) -> int:
    """Continue a tuning for `pentad resume`; return the exit code."""
    from arena.run.resume import check_engines, check_unchanged
    from arena.tune.config import restore_tuning
    from arena.tune.log import read_tuning

    tuning = read_tuning(directory)
    config = restore_tuning(directory, tuning.header)
    if not yes:
        confirm_commands(config.match, tuning.header_hash)
    if not force:
        check_unchanged(config.match, tuning.header.match)
    check_engines(config.match)
    return _resume(config, tuning, forced=force)


def report_tuning(directory: Path) -> None:
    """Write the files of a tuning again from its log, and print its result, for `pentad report`."""
    from arena.tune.log import read_tuning

    _print_tuning(directory, read_tuning(directory))


def _resume(config: TuneConfig, tuning: Tuning, *, forced: bool) -> int:
    """Continue a tuning that is not finished, then its verification; return the exit code."""
    from arena.run.provenance import describe_resumption
    from arena.tune.events import TuneResumed
    from arena.tune.run import resume_tuning

    done, planned = tuning.spsa.iteration, tuning.header.iterations
    stderr_console().print(f"{done} of {planned} iterations are already finished", markup=False)
    if not tuning.is_finished:
        _check_engine(config)
    resumption = describe_resumption(config.match, forced=forced)
    resumed = TuneResumed(resumption.started, resumption.engines, forced)
    return _show(config, lambda display: resume_tuning(config, display, resumed))


def _announce(config: TuneConfig) -> None:
    """Print what will be played, and how far it can move the parameters."""
    from arena.options.match import describe_match
    from arena.tune.report import describe_approach

    count = len(config.parameters)
    games = (
        f"{config.iterations} iterations of {config.pairs} pairs" if config.pairs > 1 else f"{config.iterations} pairs"
    )
    held_out = f", {len(config.held_out)} more for the verification" if config.held_out else ""
    lines = (
        f"SPSA of {config.engine}: {count} parameter{'s' if count > 1 else ''}, {games}",
        describe_match(config.match) + held_out,
        describe_approach(config),
    )
    for line in lines:
        stderr_console().print(line, markup=False, soft_wrap=True)
    if not len(config.match.book):
        stderr_console().print("[yellow]warning:[/] no openings: games with equal values repeat each other")


def _check_engine(config: TuneConfig) -> None:
    """Check that the engine takes its parameters, before the first game."""
    from arena.tune.engine_check import check_tuned_engine

    for warning in check_tuned_engine(config):
        stderr_console().print(f"[yellow]warning:[/] {escape(warning)}", soft_wrap=True)


def _show(config: TuneConfig, play: Callable[[TuningDisplay], TuneResult]) -> int:
    """Call `play` with a live display, print the result, play the verification, and return the exit code."""
    from arena.run.config import USER_STOP
    from arena.tune.display import TuningDisplay
    from arena.tune.verify import configure_verification, is_unchanged, parse_verification_sprt

    with TuningDisplay(stderr_console()) as display:
        result = play(display)
    console = stdout_console(ignores_closed_pipe=True)
    if result.stopped:
        reason = f"{USER_STOP}, unfinished pairs do not count" if result.stopped == USER_STOP else result.stopped
        console.print(f"stopped: {reason}", style="red", markup=False, soft_wrap=True)
    _print_tuning(result.directory, result.tuning)
    if not result.tuning.is_finished:
        console.print(f"to continue: {format_resume_command(result.directory)}", markup=False, soft_wrap=True)
        return result.exit_code
    if not config.verify:
        return result.exit_code
    if is_unchanged(config, result.tuning):
        console.print("no verification: the tuned values are those of the start", soft_wrap=True)
        return result.exit_code
    sprt = parse_verification_sprt("verify_sprt", config.verify_sprt)
    return _verify(config, result.tuning, configure_verification(config, result.tuning, config.verify, sprt))


def _print_tuning(directory: Path, tuning: Tuning) -> None:
    """Write the files of a tuning and print its result."""
    from arena.tune.report import format_tuning, write_tuning_files

    console = stdout_console(ignores_closed_pipe=True)
    paths = write_tuning_files(directory, tuning)
    console.print(format_tuning(tuning), end="", markup=False, soft_wrap=True)
    names = ", ".join(path.name for path in paths)
    console.print(f"written to {directory}: {names}", markup=False, soft_wrap=True)


def _verify(config: TuneConfig, tuning: Tuning, match: MatchConfig) -> int:
    """Play the verification, or continue it, and return its exit code."""
    from arena.options.match import describe_match
    from arena.run.display import LiveDisplay, print_result
    from arena.run.run_or_resume import run_or_resume

    parameters = zip(config.parameters, tuning.spsa.values, strict=True)
    tuned = tuple(structs.replace(parameter, value=value) for parameter, value in parameters)
    _check_engine(structs.replace(config, parameters=tuned))
    stderr_console().print(f"verification: {describe_match(match)}", markup=False, soft_wrap=True)
    out = stdout_console(ignores_closed_pipe=True)
    with LiveDisplay(stderr_console(), match.planned, out=out, prints_games=False) as display:
        advice = f"choose another one by `pentad tune verify {join_command([str(config.match.out)])} --out FOLDER`"
        result = run_or_resume(match, display, sys.argv, advice)
    print_result(out, result)
    return result.exit_code


def _check_tuning(directory: Path) -> None:
    from arena.tune.log import TUNE_LOG_NAME, is_tuning

    if not is_tuning(directory):
        raise UsageError(f"there is no tuning in {directory}: no {TUNE_LOG_NAME}")
